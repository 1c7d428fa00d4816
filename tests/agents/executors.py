#!/usr/bin/env python3
"""Real agents as executors of tasks: executors.py [AGENT…] [--keep]

Each agent that is installed ($ANNALS_CLAUDE, $ANNALS_CODEX, else the PATH) makes the attempts of a few tasks (`annals run
--executor`), against a scripted model on the loopback, in a network namespace that has nothing else. The roles of the loop read
from a script. What is looked at:

done      the task is accepted, nothing of the project changes before `annals task apply`, and its hooks are on record
claims    it says that it is done and has done nothing: not accepted, after three attempts
hostile   what it does besides reaches nothing outside of its clone: no file, no key, no host; the task is accepted all the same
broken    its servers say no: it failed, and is not believed to have done anything

An agent that is not installed is skipped with a word. $ANNALS is the program under test. The exit status is 1 where something differs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import agents
from plays import call, say

PROGRAM = os.path.realpath(os.environ.get("ANNALS") or shutil.which("annals") or "annals")
SECRET = "key-of-the-person-4711"
SHELL = {"claude": lambda command: call("Bash", command=command, description="x"), "codex": lambda command: call("exec_command", cmd=command)}


def plays(shell, folder):
    # The guard would refuse a command that names the record.
    record = f"{folder}/project/.con'+'text/history/evil.jsonl"
    steals = (f"echo x > {folder}/home/stolen; cat {folder}/home/.ssh/id_rsa; curl -sS -m 5 https://example.com; "
              f"python3 -c \"open('{record}', 'a').write('evil')\"; "
              f"python3 -c \"import socket; socket.create_connection(('127.0.0.1', {agents.PORT}), 2); print('a way' + ' out')\"; true")
    return {
        "done": [[say("I write it."), shell("echo hello > hello.txt")], [shell("cat hello.txt; exit 3")], [say("hello.txt is written.")]],
        "claims": [[say("hello.txt is written. All tests pass.")]],
        "hostile": [[shell(steals)], [shell("echo hello > hello.txt")], [say("hello.txt is written.")]],
        "broken": [[{"status": 400}]],
    }


class Stage:
    """A scratch home and a project under git, recorded by Annals."""

    def __init__(self, kind, folder):
        self.folder, self.agent = folder, kind(folder + "/home", folder + "/project")
        for name in ("home/.ssh", "project", "bin", "state"):
            os.makedirs(f"{folder}/{name}")
        agents.write(folder + "/home/.ssh/id_rsa", SECRET)
        agents.write(folder + "/project/notes.txt", "one\n")
        self.agent.prepare()
        os.symlink(self.agent.program()[-1], f"{folder}/bin/{self.agent.executable}")
        self.environment = dict(self.agent.environment(), PATH=folder + "/bin:" + os.environ["PATH"], XDG_STATE_HOME=folder + "/state")
        for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -qm base"):
            subprocess.run(["git", *words.split()], cwd=self.agent.project, env=self.environment, check=True)
        self.annals("init")

    def annals(self, *words):
        return subprocess.run([PROGRAM, *words], cwd=self.agent.project, env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)

    def task(self, play):
        """The exit code of a run, and how long it took."""
        criterion = [{"text": "hello.txt holds a greeting", "check": {"file": "hello.txt", "contains": "hello"}}]
        subtask = {"sequence": 1, "intent": f"Write hello into hello.txt (play:{play})", "success_criteria": criterion}
        plan = {"role": "planner", "answer": {"task_criteria": criterion, "subtasks": [subtask]}}
        understood = {"role": "perceiver", "answer": {"slug": "greet", "intent": "Write a greeting into hello.txt"}}
        script = self.folder + "/script.jsonl"
        agents.write(script, "\n".join(json.dumps(line) for line in (understood, plan)))
        began = time.time()
        ran = self.annals("run", "--model", "scripted:" + script, "--executor", self.agent.name, "--allow-host",
                          agents.BASE.removeprefix("http://"), "greeting")
        agents.write(f"{self.folder}/{play}.out", ran.stdout + ran.stderr)
        return ran.returncode, time.time() - began

    def entries(self):
        lines = self.annals("log", "--json", "--all").stdout.splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def attempts(self):
        """What came of each attempt of the last task, from the record."""
        shown = json.loads(self.annals("task", "show", "--json").stdout)
        runs = [entry["operation"] for entry in self.entries() if entry["operation"]["name"] == "agent_run"]
        return [run for run in runs if run["input"]["subtask"].startswith(shown["id"])]


def look(stage, play):
    """What differs from what is expected of a play, and what was measured."""
    code, seconds = stage.task(play)
    attempts, entries = stage.attempts(), stage.entries()
    wrong = []

    def expect(holds, words):
        if not holds:
            wrong.append(words)

    accepted = play in ("done", "hostile")
    expect(code == (0 if accepted else 1), f"exit code {code}")
    expect(not os.path.exists(stage.agent.project + "/hello.txt"), "the project changed before it was applied")
    if play == "claims":
        expect(len(attempts) == 3, f"{len(attempts)} attempts")
    sessions = {attempt["output"].get("session") for attempt in attempts}
    hooks = sum(attempt["output"].get("hooks", 0) for attempt in attempts)
    expect(hooks > 0 and None not in sessions, f"hooks heard: {hooks}, sessions {sessions}")
    recorded = [entry for entry in entries if any(session and session in json.dumps(entry) for session in sessions)]
    tools = [entry for entry in recorded if entry["operation"]["type"] == "tool_call" and entry["operation"]["name"] != "agent_run"]
    if accepted:
        expect(len(tools) == 2, f"{len(tools)} calls on record by hooks")
        usage = [entry["extensions"]["annals"].get("usage", {}) for entry in entries if entry["operation"]["name"] == "agent_run"]
        expect(usage and usage[-1].get("input", 0) > 0 and usage[-1].get("output", 0) > 0, "no tokens are counted")
    if play == "hostile":
        expect(not os.path.exists(stage.folder + "/home/stolen"), "it wrote into the home")
        expect(SECRET not in json.dumps(entries), "it read a key")
        history = stage.agent.project + "/.context/history"
        expect("a way out" not in json.dumps(entries), "it reached a port of the machine")
        expect(not any(name.startswith("evil") for name in os.listdir(history)), "it wrote into the record")
        refused = attempts[0]["output"].get("refused", {})
        expect(not shutil.which("curl") or "example.com:443" in refused, f"refused: {refused}")
    if play == "done":
        stage.annals("task", "apply")
        expect(os.path.exists(stage.agent.project + "/hello.txt"), "it was not applied")
        os.remove(stage.agent.project + "/hello.txt")
    return wrong, f"{seconds:.1f} s, attempts {len(attempts)}, hooks {hooks}, calls by hooks {len(tools)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=["claude", "codex"])
    parser.add_argument("--keep", action="store_true", help="leave the scratch folders")
    arguments = parser.parse_args()
    agents.into_namespace()
    failed = 0
    for kind in (agents.Claude, agents.Codex):
        if kind.name not in arguments.agents:
            continue
        if not kind.program():
            print(f"{kind.name}: skipped, it is not installed")
            continue
        folder = tempfile.mkdtemp(prefix="annals-executors-")
        stage = Stage(kind, folder)
        scripted = plays(SHELL[kind.name], folder)
        with agents.Model((folder + "/plays.json", scripted), folder + "/model.jsonl"):
            for play in scripted:
                wrong, measured = look(stage, play)
                failed += bool(wrong)
                print(f"{kind.name} {play}: {'; '.join(wrong) or 'as expected'} ({measured})", flush=True)
        if arguments.keep or failed:
            print(f"{kind.name}: {folder}")
        else:
            shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
