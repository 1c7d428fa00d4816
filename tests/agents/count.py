"""Counts what happened in the transcripts of today's agents, without any code of Annals.

usage: count.py FOLDER > counts.jsonl

FOLDER holds a folder for each agent and version. A line for each transcript says how many calls ended and how, what was
said and asked, and which tokens were used. Written from the transcripts, not from the importers: where the two differ,
one of them is wrong, and the transcript says which.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def records(path):
    seen = set()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.strip() and line not in seen:
            seen.add(line)
            yield json.loads(line)


def text_of(content):
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


class Counts(Counter):
    def __init__(self):
        super().__init__()
        self.tokens = [0, 0, 0, 0]

    def call(self, fate):
        self[fate] += 1
        self["calls"] += fate in ("done", "failed")

    def use(self, values):
        self.tokens = [a + b for a, b in zip(self.tokens, values)]


def claude_fate(block, line):
    said = text_of(block.get("content"))
    if not block.get("is_error"):
        return "done"
    if said.startswith(("[Request interrupted", "[Tool call interrupted")):
        return "interrupted"
    kind = line.get("toolDenialKind") or ("user-rejected" if line.get("toolUseResult") == "User rejected tool use" else None)
    if kind:
        return "rejected" if kind == "user-rejected" else "denied"
    if said.startswith("PreToolUse:") or said.startswith("Permission to use"):
        return "denied"
    return "failed"


def claude(path):
    counts, calls, ended, replies = Counts(), set(), {}, {}
    agents, told = set(), set()
    for line in records(path):
        kind, message = line.get("type"), line.get("message") or {}
        if line.get("isSidechain"):
            agents.add(line.get("agentId"))
        if kind == "system" and line.get("subtype") == "compact_boundary":
            counts["compactions"] += 1
        if kind == "attachment" and line["attachment"]["type"] == "queued_command":
            attachment = line["attachment"]
            is_person = (attachment.get("origin") or {}).get("kind", "human") == "human"
            counts["prompts"] += is_person and attachment.get("commandMode", "prompt") == "prompt"
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        if kind == "assistant" and message.get("model") != "<synthetic>":
            use = message.get("usage") or {}
            best = replies.get(message["id"])
            if best is None or use.get("output_tokens", 0) > best.get("output_tokens", 0):
                replies[message["id"]] = use
            for block in blocks:
                counts["messages"] += block["type"] == "text" and bool(block["text"].strip())
                if block["type"] == "tool_use":
                    calls.add(block["id"])
        if kind == "user":
            for block in blocks:
                if block["type"] == "tool_result":
                    ended.setdefault(block["tool_use_id"], claude_fate(block, line))
            words = [block["text"].strip() for block in blocks if block["type"] == "text"]
            origin = (line.get("origin") or {}).get("kind", "human")
            if line.get("isMeta") or line.get("isCompactSummary") or line.get("isSidechain") or origin != "human":
                continue
            if words and not words[0].startswith(("<", "[Request interrupted")):
                told.add(line["uuid"])
    counts["prompts"] += len(told)
    for call in calls & ended.keys():
        counts.call(ended[call])
    for use in replies.values():
        names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
        counts.use([use.get(name) or 0 for name in names])
    counts["requests"], counts["children"] = len(replies), len(agents)
    return counts


NO = "Command blocked by PreToolUse hook"
WENT_WRONG = ("apply_patch verification failed", "unsupported call", "write_stdin failed", "unable to locate image")


def codex_fate(output, code):
    said = output if isinstance(output, str) else text_of(output)
    if said.startswith(NO):
        return "denied"
    if said.startswith(WENT_WRONG) or said.split("\n", 1)[-1].startswith("aborted by user"):
        return "failed"
    return "failed" if code not in (None, 0) else "done"


def codex(path):
    counts, calls, outputs, codes, totals = Counts(), set(), {}, {}, []
    for line in records(path):
        body = line["payload"]
        kind = body.get("type")
        if line["type"] == "session_meta":
            counts["children"] += isinstance(body.get("source"), dict)
        elif line["type"] == "token_usage_record":
            totals.append(body["thread_token_usage"])
        elif kind in ("function_call", "custom_tool_call"):
            calls.add(body["call_id"])
        elif kind in ("function_call_output", "custom_tool_call_output"):
            outputs[body["call_id"]] = body["output"]
        elif kind == "item_completed":
            item = body["item"]
            counts["prompts"] += item["type"] == "UserMessage"
            counts["messages"] += item["type"] == "AgentMessage"
            # What ends after its call had an output went on in the background: the call itself was made well.
            if item["type"] == "CommandExecution" and item["id"] not in outputs:
                codes[item["id"]] = item["exit_code"]
        elif line["type"] == "compacted":
            counts["compactions"] += 1
    for call in calls & outputs.keys():
        counts.call(codex_fate(outputs[call], codes.get(call)))
    if totals:
        last = max(totals, key=lambda total: total["total_tokens"])
        cached, written = last["cached_input_tokens"], last["cache_write_input_tokens"]
        counts.use([last["input_tokens"] - cached - written, written, cached, last["output_tokens"]])
    counts["requests"] = len({total["total_tokens"] for total in totals})
    return counts


def copilot(path):
    counts, calls, ends = Counts(), set(), {}
    for line in records(path):
        kind, data = line["type"], line["data"]
        if kind == "user.message":
            counts["prompts"] += "agentId" not in line and data.get("source", "user") == "user"
        elif kind == "assistant.message":
            counts["messages"] += bool(data["content"])
        elif kind == "tool.execution_start":
            calls.add(data["toolCallId"])
        elif kind == "tool.execution_complete":
            ends[data["toolCallId"]] = data
        elif kind == "subagent.started":
            counts["children"] += 1
        elif kind == "session.usage_record":
            use = data["usage"]
            read, written = use["cacheReadTokens"], use["cacheWriteTokens"]
            counts.use([use["inputTokens"] - read - written, written, read, use["outputTokens"]])
            counts["requests"] += 1
    for call in calls & ends.keys():
        end = ends[call]
        is_well = end["success"] and not (end.get("shellExecution") or {}).get("exitCode")
        counts.call("done" if is_well else "failed")
    return counts


def gemini(path):
    counts, last = Counts(), {}
    for line in records(path):
        for message in (line.get("$set") or {}).get("messages", []) + [line] * ("id" in line):
            last[message["id"]] = message
        counts["children"] += line.get("kind") == "subagent"
    for message in last.values():
        if message["type"] == "user":
            said = text_of(message["content"]).strip()
            counts["prompts"] += bool(said) and not said.startswith("<session_context>") and not counts["children"]
        if message["type"] == "gemini":
            counts["messages"] += bool(message["content"])
            use = message.get("tokens")
            if use:
                fresh = use["input"] - use["cached"] + use["tool"]
                counts.use([fresh, 0, use["cached"], use["output"] + use["thoughts"]])
                counts["requests"] += 1
        for call in message.get("toolCalls", []):
            answer = call["result"][0]["functionResponse"]["response"]
            if answer.get("error", "").startswith("Tool execution blocked"):
                counts.call("denied")
            elif call["status"] == "error" or "\nExit Code: " in answer.get("output", ""):
                counts.call("failed")
            else:
                counts.call("done")
    return counts


READERS = {"claude-code": claude, "codex": codex, "copilot-cli": copilot, "gemini-cli": gemini}
NAMES = ("calls", "failed", "interrupted", "rejected", "denied", "prompts", "messages", "children", "compactions", "requests")


def main(folder):
    for path in sorted(Path(folder).rglob("*.jsonl")):
        name = path.relative_to(folder).as_posix()
        reader = next((reader for kind, reader in READERS.items() if name.startswith(kind)), None)
        if reader is None:
            continue
        counts = reader(path)
        row = {"file": name} | {what: int(counts[what]) for what in NAMES} | {"tokens": counts.tokens}
        print(json.dumps(row))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
