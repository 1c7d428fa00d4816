#!/usr/bin/env python3
"""Captured sessions, recorded in five orders: orders.py FOLDER… [--only ORDER] [--keep]

FOLDER holds runs as `capture.py` makes them, `<agent>/<run>/hooks.jsonl`, `order.jsonl`, `transcript/`; or fixtures, in
`<agent>-<version>/<run>/` and `hooks/`. Each run is played to fresh projects: hooks only; import only; hooks, then import; import
during the hooks, and again; hooks in one clone and import in another, merged by git. What Annals then says is compared with
what the transcripts say (`truth.py`). `$ANNALS` is the program. The exit status is 1 where anything differs that could be known.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import recorded
import truth

PROGRAM = os.path.realpath(os.environ.get("ANNALS") or shutil.which("annals") or "annals")
KINDS = {"claude": "claude-code", "codex": "codex", "gemini": "gemini-cli", "copilot": "copilot-cli"}
SETUP = {"claude": "claude-code", "codex": "codex", "gemini": "gemini", "copilot": "copilot"}
HOMES = {"claude": ".claude/projects/-project", "codex": ".codex/sessions/2026/01/01", "gemini": ".gemini/tmp/project/chats",
         "copilot": ".copilot/session-state"}
ORDERS = ("hooks only", "import only", "hooks, import", "import within", "two branches")
# Captured from hooks of other places than `annals setup` puts them.
ELSEWHERE = ("copilot/calls-claude-settings", "copilot/calls-pascal")
# Copilot's names of events, where the hooks are installed under the names that it shares with others.
OTHER = {"userPromptSubmitted": "UserPromptSubmit", "agentStop": "Stop"}


class Run:
    def __init__(self, agent, folder, root=None):
        self.agent, self.folder, self.name = agent, folder, f"{agent}/{os.path.basename(folder)}"
        self.payloads = self.lines("hooks.jsonl")
        self.order = self.lines("order.jsonl")
        self.root = root = root or folder + "/transcript"
        self.transcripts = sorted(os.path.relpath(path, root) for path in glob.glob(root + "/**/*", recursive=True) if os.path.isfile(path))

    def lines(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def told(self):
        return truth.read(self.agent, [f"{self.root}/{name}" for name in self.transcripts])

    def begun(self):
        """The calls that hooks saw begin: (id or None, tool, input)."""
        names = ("PreToolUse", "BeforeTool", "preToolUse")
        return [(p.get("tool_use_id"), p.get("tool_name") or p.get("toolName"), p.get("tool_input") or p.get("toolArgs"))
                for p in self.payloads if (p.get("hook_event_name") or p.get("_event")) in names]


class Stage:
    """A scratch home and a project with hooks, in which a run is played at today's time."""

    def __init__(self, run, folder):
        self.run, self.home, self.project = run, folder + "/home", folder + "/project"
        os.makedirs(self.home, exist_ok=True)
        self.environment = dict(HOME=self.home, PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"], GIT_CONFIG_NOSYSTEM="1",
                                GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t")
        self.annals = recorded.Annals(PROGRAM, self.project, self.environment)
        self.shift = self.delay()

    def fresh(self):
        os.makedirs(self.project)
        self.git("init", "-q")
        self.annals.run("init")
        return self

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.project, env=self.environment, check=True, capture_output=True)

    def installed(self):
        """What `annals setup` would have the agent run: event -> command line. None where there is no such setup."""
        before = set(glob.glob(self.project + "/.*/**/*.json", recursive=True))
        done = subprocess.run([PROGRAM, "setup", SETUP[self.run.agent]], cwd=self.project, env=self.environment, capture_output=True, check=False)
        if done.returncode:
            return None
        commands = {}
        for path in set(glob.glob(self.project + "/.*/**/*.json", recursive=True)) - before:
            with open(path, encoding="utf-8") as file:
                hooks = json.load(file).get("hooks") or {}
            for event, groups in hooks.items():
                for group in groups:
                    for hook in group.get("hooks") or [group]:
                        commands[event] = hook.get("bash") or hook.get("command") or ""
        return commands or None

    def delay(self):
        """How much later than the run this is, in seconds."""
        first = next((moment["at"] for moment in self.run.order if "at" in moment), None)
        return time.time() - first if first else 0

    def here(self, text):
        """A captured line with this stage's folders and times."""
        text = text.replace("/home/dev/project", self.project).replace("/home/dev", self.home)
        if not self.shift:
            return text

        def iso(match):
            moment = time.strptime(match.group(1), "%Y-%m-%dT%H:%M:%S")
            import calendar
            later = calendar.timegm(moment) + float("0." + match.group(2)) + self.shift
            return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(later)) + f".{int(later % 1 * 1000):03d}Z"
        text = re.sub(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d+)Z", iso, text)
        return re.sub(r'("timestamp": ?)(1[789]\d{11})\b', lambda m: m.group(1) + str(int(int(m.group(2)) + self.shift * 1000)), text)

    def path(self, name):
        return os.path.join(self.home, HOMES[self.run.agent], name)

    def write(self, name, limit=None):
        """A transcript as it is after `limit` lines."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(f"{self.run.root}/{name}", encoding="utf-8") as file:
            lines = file.readlines()
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.writelines(self.here(line) for line in lines[:limit])

    def everything(self):
        for name in self.run.transcripts:
            self.write(name)

    def bring(self):
        folder = os.path.join(self.home, HOMES[self.run.agent])
        if glob.glob(folder + "/**/*.json*", recursive=True):
            self.annals.run("import", KINDS[self.run.agent], folder)
        self.settle()

    def half(self):
        """An import in the middle, where nobody wrote down how far the transcripts were."""
        for name in self.run.transcripts:
            with open(f"{self.run.root}/{name}", encoding="utf-8") as file:
                self.write(name, len(file.readlines()) // 2)
        self.bring()

    def settle(self, limit=30):
        """Wait until nothing is recorded in the background any more."""
        end, before = time.time() + limit, None
        while time.time() < end and before != (before := self.annals.state()):
            time.sleep(0.7)

    def hooks(self, commands, growing=False, middle=None):
        """The run's payloads, one after another; with `growing` the transcripts grow as they did then."""
        passed = set()
        for number, payload in enumerate(self.run.payloads):
            event = payload.pop("_event", None) or payload.get("hook_event_name")
            alias = OTHER.get(event, event[0].upper() + event[1:])
            command = commands.get(event)
            text = json.dumps(payload)
            if "hook_event_name" not in payload:
                payload["_event"] = event
            if command is None:
                passed.add(alias if alias in commands else event)
                continue
            if growing:
                self.grow(number)
            done = subprocess.run(["sh", "-c", command], input=self.here(text).encode(), cwd=self.project, env=self.environment,
                                  capture_output=True, check=False)
            if done.returncode:
                print(f"    {event}: the hook ended with {done.returncode}: {done.stderr.decode()[:200]}")
            if middle and number == len(self.run.payloads) // 2:
                middle()
        self.settle()
        return passed

    def grow(self, number):
        """Each transcript as it was at this hook. What no hook names, of a sub-agent, is there when its file's parent ends it."""
        payload, moment = self.run.payloads[number], self.run.order[number] if number < len(self.run.order) else {}
        named = payload.get("agent_transcript_path") or payload.get("transcript_path") or payload.get("transcriptPath") or ""
        session = payload.get("sessionId") or payload.get("session_id") or "?"
        for name in self.run.transcripts:
            own = os.path.basename(named) and (name.endswith(os.path.basename(named)) if "events.jsonl" not in named else named.endswith(name))
            if (own or (not named and session in name)) and "lines" in moment:
                self.write(name, moment["lines"])
            elif "agent-" in name and payload.get("hook_event_name") == "SubagentStop":
                self.write(name)


def fixtures(folder):
    """Runs of a folder in which transcripts lie in `<agent>-<version>/<run>/`, and payloads of any of their sessions in `hooks/`."""
    payloads = []
    for path in sorted(glob.glob(folder + "/hooks/*.jsonl")):
        with open(path, encoding="utf-8") as file:
            payloads += [json.loads(line) for line in file]
    for agent in KINDS:
        for path in sorted(glob.glob(f"{folder}/{agent}-*") + glob.glob(f"{folder}/{agent}-*/*")):
            if os.path.isdir(path) and any(name.endswith(".jsonl") for name in os.listdir(path)):
                run = Run(agent, path, path)
                run.payloads = [payload for payload in payloads if any(payload["session_id"] in name for name in run.transcripts)]
                yield run


def play(run, order, folder):
    """One run in one order; the stage afterwards, or a word why not."""
    stage = Stage(run, folder).fresh()
    commands = stage.installed() if order != "import only" else {}
    if commands is None:
        return None, "no setup"
    if order != "import only" and (not run.payloads or run.name in ELSEWHERE):
        return None, "no payloads"
    if order == "hooks only":
        stage.hooks(commands)
    elif order == "import only":
        stage.everything()
        stage.bring()
    elif order == "hooks, import":
        stage.hooks(commands)
        stage.everything()
        stage.bring()
    elif order == "import within":
        stage.hooks(commands, growing=True, middle=stage.bring if run.order else stage.half)
        stage.everything()
        stage.bring()
    else:
        stage.git("add", "-A", ".")
        stage.git("commit", "-qm", "begun")
        other = Stage(run, folder + "/other")
        subprocess.run(["git", "clone", "-q", stage.project, other.project], check=True, env=stage.environment)
        stage.hooks(commands)
        other.everything()
        other.bring()
        for each in (stage, other):
            each.git("add", "-A", ".")
            each.git("commit", "-qm", "recorded", "--allow-empty")
        stage.git("pull", "-q", "--no-rebase", "--no-edit", other.project, "HEAD")
    return stage, None


def unknowable(run, difference, told):
    """What hooks alone cannot know: why, or None."""
    if difference.startswith("tokens"):
        return "tokens"
    if run.agent == "gemini" and (" of session " in difference or difference.startswith("session ")):
        return "which calls are a sub-agent's"
    if run.agent == "gemini" and difference.startswith("compactions"):
        return "when the context was compressed"
    if run.agent == "copilot" and difference.startswith("compactions"):
        return "whether a compaction came about (its only hook runs before it)"
    raw = json.dumps(run.payloads, ensure_ascii=False)
    text = re.match(r"(message|prompt) '(.{1,30})", difference)
    if text and text.group(2)[:20].rstrip("'") not in raw:
        return f"{text.group(1)}s that no hook was told"
    if run.agent == "gemini" and difference.startswith("message"):
        return "where one message ends and the next begins (a turn's texts come joined)"
    call = re.match(r"call (\S+)", difference)
    if call:
        name = next((name for name in told.calls if name.endswith(call.group(1))), None)
        one = told.calls.get(name) or {}
        known = [b for b in run.begun() if b[0] == name or (b[0] is None and recorded.shape(b[2]) == recorded.shape(one.get("input")))]
        if not known:
            return "calls for which no hook ran"
        if "no, recorded as open" in difference:
            return "whether a person stopped a call that never ended"
        ended = any(payload.get("tool_use_id") == name and "Post" in str(payload.get("hook_event_name")) for payload in run.payloads)
        if run.agent == "codex" and ("exit code" in difference or "failed, recorded as ok" in difference):
            return "how a call ended (Codex tells no hook)"
        if run.agent == "codex" and not ended:
            return "the end of calls for which no second hook ran"
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+")
    options.add_argument("--only", help="one order, or run (agent/run)", action="append", default=[])
    options.add_argument("--keep", action="store_true")
    options = options.parse_args()
    runs = [Run(agent, path) for folder in options.folders for agent in KINDS for path in sorted(glob.glob(f"{folder}/{agent}/*"))
            if os.path.isdir(path + "/transcript")]
    runs += [run for folder in options.folders for run in fixtures(folder)]
    table, bad, named = [], 0, {}
    for run in runs:
        if any("/" in one for one in options.only) and run.name not in options.only:
            continue
        told, row, names = run.told(), [], {}
        for order in ORDERS:
            if any("/" not in one for one in options.only) and order not in options.only:
                continue
            folder = os.path.realpath(tempfile.mkdtemp(prefix="orders-"))
            stage, why = play(run, order, folder)
            if stage is None:
                row.append(why)
                continue
            said = recorded.recorded(stage.annals)
            begun = run.begun() if order != "import only" else ()
            differences = recorded.compare(told, said, begun)
            for name, mine in recorded.join(told, said)[0].items():
                names.setdefault(name, {}).setdefault(mine["tool"], order)
            if order == "hooks only":
                reasons = [unknowable(run, difference, told) for difference in differences]
                for reason in filter(None, reasons):
                    named.setdefault(run.agent, set()).add(reason)
                differences = [difference for difference, reason in zip(differences, reasons) if not reason]
            for difference in differences:
                print(f"{run.name}, {order}: {difference}")
            bad += len(differences)
            row.append(str(len(differences)) if differences else "ok")
            if options.keep:
                print(f"    {folder}")
            else:
                shutil.rmtree(folder)
        for name, tools in names.items():
            if len(tools) > 1:
                bad += 1
                print(f"{run.name}: call {name[-22:]} has several names: {tools}")
        table.append((run.name, row))
        sys.stdout.flush()
    print()
    chosen = [order for order in ORDERS if not any("/" not in one for one in options.only) or order in options.only]
    print(f"{'run':32}" + "".join(f"{order:>16}" for order in chosen))
    for name, row in table:
        print(f"{name:32}" + "".join(f"{cell:>16}" for cell in row))
    for agent, reasons in sorted(named.items()):
        print(f"hooks alone do not know of {agent}: {'; '.join(sorted(reasons))}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
