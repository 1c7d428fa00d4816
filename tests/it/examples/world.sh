# A project in which each kind of thing is there once; prints the ids that stand for the capitals of examples.
say() { annals "$@" > /dev/null 2>&1 || { echo "failed: annals $*" >&2; annals "$@"; exit 1; }; }
id() { printf 'ID %s=%s\n' "$1" "$2"; }
git init -q . && git config user.email a@b && git config user.name a
printf 'password check\nsecond line\n' > notes.txt
printf '{"id":"b-1","title":"Retry","status":"open","priority":1,"issue_type":"task","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}\n' > issues.jsonl
printf '{"speaker":"quill","text":"Great idea, I agree."}\n' > talk.jsonl
printf '{"mood":{"current":"focused"}}\n' > emotions.json
printf '{"session_id":"s","operation":{"type":"tool_call","name":"Bash","input":{},"success":true}}\n' > entries.jsonl
cat > opinion.md <<'END'
The check belongs into the model and not into the form, because a form is skipped by every client that talks to the
server directly. Line 1 of notes.txt shows where the password is read; the next step is a test with an empty one.
END
opinion=$(tr '\n' ' ' < opinion.md)
council='"reason":"the CI runs it","vote":"approve","confidence":0.8,"argument":"one tool less","synthesis":"simpler","decision":"approve"'
for _ in 1 2 3; do echo "{\"role\":\"council\",\"answer\":{$council,\"opinion\":\"$opinion\",\"stance\":\"support\"}}"; done > judged.jsonl
cat >> judged.jsonl <<'END'
{"role":"dialectic","answer":{"claim":"nothing reads it","supports":[],"confidence":0.9,"objection":"a job does","severity":"low","risks":[],"counter":null,"actionable":"no","rationale":"the advocate is sure"}}
{"role":"summary","answer":{"title":"The login","summary":"A call was refused.","entities":[{"name":"Bash","type":"tool"}]}}
{"role":"eval","answer":{"prompt_quality.clarity":0.4}}
{"role":"canon","answer":{"claims":[{"subject":"Seryn","attribute":"eyes","value":"green","quote":"green as the sea"}]}}
{"role":"embedding","answer":{"":[1,0.5]}}
END
mkdir -p ~/.config/annals
printf '[models.vectors]\nbackend = "scripted"\nfile = "judged.jsonl"\n[models.purposes]\nembedding = "vectors"\n' > ~/.config/annals/config.toml
git add -A && git commit -qm one
say init --git nothing
say agent add anna --role writer
say agent add bert --role writer
say agent add carl --role critic --devils-advocate
say agent add mo --role moderator
say issue new "Login fails" --tag login
say issue new "Logout fails" --tag login
say issue new "The login check"
say issue resolve 3 "It is checked in the model" --force "one person"
SESSION=$(annals session start "Mend the login" 2>/dev/null); id SESSION "$SESSION"
say record --session "$SESSION" --type tool_call --name Bash --input '{"command":"curl x"}' --output '"connection refused"' --file src/main.rs --failed --error refused
id ENTRY "$(annals log -n 1 | cut -f 2)"
say canon state seryn-eyes "Seryn's eyes are amber"
say hivemind add decision build-tool "make" --as anna
say memory write --tool grep --path src/main.rs --state success --text "grep found it" --as ggs
id MEGRAM "$(annals memory list | cut -f 1)"
say knowledge add preference "Tests are run before the mending"
say knowledge add preference "Tests are run twice"
id KNOWN "$(annals knowledge list | sed -n 1p | cut -f 1)"
id NEWER "$(annals knowledge list | sed -n 2p | cut -f 1)"
say knowledge propose rule "Never push to main"
id CANDIDATE "$(annals knowledge review | head -n 1 | cut -f 1)"
say goal set issues-resolved --target 3
id GOAL "$(annals goal list | sed 's/[^0-9A-Z].*//;q')"
say debate request "drop the table" --plan "one migration" --stakes high
id DEBATE "$(annals debate list | head -n 1 | cut -f 1)"
say cognition goal add "Make the drawing quickly" --kind primary --session "$SESSION"
say cognition fact add "The form trims" --session "$SESSION"
say cognition goal add "Check it thoroughly" --session "$SESSION"
say cognition unknown "Who calls it?" --session "$SESSION"
say cognition goal add "Check it thoroughly" --session "$SESSION"
say cognition unknown "Who keeps it?" --session "$SESSION"
show() { annals cognition show --session "$SESSION" | grep "$1" | sed 's/^[a-z]*.//; s/ .*//;q'; }
id AIM "$(show '^primary')"
id OTHER "$(annals cognition show --session "$SESSION" | grep '^subgoal' | grep Check | cut -c 9- | sed 's/ .*//;q')"
id FACT "$(show '^working')"
id UNKNOWN "$(show '^unknown')"
