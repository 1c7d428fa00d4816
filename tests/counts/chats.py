"""Counts Copilot CLI event files and Gemini CLI session documents."""

import re

from reading import (Pairing, first_of_each, has_text, in_time_order, is_command, json_document, json_lines,
                     number, whole)


def count_copilot(data, counts):
    events = first_of_each(json_lines(data, counts), lambda one: one.get("id") or whole(one))
    pairing, closing, spoken = Pairing(), None, []
    for place, event in enumerate(in_time_order(events)):
        kind, detail = event.get("type"), event.get("data")
        detail = detail if isinstance(detail, dict) else {}
        if kind == "user.message":
            counts.add("commands" if is_command(str(detail.get("content"))) else "prompts")
            pairing.prove(place)
        elif kind == "assistant.message":
            counts.add("messages", has_text(detail.get("content")))
            counts.add("thinking", has_text(detail.get("reasoningText")))
            spoken.append(number(detail.get("outputTokens")))
        elif kind == "tool.execution_start":
            pairing.call(detail.get("toolCallId"), place)
        elif kind == "tool.execution_complete":
            pairing.result(detail.get("toolCallId"), copilot_verdict(detail))
        elif kind == "abort":
            counts.add("interrupts")
            pairing.prove(place)
        elif kind == "session.shutdown":
            closing = detail.get("modelMetrics")
            pairing.prove(place)
    pairing.settle(counts)
    counts.add("sessions", bool(events))
    copilot_tokens(counts, closing, spoken)


def copilot_verdict(detail):
    """The flag, or the exit code that the shell tool states in its last line."""
    error = detail.get("error") if isinstance(detail.get("error"), dict) else {}
    if error.get("code") in ("rejected", "denied"):
        return "rejection" if error["code"] == "rejected" else "denial"
    result = detail.get("result") if isinstance(detail.get("result"), dict) else {}
    closing = str(result.get("content") or "").rstrip().rpartition("\n")[2]
    code = re.fullmatch(r"<.*(?:completed|exited) with exit code (-?\d+)>", closing)
    bad = detail.get("success") is False or bool(code and int(code[1]))
    return "failed" if bad else "done"


def copilot_tokens(counts, closing, spoken):
    """The totals at shutdown; of a session that was killed, what its messages say they put out."""
    if not isinstance(closing, dict):
        counts.add_tokens(requests=len(spoken), output=sum(spoken))
        return
    for model in closing.values():
        usage = model["usage"]
        read, write = number(usage.get("cacheReadTokens")), number(usage.get("cacheWriteTokens"))
        counts.add_tokens(number(model["requests"].get("count")), number(usage.get("inputTokens")) - read - write,
                          write, read, number(usage.get("outputTokens")))


def count_gemini(data, counts):
    document = json_document(data)
    if not isinstance(document, dict):
        counts.add("damaged")
        return
    messages = [one for one in document.get("messages") or [] if isinstance(one, dict)]
    counts.add("records", len(messages))
    counts.add("sessions")
    pairing = Pairing()
    for place, message in enumerate(messages):
        gemini_message(message, place, counts, pairing)
    pairing.settle(counts)


def gemini_message(message, place, counts, pairing):
    kind, content = message.get("type"), message.get("content")
    if kind == "user" and has_text(content):
        counts.add("commands" if is_command(content) else "prompts")
        pairing.prove(place)
    if kind != "gemini":
        return
    counts.add("messages", has_text(content))
    for thought in message.get("thoughts") or []:
        counts.add("thinking", has_text(thought.get("description")) or has_text(thought.get("subject")))
    for call in message.get("toolCalls") or []:
        pairing.call(call.get("id"), place)
        verdict = gemini_verdict(call)
        if verdict:
            pairing.result(call.get("id"), verdict)
    gemini_tokens(message.get("tokens"), counts)


def gemini_verdict(call):
    status = call.get("status")
    if status == "cancelled":
        return "rejection"
    if status == "error":
        return "failed"
    if status != "success":
        return None
    responses = [part.get("functionResponse", {}).get("response", {}) for part in call.get("result") or []]
    code = re.compile(r"^Exit Code: [1-9-]", re.M)
    bad = any("error" in one or code.search(str(one.get("output"))) for one in responses)
    return "failed" if bad else "done"


def gemini_tokens(tokens, counts):
    """Input holds the cached part; thoughts are output; an all-nought record is no request."""
    if isinstance(tokens, dict) and number(tokens.get("total")):
        cached = number(tokens.get("cached"))
        fresh = number(tokens.get("input")) + number(tokens.get("tool")) - cached
        output = number(tokens.get("output")) + number(tokens.get("thoughts"))
        counts.add_tokens(1, fresh, 0, cached, output)
