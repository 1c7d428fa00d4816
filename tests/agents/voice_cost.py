#!/usr/bin/env python3
"""What the voice adds to a hook: voice_cost.py [--entries N] [--rounds N] [--limit MS]

A scratch project gets N entries (300 000), canon, beliefs and knowledge. Then the hooks of Claude Code at which something is told are
sent, in turn with the voice on and off, each round in a session of its own, and the CPU time (user and system) of each process is
taken. Printed is the median with and without, and the median of what the voice adds within a round. The exit status is 1 where
that is over the limit.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import cost
import run
import agents


def used():
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime


def call(session, event, number):
    return {"session_id": session, "hook_event_name": event, "tool_name": "Bash", "tool_use_id": f"{session}-{number}",
            "tool_input": {"command": "cargo test login"}, "error": "Exit code 101\nerror[E0425]: cannot find value `user`\n --> src/login.rs:3:5"}


def payloads(session):
    """The hooks of a session, with what has to come before each."""
    yield "SessionStart", [{"session_id": session, "hook_event_name": "SessionStart", "source": "startup"}]
    yield "UserPromptSubmit", [{"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": "fix the flaky login test"}]
    done = dict(call(session, "PostToolUse", 0), tool_response={"stdout": "x", "stderr": ""})
    yield "PostToolUse", [call(session, "PreToolUse", 0), done]
    yield "PostToolUseFailure, first", [call(session, "PreToolUse", 1), call(session, "PostToolUseFailure", 1)]
    yield "PostToolUseFailure, second", [call(session, "PreToolUse", 2), call(session, "PostToolUseFailure", 2)]
    yield "Stop", [{"session_id": session, "hook_event_name": "Stop", "last_assistant_message": "All tests pass now."}]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--entries", type=int, default=300_000)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--limit", type=float, default=3.0, help="milliseconds of CPU that the voice may add")
    options = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="voice-cost-", ignore_cleanup_errors=True) as folder:
        stage = run.Stage(agents.AGENTS["claude"], os.path.realpath(folder))
        stage.setup()
        cost.fill(stage, options.entries)
        for number in range(20):
            stage.annals.run("canon", "state", f"part-{number}", f"Part {number} holds {number} screws", "--title", f"Part {number}")
            stage.annals.run("knowledge", "add", "fact", f"The login test number {number} is flaky because of the cookie")
            stage.annals.run("hivemind", "add", "decision", f"choice-{number}", f"We chose number {number}")
        stage.annals.run("session", "list")
        words = [run.PROGRAM, "hook", "claude-code"]
        taken = {}
        for number in range(options.rounds):
            for state in ("true", "false"):
                stage.annals.run("config", "set", "voice.enabled", state)
                for name, sent in payloads(f"s{number}-{state}"):
                    for payload in sent:
                        begun = used()
                        subprocess.run(words, cwd=stage.agent.project, env=stage.environment, input=json.dumps(payload).encode(),
                                       capture_output=True, check=False)
                        spent = (used() - begun) * 1000
                    taken.setdefault(name, {}).setdefault(state, []).append(spent)
        worst = 0.0
        for name, both in taken.items():
            more = statistics.median(on - off for on, off in zip(both["true"], both["false"]))
            worst = max(worst, more)
            print(f"{name}: {statistics.median(both['true']):.1f} ms, {statistics.median(both['false']):.1f} ms without: {more:+.1f} ms")
        print(f"the voice adds {worst:.1f} ms of CPU at most, {options.entries} entries, {options.rounds} rounds")
        sys.exit(1 if worst > options.limit else 0)


if __name__ == "__main__":
    main()
