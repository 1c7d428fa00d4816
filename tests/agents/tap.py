#!/usr/bin/env python3
"""A hook that keeps what it is given, for captures: tap.py FOLDER EVENT. Answers what `$TAP_ANSWER` says (`{}`), if the event is `$TAP_WHEN`.

hooks.jsonl gets the payload as it came (with `_event` where it does not name its event), order.jsonl how far the transcript
was at that moment: that says what an import started by this hook could read.
"""
import fcntl
import glob
import json
import os
import sys
import time


def kind(line):
    try:
        record = json.loads(line)
    except ValueError:
        return "?"
    payload = record.get("payload") if isinstance(record.get("payload"), dict) else {}
    item = payload.get("item") if isinstance(payload.get("item"), dict) else {}
    names = (record.get("type") or next(iter(record), "?"), payload.get("type"), item.get("type"))
    return "/".join(str(name) for name in names if name)


def main():
    folder, event = sys.argv[1:3]
    payload = json.loads(sys.stdin.buffer.read())
    if "hook_event_name" not in payload:
        payload["_event"] = event
    call = payload.get("tool_use_id")
    path = payload.get("agent_transcript_path") or payload.get("transcript_path") or payload.get("transcriptPath")
    session = payload.get("sessionId")
    if not path and session:
        path = next(iter(glob.glob(os.path.expanduser(f"~/.copilot/session-state/{session}/events.jsonl"))), None)
    moment = {"at": round(time.time(), 3), "event": event, "tool": payload.get("tool_name") or payload.get("toolName"), "call": call}
    if path and os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
        lines = data.splitlines()
        moment.update(bytes=len(data), lines=len(lines), last=[kind(line) for line in lines[-4:]])
        if call:
            moment["call_named"] = data.count(call.encode())
    with open(folder + "/lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name, value in (("hooks", payload), ("order", moment)):
            with open(f"{folder}/{name}.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(value, ensure_ascii=False) + "\n")
    answer = os.environ.get("TAP_ANSWER")
    if answer is not None and os.environ.get("TAP_WHEN", event) == event:
        print(answer, end="")
    else:
        print("{}")


if __name__ == "__main__":
    main()
