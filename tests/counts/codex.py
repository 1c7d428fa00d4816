"""Counts Codex rollouts, whole files and single record samples alike."""

import json
import re
from collections import Counter

from reading import (Pairing, first_of_each, has_text, in_time_order, json_document, json_lines, number,
                     whole)

CALLS = ("function_call", "custom_tool_call", "tool_search_call", "local_shell_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")
NOT_TYPED = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
             "<skill>", "<permissions instructions>")
REFUSED = re.compile(r"(patch|exec command|command|tool call) rejected by user")
BROKEN = ("apply_patch verification failed", "failed in sandbox", "aborted by user", "execution error",
          "failed to parse", "unsupported call", "exec_command failed")


def count(data, counts):
    rollout = Rollout(counts)
    lines = first_of_each(lines_of(data, counts), whole)
    for place, line in enumerate(in_time_order(lines)):
        rollout.line(line, place)
    rollout.finish()


def lines_of(data, counts):
    """JSONL, or (some samples) one document: an array of lines, or a single line set on many."""
    document = json_document(data)
    if not isinstance(document, (dict, list)):
        return json_lines(data, counts)
    elements = document if isinstance(document, list) else [document]
    objects = [one for one in elements if isinstance(one, dict)]
    counts.add("records", len(objects))
    counts.add("not_objects", len(elements) - len(objects))
    return objects


class Rollout:
    """One session."""

    def __init__(self, counts):
        self.counts, self.pairing = counts, Pairing()
        self.totals, self.marks, self.compacted = [], {}, [0, 0]
        self.seen, self.child = False, False
        self.items, self.shown = Counter(), Counter()

    def line(self, line, place):
        kind, payload = line.get("type"), line.get("payload")
        if not isinstance(payload, dict):
            return
        self.seen = True
        inner = payload.get("type")
        if kind == "session_meta":
            source = payload.get("source")
            self.child = isinstance(source, dict) and "subagent" in source
        elif kind == "compacted":
            self.compacted[0] += 1
        elif kind == "response_item":
            self.item(inner, payload, place)
        elif kind == "event_msg":
            self.event(inner, payload, place)

    def item(self, kind, payload, place):
        name = payload.get("call_id")
        if kind in CALLS:
            self.pairing.call(name, place)
        elif kind in OUTPUTS:
            self.pairing.result(name, verdict_of(payload))
        elif kind == "web_search_call":
            self.web_search(payload, place)
        elif kind == "message" and payload.get("role") == "assistant":
            self.counts.add("messages", has_text(text_of(payload.get("content"))))
            self.items["messages", text_of(payload.get("content"))] += 1
        elif kind == "reasoning":
            parts = texts_of(payload.get("summary")) or texts_of(payload.get("content"))
            self.counts.add("thinking", bool(parts))
            self.items.update(("thinking", one) for one in parts)

    def web_search(self, payload, place):
        """Has no id and no output item: its own status says that it is finished."""
        name = ("web_search", place)
        self.pairing.call(name, place)
        if payload.get("status") in ("completed", "failed"):
            self.pairing.result(name, "done" if payload["status"] == "completed" else "failed")

    def event(self, kind, payload, place):
        if kind in ("agent_message", "agent_reasoning"):
            what, text = ("messages", "message") if kind == "agent_message" else ("thinking", "text")
            self.shown[what, str(payload.get(text) or "")] += 1
        elif kind in ("user_message", "task_started", "task_complete"):
            self.turn_over()
        if kind == "user_message":
            self.typed(str(payload.get("message") or "").lstrip(), place)
        elif kind == "turn_aborted":
            self.counts.add("interrupts", payload.get("reason") == "interrupted")
            self.pairing.prove(place)
        elif kind == "task_complete":
            self.pairing.prove(place)
        elif kind == "context_compacted":
            self.compacted[1] += 1
        elif kind in ("error", "stream_error"):
            self.counts.add("api_errors")
        elif kind == "token_count" and payload.get("info"):
            self.totals.append(payload["info"]["total_token_usage"])
        elif kind in ("patch_apply_end", "exec_command_end", "mcp_tool_call_end") and ended_badly(payload):
            self.marks[payload.get("call_id")] = "failed"

    def turn_over(self):
        """What was shown on the screen and has no item by the end of its turn was cut off: it counts.
        An abort is not that end: items may still follow it."""
        for (what, text), times in (self.shown - self.items).items():
            self.counts.add(what, times if has_text(text) else 0)
        self.shown.clear()
        self.items.clear()

    def typed(self, text, place):
        if text.startswith("<user_shell_command>"):
            self.counts.add("shell")
        elif not text.startswith(NOT_TYPED):
            self.counts.add("prompts")
            self.pairing.prove(place)

    def finish(self):
        for name, verdict in self.marks.items():
            if self.pairing.results.get(name) == "done":
                self.pairing.results[name] = verdict
        self.pairing.settle(self.counts)
        self.counts.add("compactions", max(self.compacted))
        self.counts.add("sessions", self.seen)
        self.counts.add("children", self.child)
        self.tokens()

    def tokens(self):
        """FORMATS 2: totals run on, input holds the cached part, the same total may come twice."""
        if not self.totals:
            return
        last = max(self.totals, key=lambda one: number(one.get("total_tokens")))
        cached = number(last.get("cached_input_tokens"))
        requests = len({whole(one) for one in self.totals})
        self.counts.add_tokens(requests, number(last.get("input_tokens")) - cached, 0, cached,
                               number(last.get("output_tokens")), self.child)


def texts_of(parts):
    parts = parts if isinstance(parts, list) else []
    return [one["text"] for one in parts if isinstance(one, dict) and has_text(one.get("text"))]


def text_of(parts):
    return parts if isinstance(parts, str) else "\n".join(texts_of(parts))


def verdict_of(payload):
    text = text_of(payload.get("output"))
    if REFUSED.match(text):
        return "rejection"
    return "failed" if text.startswith(BROKEN) or exit_code(text) else "done"


def exit_code(text):
    """The exit code that the tool states: in JSON, or in the lines before `Output:`."""
    try:
        stated = json.loads(text)
    except ValueError:
        stated = None
    if isinstance(stated, dict):
        inner = stated.get("metadata")
        return number((inner if isinstance(inner, dict) else stated).get("exit_code"))
    head = text.split("\nOutput:", 1)[0]
    found = re.search(r"^(?:Process exited with code|Exit code:) (-?\d+)$", head, re.M)
    return int(found[1]) if found else 0


def ended_badly(payload):
    result = payload.get("result")
    refused = isinstance(result, dict) and ("Err" in result or (result.get("Ok") or {}).get("isError") is True)
    return payload.get("success") is False or bool(number(payload.get("exit_code"))) or refused
