"""Counts the runs of benchmark agents: SWE-agent trajectories, and OpenHands in all its forms."""

import re

from reading import Pairing, has_text, json_document, json_lines, number

SWE_REFUSED = ("Your proposed edit has introduced new syntax error", "Text not found")
SWE_STOPPED = re.compile(r"^(EXECUTION TIMED OUT|COMMAND TIMED OUT|COMMAND FAILED TO EXECUTE)", re.M)
SWE_CANCELLED = re.compile(r"The command '.*' was cancelled because it took more than ", re.S)
NO_TOOLS = ("message", "finish", "reject", "system", "recall", "change_agent_state", "null", "condensation")


def count_swe(data, counts):
    document = json_document(data)
    if not isinstance(document, dict):
        counts.add("damaged")
        return
    steps, history = document.get("trajectory") or [], document.get("history") or []
    history = [one for one in history if not one.get("is_demo")]
    counts.add("sessions")
    counts.add("records", len(steps) or len(document.get("history") or []))
    counts.add("prompts", any(one.get("role") == "user" for one in history))
    if steps:
        swe_steps(steps, counts)
    else:
        swe_history(history, counts)
    stats = (document.get("info") or {}).get("model_stats") or {}
    counts.add_tokens(number(stats.get("api_calls")), number(stats.get("tokens_sent")), 0, 0,
                      number(stats.get("tokens_received")))


def swe_steps(steps, counts):
    for step in steps:
        thought = has_text(step.get("thought"))
        counts.add("thinking", thought)
        counts.add("messages", not thought and not has_text(step.get("action")) and has_text(step.get("response")))
        if has_text(step.get("action")):
            counts.add("calls")
            counts.add("failed", swe_failed(step.get("observation") or ""))


def swe_history(history, counts):
    """A demonstration keeps no steps: calls and results are told by their ids."""
    pairing = Pairing()
    for place, one in enumerate(history):
        if one.get("role") == "assistant":
            counts.add("thinking" if has_text(one.get("thought")) else "messages")
        for call in one.get("tool_calls") or []:
            pairing.call(call.get("id"), place)
        for name in one.get("tool_call_ids") or []:
            pairing.result(name, "failed" if swe_failed(str(one.get("content"))) else "done")
    pairing.settle(counts)


def swe_failed(text):
    """By the agent's own tools and shell; what a program printed says nothing."""
    text = text.strip()
    refused = text.startswith(SWE_REFUSED) or text == "Wrong flag!"
    return refused or bool(SWE_STOPPED.search(text) or SWE_CANCELLED.match(text))


def count_openhands(data, counts):
    document = json_document(data)
    if isinstance(document, list):
        counts.add("records", len(document))
        openhands_session(document, None, counts)
        return
    lines = json_lines(data, counts)
    if any("history" in one for one in lines):
        for task in lines:
            openhands_session(task.get("history") or [], task.get("metrics"), counts)
    elif lines:
        openhands_sdk(lines, counts)


def openhands_session(events, metrics, counts):
    """V0: an observation names the action that caused it; the older flat form goes by position."""
    counts.add("sessions")
    pairing, last, usages = Pairing(), None, {}
    for place, event in enumerate(events):
        name = event.get("id", place)
        if "action" in event:
            last = name
            openhands_action(event, name, place, counts, pairing)
        elif "observation" in event:
            cause = event.get("cause") if "id" in event else last
            if cause is not None and is_tool_result(event):
                pairing.result(cause, openhands_verdict(event))
        reply = (event.get("tool_call_metadata") or {}).get("model_response") or {}
        if isinstance(reply.get("usage"), dict):
            usages[reply.get("id")] = reply["usage"]
    pairing.settle(counts)
    openhands_tokens(metrics, usages, counts)


def openhands_action(event, name, place, counts, pairing):
    kind, source, args = event["action"], event.get("source", "agent"), event.get("args") or {}
    if kind == "message":
        counts.add("prompts" if source == "user" else "messages", has_text(args.get("content")))
        if source == "user":
            pairing.prove(place)
    elif kind in ("finish", "reject"):
        said = args.get("final_thought"), args.get("thought"), event.get("message")
        counts.add("messages", any(has_text(one) for one in said))
        pairing.prove(place)
    elif kind not in NO_TOOLS and source == "agent":
        pairing.call(name, place)
        counts.add("thinking", kind != "think" and has_text(args.get("thought") or event.get("thought")))


def is_tool_result(event):
    return event.get("observation") not in (None, "null", "agent_state_changed", "recall")


def openhands_verdict(event):
    extras = event.get("extras") or {}
    metadata = extras.get("metadata") if isinstance(extras.get("metadata"), dict) else {}
    code = metadata.get("exit_code", event.get("exit_code"))
    bad = (event.get("success") is False or number(code) not in (0, -1) or event["observation"] == "error"
           or str(event.get("content")).startswith("ERROR:"))
    return "failed" if bad else "done"


def openhands_tokens(metrics, usages, counts):
    """The run's own totals; where there are none, the usage of each distinct model reply."""
    if isinstance(metrics, dict) and isinstance(metrics.get("accumulated_token_usage"), dict):
        total = metrics["accumulated_token_usage"]
        add_prompt_usage(counts, len(metrics.get("token_usages") or []), total.get("prompt_tokens"),
                         total.get("cache_write_tokens"), total.get("cache_read_tokens"),
                         total.get("completion_tokens"))
        return
    for one in usages.values():
        add_prompt_usage(counts, 1, one.get("prompt_tokens"), one.get("cache_creation_input_tokens"),
                         one.get("cache_read_input_tokens"), one.get("completion_tokens"))


def add_prompt_usage(counts, requests, prompt, write, read, output):
    """Prompt tokens hold what was read from the cache and what was written to it."""
    write, read = number(write), number(read)
    counts.add_tokens(requests, number(prompt) - write - read, write, read, number(output))


def openhands_sdk(events, counts):
    """V1: typed events; stats are running totals."""
    counts.add("sessions")
    pairing, totals = Pairing(), []
    for place, event in enumerate(events):
        kind = event.get("kind")
        if kind == "ActionEvent":
            pairing.call(event.get("id"), place)
            counts.add("thinking", has_text(event.get("reasoning_content")) or bool(event.get("thought")))
        elif kind == "ObservationEvent":
            pairing.result(event.get("action_id"), sdk_verdict(event.get("observation") or {}))
        elif kind == "MessageEvent":
            counts.add("prompts" if event.get("source") == "user" else "messages")
        elif event.get("key") == "stats":
            totals.append(sdk_total(event["value"]))
    pairing.settle(counts)
    if totals:
        add_prompt_usage(counts, len(set(totals)), *totals[-1])


def sdk_verdict(observation):
    bad = observation.get("is_error") is True or number(observation.get("exit_code")) not in (0, -1)
    return "failed" if bad else "done"


def sdk_total(stats):
    names = "prompt_tokens cache_write_tokens cache_read_tokens completion_tokens".split()
    uses = [one["accumulated_token_usage"] for one in stats["usage_to_metrics"].values()]
    return tuple(sum(number(one.get(name)) for one in uses) for name in names)
