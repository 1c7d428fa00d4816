#!/usr/bin/env python3
"""A recorded run of each real agent, from `annals init` to `annals session show`: run.py [AGENT…] [--hooks-only] [--keep]

For each agent that is installed ($ANNALS_CLAUDE, $ANNALS_CODEX, $ANNALS_GEMINI, $ANNALS_COPILOT, else the PATH): a scratch project with
`annals init` and `annals setup AGENT`, the agent itself against a scripted model without a network, its hooks live. When what is
recorded in the background has come to rest, what Annals says is compared, call by call, with the agent's own transcripts
(`truth.py`). Then the transcripts are imported, which must leave it so; and imported again, which must add nothing.

An agent that is not installed, or for which `annals setup` has nothing, is skipped with a word. $ANNALS is the program under test,
$ANNALS_AGENTS another folder with `model.py`. The exit status is 1 where something differs.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import agents
import plays
import recorded
import truth

PROGRAM = os.path.realpath(os.environ.get("ANNALS") or shutil.which("annals") or "annals")


class Stage:
    """A scratch home and project, recorded by Annals."""

    def __init__(self, kind, folder):
        self.folder = folder
        self.agent = kind(folder + "/home", folder + "/project")
        os.makedirs(self.agent.home)
        os.makedirs(self.agent.project)
        self.agent.prepare()
        # The agents' hooks find the program on the PATH.
        links = folder + "/bin"
        os.makedirs(links)
        os.symlink(PROGRAM, links + "/annals")
        os.environ["PATH"] = links + os.pathsep + os.environ["PATH"].removeprefix(os.environ.get("ANNALS_LINKS", "") + os.pathsep)
        os.environ["ANNALS_LINKS"] = links
        self.environment = dict(self.agent.environment(), GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t",
                                GIT_COMMITTER_EMAIL="t@t")
        subprocess.run(["git", "init", "-q"], cwd=self.agent.project, env=self.environment, check=True)
        self.annals = recorded.Annals(PROGRAM, self.agent.project, self.environment)
        self.annals.run("init")

    def setup(self):
        """Whether Annals knows hooks for this agent. The person trusts the project and its hooks."""
        words = [PROGRAM, "setup", self.agent.setup]
        done = subprocess.run(words, cwd=self.agent.project, env=self.environment, capture_output=True, check=False)
        return done.returncode == 0

    def say(self, play, session=None, **more):
        return agents.run(self.agent, self.agent.prompt(f"play:{play} do it", session), self.folder + "/out", **more)

    def newest(self):
        """The id of the session that was written to last, as its file is named."""
        files = [path for path in self.agent.transcripts() if path.endswith(".jsonl") and "subagents" not in path]
        path = max(files, key=os.path.getmtime)
        for _, record in truth.records(path):
            found = record.get("sessionId") or (record.get("payload") or {}).get("id") or (record.get("data") or {}).get("sessionId")
            if found:
                return found

    def begun(self):
        """Waits for a command that has begun to run: the model's second request would come after it."""
        def there():
            log = self.folder + "/model.jsonl"
            return os.path.exists(log) and '"play": "slow"' in open(log, encoding="utf-8").read() and (time.sleep(2.5) or True)
        return there

    def settle(self, limit=60):
        """Wait, but not for ever, until nothing is recorded in the background any more."""
        before, same, end = None, 0, time.time() + limit
        while time.time() < end and same < 3:
            time.sleep(0.5)
            now = self.annals.state()
            same, before = (same + 1, now) if now == before else (0, now)
        return same >= 3

    def compare(self):
        told = truth.read(self.agent.name, self.agent.transcripts())
        return told, recorded.compare(told, recorded.recorded(self.annals), pending(self))


def pending(stage):
    """Calls that were cut off may be recorded though the transcript lacks them: those of the play in which that happens."""
    tool, given = {"claude": ("Bash", "command"), "codex": ("Bash", "command"), "gemini": ("run_shell_command", "command"),
                   "copilot": ("bash", "command")}[stage.agent.name]
    slow = next(act for turn in plays.plays(stage.agent.name, stage.agent.project)["slow"] for act in turn if "call" in act)
    return [(None, tool, slow["input"]), (None, tool, {given: slow["input"].get("cmd") or slow["input"].get("command")})]


def calls(stage):
    """Every kind of call, a sub-agent, a command in the background."""
    stage.say("main")


def resumed(stage):
    """A session that is left and taken up again."""
    stage.say("two")
    stage.say("three", stage.newest())


def forked(stage):
    """A session that goes on in two ways."""
    stage.say("two")
    words = stage.agent.fork("play:three do it", stage.newest())
    if not words:
        return "this agent has no forks"
    agents.run(stage.agent, words, stage.folder + "/out")
    return None


def guarded(stage):
    """A call that would write inside `.context`, which Annals itself denies."""
    stage.say("denied")


def interrupted(stage):
    stage.say("slow", stop=(stage.begun(), signal.SIGINT), limit=60)


def killed(stage):
    """Killed in the middle of a call, and taken up again."""
    stage.say("slow", stop=(stage.begun(), signal.SIGKILL))
    stage.say("words", stage.newest())


def failing(stage):
    """The model's service fails; then another session."""
    stage.say("broken", limit=60)
    stage.say("words")


SCENES = (calls, resumed, forked, guarded, interrupted, killed, failing)


def scene(kind, script, options):
    """One scene with one agent: a row of the table, and the differences."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="agents-"))
    stage, lines = Stage(kind, folder), []
    live = stage.setup()
    with agents.Model((folder + "/plays.json", plays.plays(kind.name, stage.agent.project)), folder + "/model.jsonl"):
        started = time.time()
        why = script(stage)
        took = time.time() - started
    if why:
        shutil.rmtree(folder)
        return f"skipped: {why}", []
    cells = []
    if live:
        if not stage.settle():
            lines.append("live: the recording did not come to rest")
        told, differences = stage.compare()
        lines += [f"live: {difference}" for difference in differences]
        cells.append(f"live {len(differences) or 'ok'}")
    else:
        cells.append("live: annals has no setup for it")
    if not options.hooks_only:
        stage.annals.run("import", kind.kind, *[path for path in stage.agent.transcripts() if path.endswith(".jsonl")])
        stage.settle()
        told, differences = stage.compare()
        lines += [f"imported: {difference}" for difference in differences]
        cells.append(f"imported {len(differences) or 'ok'}")
        before = stage.annals.json("stats")["totals"]["entries"]
        stage.annals.run("import", kind.kind, *[path for path in stage.agent.transcripts() if path.endswith(".jsonl")])
        stage.settle()
        more = stage.annals.json("stats")["totals"]["entries"] - before
        if more:
            lines.append(f"imported again: {more} entries were added")
    told = truth.read(kind.name, stage.agent.transcripts())
    cells.append(f"{len(told.sessions)} sessions, {len(told.calls)} calls, {len(told.prompts)} prompts, {took:.0f} s")
    if not told.sessions:
        lines.append(f"the agent left no transcript: see {folder}/out")
    if options.keep or not told.sessions:
        cells.append(folder)
    else:
        shutil.rmtree(folder)
    return "; ".join(cells), lines


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("agents", nargs="*", metavar="AGENT[/SCENE]", help=", ".join(agents.AGENTS))
    options.add_argument("--hooks-only", action="store_true", help="do not import afterwards")
    options.add_argument("--keep", action="store_true", help="leave the scratch folders")
    options.add_argument("--json", help="write the result to this file")
    options = options.parse_args()
    agents.into_namespace()
    table, bad = [], 0
    chosen = options.agents or list(agents.AGENTS)
    for name, kind in agents.AGENTS.items():
        scenes = [script for script in SCENES if name in chosen or f"{name}/{script.__name__}" in chosen]
        if scenes and not kind.program():
            table.append((name, "skipped: it is not installed", []))
            continue
        for script in scenes:
            print(f"{name}/{script.__name__} …", flush=True)
            cells, lines = scene(kind, script, options)
            for line in lines:
                print(f"    {line}")
            bad += len(lines)
            table.append((f"{name}/{script.__name__}", cells, lines))
    print()
    for name, cells, _ in table:
        print(f"{name:24}{cells}")
    print(f"\n{bad} differences" if bad else "\nno difference")
    if options.json:
        agents.write(options.json, [{"run": name, "result": cells, "differences": lines} for name, cells, lines in table])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
