#!/usr/bin/env python3
"""Make captures of the real agents: capture.py OUT [AGENT[/RUN]…]

Each run has a scratch home and project of its own; kept are OUT/<agent>/<run>/hooks.jsonl (payloads of all hooks),
order.jsonl (how far the transcript was then) and transcript/ (what the agent wrote). Paths are made neutral, long texts cut.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import agents
import plays

LONG = 6000


def cut(value):
    if isinstance(value, str):
        return value if len(value) <= LONG else f"{value[:200]}…[cut {len(value) - 200}]"
    if isinstance(value, list):
        return [cut(item) for item in value]
    if isinstance(value, dict):
        return {key: cut(item) for key, item in value.items()}
    return value


def keep(source, target, agent):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    flat = [(re.sub(r"[^A-Za-z0-9]", "-", path), re.sub(r"[^A-Za-z0-9]", "-", to)) for path, to in
            ((agent.home, "/home/dev"), (agent.project, "/home/dev/project"))]
    with open(source, encoding="utf-8", errors="replace") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            line = line.rstrip("\n").replace(agent.project, "/home/dev/project").replace(agent.home, "/home/dev")
            line = line.replace(agents.HERE, "/opt/tap").replace(sys.executable, "python3").replace(os.path.dirname(agent.home), "/opt/run")
            for path, to in flat:
                line = line.replace(path, to)
            try:
                line = json.dumps(cut(json.loads(line)), ensure_ascii=False, separators=(",", ":"))
            except ValueError:
                pass
            out.write(line + "\n")


class Stage:
    """A run: a scratch home and project, hooks that keep everything, and what the script of the run does."""

    def __init__(self, kind, folder):
        self.folder = folder
        self.tap = folder + "/tap"
        self.agent = kind(folder + "/home", folder + "/project")
        for path in (self.tap, self.agent.home, self.agent.project):
            os.makedirs(path, exist_ok=True)
        subprocess.run(["git", "init", "-q", self.agent.project], check=True)
        self.agent.prepare()
        self.answer = ""
        self.wire()

    def wire(self, answer=None, when=None):
        words = f"{sys.executable} {agents.HERE}/tap.py {self.tap}"
        if answer is not None:
            words = f"TAP_WHEN={when} TAP_ANSWER='{answer}' {words}"
        self.agent.hooks(words)

    def session(self):
        """The newest session's id, as the hooks told it."""
        with open(self.tap + "/hooks.jsonl", encoding="utf-8") as file:
            for line in reversed(file.readlines()):
                payload = json.loads(line)
                if not payload.get("agentId") and not payload.get("agent_id"):
                    return payload.get("session_id") or payload.get("sessionId")

    def has(self, text):
        path = self.tap + "/hooks.jsonl"
        return os.path.exists(path) and text in open(path, encoding="utf-8").read()

    def say(self, play, session=None, **more):
        return agents.run(self.agent, self.agent.prompt(f"play:{play} do it", session), self.folder + "/out", **more)

    def begun(self):
        return lambda: self.has("echo begun") and (time.sleep(1.5) or True)

    def open(self):
        return agents.Terminal(self.agent, self.agent.interactive(), self.folder + "/screen")


def calls(stage):
    stage.say("main")


def resume(stage):
    stage.say("two")
    stage.say("three", stage.session())


def fork(stage):
    stage.say("two")
    words = stage.agent.fork("play:three do it", stage.session())
    if words:
        agents.run(stage.agent, words, stage.folder + "/out")


def killed(stage):
    stage.say("slow", stop=(stage.begun(), signal.SIGKILL))


def interrupted(stage):
    stage.say("slow", stop=(stage.begun(), signal.SIGINT), limit=40)


def error(stage):
    stage.say("broken", limit=60)


def denied(stage):
    """The hook says no, in each agent's own words."""
    no = {"claude": '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not there"}}',
          "gemini": '{"decision":"deny","reason":"not there"}',
          "copilot": '{"permissionDecision":"deny","permissionDecisionReason":"not there"}'}
    no["codex"] = no["claude"]
    when = {"gemini": "BeforeTool", "copilot": "preToolUse"}.get(stage.agent.name, "PreToolUse")
    stage.wire(no[stage.agent.name], when)
    stage.say("denied")


def silent(stage):
    """Hooks that say nothing at all: is empty stdout accepted?"""
    stage.agent.hooks(f"{sys.executable} {agents.HERE}/tap.py {stage.tap} >/dev/null")
    stage.say("two")


def heavy(stage):
    stage.say("heavy")
    stage.say("two", stage.session())


RUNS = {name: value for name, value in globals().items()
        if callable(value) and getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("stage",)}


def capture(kind, name, script, out):
    folder = os.path.realpath(tempfile.mkdtemp(prefix="capture-"))
    stage = Stage(kind, folder)
    with agents.Model((folder + "/plays.json", plays.plays(kind.name, stage.agent.project)), folder + "/model.jsonl"):
        started = time.time()
        script(stage)
        time.sleep(1.5)
    target = f"{out}/{kind.name}/{name}"
    shutil.rmtree(target, ignore_errors=True)
    for file in ("hooks.jsonl", "order.jsonl"):
        if os.path.exists(f"{stage.tap}/{file}"):
            keep(f"{stage.tap}/{file}", f"{target}/{file}", stage.agent)
    for path in stage.agent.transcripts():
        if os.path.isfile(path):
            mark = {"claude": "/projects/", "codex": "/sessions/", "gemini": "/chats/", "copilot": "/session-state/"}[kind.name]
            inner = path.split(mark, 1)[1]
            inner = inner.split("/", 1)[1] if kind.name == "claude" else inner
            inner = os.path.basename(inner) if kind.name == "codex" else inner
            keep(path, f"{target}/transcript/{inner}", stage.agent)
    seen = len(open(f"{target}/hooks.jsonl", encoding="utf-8").readlines()) if os.path.exists(f"{target}/hooks.jsonl") else 0
    print(f"{kind.name}/{name}: {seen} payloads, {len(glob.glob(target + '/transcript/**/*.jsonl', recursive=True))} transcripts, "
          f"{time.time() - started:.0f} s  ({folder})", flush=True)


def main():
    agents.into_namespace()
    import screens
    runs = dict(RUNS, **screens.RUNS)
    out, chosen = sys.argv[1], sys.argv[2:] or list(agents.AGENTS)
    for choice in chosen:
        name, _, run = choice.partition("/")
        kind = agents.AGENTS[name]
        if not kind.program():
            print(f"{name}: skipped, not installed ({kind.variable} or PATH)")
            continue
        for one, script in runs.items():
            if (not run and not getattr(script, "only", None)) or run == one or (not run and name in getattr(script, "only", ())):
                if one == "heavy" and name != "gemini" and not run or one == "fork" and name in ("gemini", "copilot"):
                    continue
                capture(kind, one, script, out)


if __name__ == "__main__":
    main()
