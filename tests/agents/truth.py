"""What the agents' own transcripts say, counted by code that shares nothing with Annals.

`read(paths)` gives a `Told`: sessions by their own ids, calls by id, texts, tokens. The same event in two files (a fork, a resumed
session) is one event, known by its own id. `python3 truth.py PATH…` prints it.

A call's verdict: `ok`; `failed` (an exit code other than 0, a tool's error, a refusal by the agent itself before it ran); `no` (a
person, a rule or a hook said no); `stopped` (a person stopped the agent while it ran); `open` (it never ended: killed).
Tokens are [input that was not cached, written to the cache, read from the cache, output with thoughts].
"""
import json
import os
import re
import sys


class Told:
    def __init__(self):
        self.sessions = {}      # own id -> {"parent": id or None, "agent": name}
        self.aliases = {}       # another name of a session -> the last part of its id
        self.calls = {}         # call id -> {"session", "tool", "input", "verdict", "exit", "text"}
        self.prompts = {}       # event id -> (session, text)
        self.messages = {}      # event id -> (session, text)
        self.compactions = {}   # event id -> session
        self.stops = {}         # event id -> session: a person stopped the agent
        self.tokens = {}        # request id -> (session, [four numbers])

    def session(self, name, agent, parent=None):
        known = self.sessions.setdefault(name, {"agent": agent, "parent": None})
        known["parent"] = known["parent"] or parent
        return name

    def call(self, name, session, tool, given=None):
        known = self.calls.setdefault(name, {"session": session, "in": [], "tool": tool, "input": given, "verdict": "open", "exit": None,
                                             "text": ""})
        known["in"].append(session)  # a fork tells it again
        return known

    def end(self, name, verdict, code=None, text=""):
        if name in self.calls:
            self.calls[name].update(verdict=verdict, exit=code, text=text[:200])

    def sums(self):
        totals = [sum(numbers) for numbers in zip(*(tokens for _, tokens in self.tokens.values()))]
        return totals or [0, 0, 0, 0]


def records(path):
    """The JSON values of a file, one a line; a broken or half-written line is passed over."""
    with open(path, "rb") as file:
        for number, line in enumerate(file):
            line = line.replace(b"\0", b"").strip()
            if not line.startswith(b"{"):
                continue
            try:
                yield number, json.loads(line.decode("utf-8", "replace"))
            except (ValueError, RecursionError):
                continue


def flat(content):
    """The text of a content that is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(part if isinstance(part, str) else part.get("text") or "" for part in content or [] if isinstance(part, (str, dict)))


def number(pattern, text):
    match = re.search(pattern, text or "")
    return int(match.group(1)) if match else None


# Claude Code: <id>.jsonl, <id>/subagents/agent-<agent>.jsonl with agent-<agent>.meta.json

# What Claude Code puts into a user's message by itself.
NOT_TYPED = ("<command-", "<local-command", "<bash-", "[Request interrupted", "<task-notification", "Caveat: ", "<user-prompt-submit-hook",
             "<ide_", "This session is being continued")
REFUSED = ("The user doesn't want to", "Permission to use", "Permission for this", "User rejected", "Hook PreToolUse", "PreToolUse:",
           "Plan was rejected")


def claude(told, path):
    base = os.path.basename(path)
    child = base[6:-6] if base.startswith("agent-") else None
    for line, record in records(path):
        kind, message = record.get("type"), record.get("message") or {}
        own = record.get("sessionId")
        if not own:
            continue
        agent = record.get("agentId") or child if record.get("isSidechain") or child else None
        session = f"{own}/{agent}" if agent else own
        mark = record.get("uuid") or f"{path}:{line}"
        if kind in ("user", "assistant"):
            told.session(session, "claude", own if agent else None)
        if kind == "system" and record.get("subtype") == "compact_boundary":
            told.compactions.setdefault(mark, session)
        elif kind == "assistant":
            usage, request = message.get("usage"), message.get("id") or mark
            if usage and message.get("model") != "<synthetic>":
                tokens = [usage.get(name) or 0 for name in
                          ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")]
                if tokens[3] >= told.tokens.get(request, (0, [0, 0, 0, -1]))[1][3]:
                    told.tokens[request] = (told.tokens.get(request, (session,))[0], tokens)
            for place, block in enumerate(message.get("content") or []):
                if block.get("type") == "tool_use":
                    told.call(block["id"], session, block.get("name"), block.get("input"))
                elif block.get("type") == "text" and block["text"].strip() and message.get("model") != "<synthetic>":
                    told.messages.setdefault(f"{mark}#{place}", (session, block["text"]))
        elif kind == "user":
            claude_user(told, record, session, agent, mark)
        elif kind == "queue-operation" or (kind == "attachment" and (record.get("attachment") or {}).get("type") == "queued_command"):
            claude_notice(told, record.get("content") or (record.get("attachment") or {}).get("prompt"))
            queued = record.get("attachment") or {}
            if queued.get("commandMode") == "prompt" and not agent:
                told.prompts.setdefault(mark, (session, flat(queued.get("prompt"))))


def claude_user(told, record, session, agent, mark):
    content = (record.get("message") or {}).get("content")
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            text, result = flat(block.get("content")), record.get("toolUseResult")
            if not block.get("is_error"):
                told.end(block["tool_use_id"], "ok", 0 if isinstance(result, dict) and "stdout" in result else None, text)
                if isinstance(result, dict) and result.get("backgroundTaskId"):
                    told.calls.get(block["tool_use_id"], {})["exit"] = None
            elif text.startswith(REFUSED) or "hook error" in text[:80]:
                told.end(block["tool_use_id"], "no", None, text)
            elif text.startswith(("[Request interrupted", "[Tool call interrupted")):
                told.end(block["tool_use_id"], "open", None, text)
            else:
                told.end(block["tool_use_id"], "failed", number(r"^Exit code (\d+)", text), text)
    text = re.sub(r"<system-reminder>.*?</system-reminder>", "", flat(content), flags=re.S).strip()
    if "[Request interrupted by user" in text:
        told.stops.setdefault(mark, session)
    claude_notice(told, text)
    own = not agent and not record.get("isMeta") and not record.get("isCompactSummary")
    if own and text and not text.startswith(NOT_TYPED):
        told.prompts.setdefault(mark, (session, text))


def claude_notice(told, text):
    """A command in the background has ended."""
    for part in re.findall(r"<task-notification>.*?</task-notification>", text or "", re.S) if isinstance(text, str) else []:
        call = re.search(r"<tool-use-id>(.*?)</tool-use-id>", part)
        status = re.search(r"<status>(.*?)</status>", part)
        if call and status:
            code = number(r"exit code (\d+)", part)
            done = status.group(1) == "completed"
            told.end(call.group(1), "ok" if done and not code else "failed", 0 if done and code is None else code)


# Codex: rollout-<time>-<thread>.jsonl

def codex(told, path):
    thread, answers = None, {}
    lines = [record for _, record in records(path)]
    items = any((record.get("payload") or {}).get("type") == "item_completed" for record in lines)
    exact = any(record.get("type") == "token_usage_record" for record in lines)
    last, previous = {}, [0, 0, 0, 0]
    for line, record in enumerate(lines):
        kind, payload = record.get("type"), record.get("payload") or {}
        what = payload.get("type")
        if kind == "session_meta":
            if thread is None:
                thread = told.session(payload["id"], "codex", payload.get("parent_thread_id"))
        elif kind == "response_item" and what in ("function_call", "custom_tool_call", "local_shell_call"):
            told.call(payload.get("call_id") or payload.get("id"), thread, payload.get("name") or what,
                      payload.get("input") or payload.get("arguments"))
        elif kind == "response_item" and what in ("function_call_output", "custom_tool_call_output"):
            if payload["call_id"] not in answers:
                answers[payload["call_id"]] = True
                codex_output(told, payload["call_id"], payload.get("output"))
        elif kind == "response_item" and what == "message" and payload.get("role") == "assistant":
            told.messages.setdefault(payload.get("id") or f"{path}:{line}", (thread, flat(payload.get("content"))))
        elif kind == "compacted":
            told.compactions.setdefault(f"{path}:{line}", thread)
        elif kind == "token_usage_record":
            told.tokens.setdefault(payload["response_id"], (thread, codex_tokens(payload["usage"])))
        elif kind == "event_msg" and what == "item_completed":
            last[payload["item"].get("id")] = payload["item"]
            if payload["item"].get("type") == "UserMessage":
                told.prompts.setdefault(payload["item"]["id"], (thread, flat(payload["item"].get("content"))))
        elif kind == "event_msg" and what == "user_message" and not items:
            told.prompts.setdefault(f"{path}:{line}", (thread, payload.get("message") or ""))
        elif kind == "event_msg" and what == "turn_aborted":
            told.stops.setdefault(payload.get("turn_id") or f"{path}:{line}", thread)
        elif kind == "event_msg" and what == "token_count" and payload.get("info") and not exact:
            now = codex_tokens(payload["info"]["total_token_usage"])
            if sum(now) < sum(previous):
                previous = [a - b for a, b in zip(now, codex_tokens(payload["info"]["last_token_usage"]))]
            told.tokens[f"{path}:{line}"] = (thread, [a - b for a, b in zip(now, previous)])
            previous = now
    for item in last.values():
        codex_item(told, item)


def codex_tokens(usage):
    cached, written = usage.get("cached_input_tokens") or 0, usage.get("cache_write_input_tokens") or 0
    return [usage["input_tokens"] - cached - written, written, cached, usage["output_tokens"]]


def codex_output(told, call, output):
    text = output if isinstance(output, str) else flat(output)
    code = number(r"(?:Process exited with code|Exit code:) (-?\d+)", text.split("\nOutput:")[0])
    try:
        code = json.loads(text)["metadata"]["exit_code"]
    except (ValueError, KeyError, TypeError):
        pass
    if re.search(r"rejected by user|blocked by PreToolUse hook|blocked by hook|rejected: ", text[:300]):
        told.end(call, "no", None, text)
    elif "aborted by user" in text[:80]:
        told.end(call, "stopped", None, text)
    elif code or text.startswith(("apply_patch verification failed", "failed in sandbox", "failed to parse", "unsupported call",
                                  "write_stdin failed", "unable to", "Command blocked")):
        told.end(call, "failed", code, text)
    else:
        told.end(call, "ok", code, text)


def codex_item(told, item):
    """The end of a command or a patch, which may be later than what the model was told."""
    call = told.calls.get(item.get("id"))
    if call is None or call["verdict"] in ("no", "stopped"):
        return
    if item.get("type") == "CommandExecution" and item.get("exit_code") == -1:
        told.end(item["id"], "open")
    elif item.get("type") == "CommandExecution" and item.get("exit_code") is not None:
        told.end(item["id"], "failed" if item["exit_code"] else "ok", item["exit_code"])
    elif item.get("type") == "FileChange" and item.get("status") == "failed":
        told.end(item["id"], "failed")


# Gemini CLI: session-<time>-<id>.jsonl, <parent>/<id>.jsonl; a record with an id that was there before takes its place

def gemini(told, path):
    session, messages, compressed, lines = None, {}, 0, [record for _, record in records(path)]
    for before, record in zip([None, *lines], lines):
        if session is None and record.get("sessionId"):
            above = os.path.basename(os.path.dirname(path))
            parent = above if re.fullmatch(r"[0-9a-f]{8}-[0-9a-f-]{27}", above) else None
            session = told.session(f"{parent}/{record['sessionId']}" if parent else record["sessionId"], "gemini", parent)
        elif "$set" in record:
            # What is resumed or compressed is told again, under ids known or new, with contents that nobody said.
            again = [message["id"] for message in record["$set"].get("messages") or []]
            replaced = "sessionId" in (before or {}).get("$set", {}) and set(messages) - set(again)
            compressed += bool(replaced)
        elif "$rewindTo" not in record and record.get("id"):
            messages[record["id"]] = dict(messages.get(record["id"], {}), **record)
    for name, message in messages.items():
        text = flat(message.get("content"))
        if message.get("type") == "user" and text.strip() and not text.startswith(("<session_context>", "<state_snapshot>", "<hook_context>")):
            if "/" not in session:
                told.prompts.setdefault(name, (session, text))
        elif message.get("type") == "gemini":
            if text.strip():
                told.messages.setdefault(name, (session, text))
            tokens = message.get("tokens") or {}
            if tokens:
                told.tokens[name] = (session, [tokens.get("input", 0) - tokens.get("cached", 0) + tokens.get("tool", 0), 0,
                                               tokens.get("cached", 0), tokens.get("output", 0) + tokens.get("thoughts", 0)])
            for call in message.get("toolCalls") or []:
                gemini_call(told, session, call)
    for place in range(compressed):
        told.compactions[f"{path}:{place}"] = session


def gemini_call(told, session, call):
    told.call(call["id"], session, call.get("name"), call.get("args"))
    text = json.dumps(call.get("result") or "")
    code = number(r"Exit Code: (-?\d+)", text.split("Process Group PGID")[0])
    if call.get("status") == "cancelled":
        told.end(call["id"], "stopped" if "Operation cancelled by user" in text else "no", None, text)
    elif call.get("status") == "error":
        refused = re.search(r"Tool execution blocked|denied by policy|User denied", text)
        told.end(call["id"], "no" if refused else "failed", code, text)
    elif call.get("status") == "success":
        told.end(call["id"], "failed" if code else "ok", code, text)


# Copilot CLI: <id>/events.jsonl, sub-agents in it

def copilot(told, path):
    main, written, totals, seen = None, {}, None, False
    for line, record in records(path):
        kind, data, agent = record.get("type"), record.get("data") or {}, record.get("agentId")
        mark = record.get("id") or f"{path}:{line}"
        if kind == "session.start":
            main = told.session(data["sessionId"], "copilot")
        session = f"{main}/{agent}" if agent and agent != main else main
        if session != main and kind not in ("hook.start", "hook.end"):
            told.session(session, "copilot", main)
        if kind == "subagent.started" and agent:
            told.aliases[data["toolCallId"]] = agent
        if kind == "user.message" and not data.get("source") and session == main:
            told.prompts.setdefault(mark, (session, data.get("content") or ""))
        elif kind == "assistant.message":
            if (data.get("content") or "").strip():
                told.messages.setdefault(mark, (session, data["content"]))
            for request in data.get("toolRequests") or []:
                told.call(request["toolCallId"], session, request.get("name"), request.get("arguments"))
            if not seen:
                written[mark] = (session, [0, 0, 0, data.get("outputTokens") or 0])
        elif kind == "tool.execution_start":
            told.call(data["toolCallId"], session, data.get("toolName"), data.get("arguments"))
        elif kind == "tool.execution_complete":
            copilot_end(told, data)
        elif kind == "permission.completed" and str((data.get("result") or {}).get("kind", "")).startswith(("denied", "cancelled", "rejected")):
            told.end(data.get("toolCallId"), "no")
        elif kind == "session.usage_record":
            usage, seen = data["usage"], True
            read, write = usage.get("cacheReadTokens") or 0, usage.get("cacheWriteTokens") or 0
            told.tokens.setdefault(mark, (session, [usage["inputTokens"] - read - write, write, read, usage["outputTokens"]]))
        elif kind == "session.compaction_complete" and data.get("success", True):
            told.compactions.setdefault(mark, session)
        elif kind == "abort":
            told.stops.setdefault(mark, session)
            for name, call in told.calls.items():
                if call["session"] == session and call["verdict"] == "open":
                    told.end(name, "stopped")
        elif kind == "session.shutdown":
            totals = data.get("modelMetrics")
    if not seen and totals:
        for model, metrics in totals.items():
            usage = metrics.get("usage") or {}
            read, write = usage.get("cacheReadTokens", 0), usage.get("cacheWriteTokens", 0)
            told.tokens[f"{path}:{model}"] = (main, [usage.get("inputTokens", 0) - read - write, write, read, usage.get("outputTokens", 0)])
    elif not seen:
        told.tokens.update(written)


def copilot_end(told, data):
    error, code = data.get("error") or {}, (data.get("shellExecution") or {}).get("exitCode")
    text = (data.get("result") or {}).get("content") or error.get("message") or ""
    if data.get("success"):
        told.end(data["toolCallId"], "failed" if code else "ok", code, text)
        ended = re.search(r"<shellId: (\S+) completed with exit code (\d+)>", text)
        if data.get("shellId") and ended:
            told.end(data["toolCallId"], "failed" if int(ended.group(2)) else "ok", int(ended.group(2)), text)
    elif error.get("code") in ("rejected", "denied") or "denied" in text.lower()[:80]:
        told.end(data["toolCallId"], "no", None, text)
    elif error.get("code") in ("aborted", "cancelled", "abort"):
        told.end(data["toolCallId"], "stopped", None, text)
    else:
        told.end(data["toolCallId"], "failed", code, text)


READERS = {"claude": claude, "codex": codex, "gemini": gemini, "copilot": copilot}


def span(path):
    """From when to when a file tells: what a fork repeats is counted for the session that told it first."""
    times = [record["timestamp"] for _, record in records(path) if isinstance(record.get("timestamp"), str)]
    return (min(times), max(times), path) if times else ("", "", path)


def read(agent, paths):
    told = Told()
    for path in sorted((path for path in paths if path.endswith(".jsonl")), key=span):
        READERS[agent](told, path)
    return told


if __name__ == "__main__":
    result = read(sys.argv[1], sys.argv[2:])
    print(json.dumps(dict(vars(result), tokens=result.sums()), indent=1, ensure_ascii=False))
