#!/usr/bin/env python3
"""What each hook costs: cost.py [--entries N] [--rounds N] [--limit MS] [--payloads FOLDER]

A scratch project gets a log of N entries (300 000), written by `annals record`, and is read once by `annals setup`. Then every event
of every agent is sent, round by round, to the command that `annals setup` installs for it, and the CPU time (user and system, of
the process and what it waits for) and the wall time are taken. What a hook leaves running in the background is not in its CPU;
it is in the last column, as what all of it used until it came to rest. The payloads are those of `capture.py` where a FOLDER is
given, else small ones. The exit status is 1 if the median of any event is over the limit.
"""
import argparse
import collections
import glob
import json
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

import orders

KEYS = {"claude": ("hook_event_name", "session_id"), "codex": ("hook_event_name", "session_id"),
        "gemini": ("hook_event_name", "session_id"), "copilot": ("_event", "sessionId")}


def fill(stage, entries):
    """A log of that many entries, in sessions of 200."""
    lines = []
    for number in range(entries):
        lines.append(json.dumps({"session_id": f"fill-{number // 200}", "operation": {
            "type": "tool_call", "name": "Bash", "input": {"command": f"echo {number}"}, "output": {"stdout": f"{number}\n" * 5},
            "success": number % 9 > 0, "duration_ms": number % 700}, "provenance": {"agent_id": "claude-code"}}))
        if len(lines) == 20_000 or number == entries - 1:
            stage.annals.run("record", given=("\n".join(lines) + "\n").encode())
            lines = []


def payloads(agent, folder, stage):
    """One payload of each event, of a real run or made up; calls get new ids each time they are sent."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/{agent}/*/hooks.jsonl")) if folder else ():
        with open(path, encoding="utf-8") as file:
            for line in file:
                payload = json.loads(stage.here(line))
                name = payload.get("hook_event_name") or payload.get("_event")
                found.setdefault(name, payload)
    return found


def plain(agent, event, stage):
    """A small payload, in the shape that the agent's events share."""
    call = {"command": "echo x", "description": "x"}
    if agent == "copilot" and event[0].islower():
        return {"_event": event, "cwd": stage.project, "timestamp": int(time.time() * 1000), "toolName": "bash", "toolArgs": call,
                "toolResult": {"resultType": "success", "textResultForLlm": "x"}, "prompt": "hello", "reason": "complete", "error": "x"}
    return {"hook_event_name": event, "cwd": stage.project, "transcript_path": "/nonexistent", "tool_name": "Bash", "tool_input": call,
            "tool_use_id": "x", "tool_response": {"stdout": "x"}, "prompt": "hello", "reason": "other", "source": "startup", "error": "x",
            "last_assistant_message": "done", "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}


def direct(command):
    """The program itself, without the shell that some agents put before it: its cost is not ours."""
    match = re.search(r"annals['\"]? hook ([^|;&]*)", command)
    return [orders.PROGRAM, "hook", *shlex.split(match.group(1))] if match else ["sh", "-c", command]


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def send(stage, command, payload):
    """CPU and wall time of one hook, in milliseconds."""
    data, before, begin = json.dumps(payload).encode(), children(), time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=stage.project, env=stage.environment)
    try:
        out, _ = process.communicate(data)
    except BrokenPipeError:
        out = b""
    return children() - before, (time.perf_counter() - begin) * 1000, process.returncode, out


def busy():
    """CPU time of all processes of this machine's person by name `annals`, in milliseconds: what goes on in the background."""
    total = 0
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        if "(annals)" in text:
            fields = text.rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
    return total


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--entries", type=int, default=300_000)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--limit", type=float, default=6.0, help="of CPU, in milliseconds")
    options.add_argument("--payloads", help="captures")
    options = options.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cost-"))
    worst = 0
    print(f"{'agent':9}{'event':24}{'CPU ms':>8}{'worst':>8}{'wall ms':>9}{'worst':>8}  answers")
    nothing = orders.Run("claude", folder)
    base = orders.Stage(nothing, folder).fresh()
    begin = time.time()
    fill(base, options.entries)
    filled = time.time() - begin
    floor = [send(base, ["true"], {})[:2] for _ in range(options.rounds)]
    print(f"{'':9}{'(nothing at all)':24}{statistics.median(c for c, _ in floor):8.1f}{max(c for c, _ in floor):8.1f}"
          f"{statistics.median(w for _, w in floor):9.1f}{max(w for _, w in floor):8.1f}")
    for agent in orders.KINDS:
        base.run.agent = agent
        commands = base.installed()
        if commands is None:
            print(f"{agent:9}annals has no setup for it")
            continue
        captured = payloads(agent, options.payloads, base)
        taken, answers = collections.defaultdict(list), collections.defaultdict(collections.Counter)
        event_key, session_key = KEYS[agent]
        for _ in range(options.rounds):
            session = str(uuid.uuid4())
            for event, command in sorted(commands.items(), key=lambda item: order_of(item[0])):
                payload = dict(captured.get(event) or plain(agent, event, base))
                payload[session_key if event_key in payload or session_key in payload else "session_id"] = session
                if "tool_use_id" in payload:
                    payload["tool_use_id"] = f"call_{session[:13]}"
                payload.pop("_event", None)
                cpu, wall, code, out = send(base, direct(command), payload)
                taken[event].append((cpu, wall))
                answers[event][f"{code}:{out.decode('utf-8', 'replace').strip()[:30]}"] += 1
        for event, times in taken.items():
            cpu, wall = [c for c, _ in times], [w for _, w in times]
            middle = statistics.median(cpu)
            worst = max(worst, middle)
            print(f"{agent:9}{event:24}{middle:8.1f}{max(cpu):8.1f}{statistics.median(wall):9.1f}{max(wall):8.1f}  {dict(answers[event])}")
        begin, background = time.time(), busy()
        base.settle()
        if background:
            print(f"{agent:9}{'(still in the background)':24}{background:8.1f} for {time.time() - begin:.1f} s")
    print(f"{options.entries} entries, written in {filled:.0f} s; the worst median is {worst:.1f} ms of CPU, the limit {options.limit:.1f}")
    sys.exit(1 if worst > options.limit else 0)


def order_of(event):
    """The order in which an agent sends its events."""
    name = event.lower()
    for place, part in enumerate(("sessionstart", "submit", "beforeagent", "pretool", "beforetool", "posttooluse", "aftertool", "batch",
                                  "denied", "subagentstart", "subagentstop", "compact", "stop", "afteragent", "interrupt", "sessionend")):
        if part in name:
            return place
    return 50


if __name__ == "__main__":
    main()
