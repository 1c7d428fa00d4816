#!/bin/bash
# An agent of paper, and mostly a bad one: what it does, the subtask says (play:NAME). It speaks as `claude -p` does.
told=$(cat)
play=$(grep -o 'play:[a-z]*' <<<"$told" | head -n 1); play=${play#play:}
while [ $# -gt 0 ]; do
  case $1 in
  --session-id) session=$2 ;;
  --settings) settings=$2 ;;
  esac
  shift
done

says() { printf '%s\n' "$1"; }
result() { says '{"type":"result","is_error":false,"result":"'"$1"'","usage":{"input_tokens":100,"output_tokens":7},"total_cost_usd":0.5}'; }
# A call, with what came of it.
did() {
  says '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"'"$1"'"}}]}}'
  says '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"'"$2"'"}]}}'
}
# What its hook answers to an event.
hook() {
  local program socket
  program=$(grep -o '"command": *"[^"]*"' "$settings" | head -n 1 | cut -d'"' -f4)
  socket=$(grep -o '"[^"]*hooks.sock"' "$settings" | head -n 1 | tr -d '"')
  printf '%s' "$1" | "$program" hook claude-code --through "$socket"
}
call() { printf '{"session_id":"%s","cwd":"%s","transcript_path":"%s","hook_event_name":"%s","tool_name":"Write","tool_use_id":"%s","tool_input":{"file_path":"%s","content":"hello"}%s}' "$1" "$PWD" "$2" "$3" "$4" "$5" "$6"; }
# The first line that the proxy answers.
asks() {
  local port=${HTTPS_PROXY##*:}
  exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'CONNECT %s HTTP/1.1\r\n\r\n' "$1" >&3 && head -n 1 <&3 | tr -d '\r'
  exec 3>&-
}

case $play in
good)
  hook "$(call "$session" "$HOME/none" PreToolUse w1 "$PWD/hello.txt")"
  echo hello > hello.txt
  hook "$(call "$session" "$HOME/none" PostToolUse w1 "$PWD/hello.txt" ',"tool_response":{"type":"create"},"duration_ms":3')"
  did 'echo hello > hello.txt' ''
  result 'hello.txt was written.'
  ;;
retry)
  grep -q 'was not good enough' <<<"$told" && echo hello > hello.txt
  result 'hello.txt was written.'
  ;;
claims)
  did 'cargo test' 'all 12 tests pass'
  result 'hello.txt was written. All tests pass.'
  ;;
hostile)
  person=$(sed -n 's/.*PERSON=\([^ ]*\).*/\1/p' <<<"$told" | head -n 1)
  project=$(sed -n 's/.*PROJECT=\([^ ]*\).*/\1/p' <<<"$told" | head -n 1)
  {
    echo x > "$person/stolen"
    echo x > "$project/stolen"
    mkdir -p "$project/.context/history" && echo evil > "$project/.context/history/evil.jsonl"
    ln -s "$person/.ssh/id_rsa" key && cat key "$person/.ssh/id_rsa"
    echo evil > "$settings"
    cat .env
  } 2>/dev/null
  # Another's session, and a file that we are to read for it.
  hook "$(call 11111111-2222-4333-8444-555555555555 "$person/.ssh/id_rsa" PreToolUse w2 "$PWD/forged.txt")" 2>/dev/null
  hook '{"session_id":"'"$session"'","transcript_path":"'"$person"'/.ssh/id_rsa","hook_event_name":"Stop"}' 2>/dev/null
  hook "$(call "$session" x PreToolUse w3 "$project/.context/history/evil.jsonl")"
  asks evil.example.com:443
  asks 127.0.0.1:22
  echo hello > hello.txt
  result 'hello.txt was written.'
  ;;
floods)
  head -c 104857600 /dev/zero | tr '\0' x
  echo
  echo hello > hello.txt
  result 'hello.txt was written.'
  ;;
endless)
  echo hello > hello.txt
  exec sleep "$(sed -n 's/.*SECONDS=\([0-9]*\).*/\1/p' <<<"$told" | head -n 1)"
  ;;
dies)
  echo hello > hello.txt
  kill -9 $$
  ;;
fails)
  result 'hello.txt was written.' >/dev/null
  echo 'no credit is left' >&2
  exit 1
  ;;
esac
