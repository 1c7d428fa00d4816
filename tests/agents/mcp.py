#!/usr/bin/env python3
"""What clients of the Model Context Protocol find in `annals mcp`: mcp.py [conformance|inspector|claude|codex …] [--keep]

* conformance: the protocol's own suite, for each revision, against the example `loopback`, which serves the program's handler over
  loopback HTTP. $ANNALS_LOOPBACK is the example, $ANNALS_CONFORMANCE the suite's `dist/index.js`.
* inspector: the inspector's strict mode over standard input and output. $ANNALS_INSPECTOR is its `clients/cli/build/index.js`.
* claude, codex: the real agent against a scripted model without a network: its server is put in by `annals setup AGENT --mcp`, and
  its model calls `recall` and `issue_comment`. $ANNALS_CLAUDE, $ANNALS_CODEX.

$ANNALS is the program, $ANNALS_NODE a node of version 22 or later, where the one on the PATH is older. What is not installed is skipped with
a word. The last line counts what held; the exit status is 1 where something did not.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import agents
import plays
import run

REVISIONS = ("2025-06-18", "2026-07-28")
NODE = os.environ.get("ANNALS_NODE") or shutil.which("node") or "node"
RULE = "The login test waits for a clock"
COMMENT = ("The retry hides that the fixture reads the wall clock, so the failure returns at midnight in every zone that changes its hour; "
           "a given clock would end it for good")


def project(folder, environment):
    """A swarm that may comment, something to know, and an issue."""
    os.makedirs(folder, exist_ok=True)
    for words in (["init"], *LIFE):
        subprocess.run([run.PROGRAM, *words], cwd=folder, env=environment, check=True, capture_output=True)
    return folder


LIFE = (["agent", "add", "critic", "--role", "critic"], ["agent", "edit", "critic", "--devils-advocate", "yes"],
        ["agent", "add", "mo", "--role", "moderator"], ["knowledge", "add", "rule", RULE],
        ["issue", "new", "The login test is flaky", "--body", "One time in ten"])


def plain(folder):
    return {"PATH": os.environ["PATH"], "HOME": folder}


def conformance(folder):
    loopback, suite = os.environ.get("ANNALS_LOOPBACK"), os.environ.get("ANNALS_CONFORMANCE")
    if not loopback or not suite:
        return None
    where = project(folder + "/project", plain(folder))
    found = {}
    with subprocess.Popen([loopback, "0", where + "/.context", "critic"], env=plain(folder), stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip()
            for revision in REVISIONS:
                words = [NODE, suite, "server", "--url", url, "--suite", "all", "--spec-version", revision]
                done = subprocess.run(words, cwd=folder, env=plain(folder), capture_output=True, text=True, check=False)
                with open(f"{folder}/conformance-{revision}.txt", "w", encoding="utf-8") as out:
                    out.write(done.stdout + done.stderr)
                total = re.findall(r"(\d+) passed, (\d+) failed", done.stdout + done.stderr)
                passed, failed = map(int, total[-1]) if total else (0, 1)
                found[f"{revision}: {passed} of {passed + failed} checks"] = failed == 0 and passed > 0
        finally:
            server.terminate()
    return found


def inspector(folder):
    program = os.environ.get("ANNALS_INSPECTOR")
    if not program:
        return None
    where = project(folder + "/project", plain(folder))

    def ask(*words):
        command = [NODE, program, "--cli", run.PROGRAM, "--context", where + "/.context", "mcp", "--as", "critic", "--method", *words]
        return subprocess.run(command, cwd=where, env=plain(folder), capture_output=True, text=True, check=False)
    strict = ask("tools/list", "--strict")
    tools = json.loads(strict.stdout)["tools"] if strict.returncode == 0 else []
    called = ask("tools/call", "--tool-name", "recall", "--tool-arg", "query=login test")
    return {f"strict: {len(tools)} tools, exit {strict.returncode}": strict.returncode == 0 and 0 < len(tools) <= 15,
            "a tool is called": called.returncode == 0 and RULE in called.stdout,
            "resources": "annals://issue/1" in ask("resources/list").stdout,
            "prompts": "critic" in ask("prompts/list").stdout}


def play(kind):
    """The model calls two tools, by the names that the agent gives them."""
    recall, comment = {"query": "fix the flaky login test"}, {"issue": "1", "text": COMMENT, "stance": "oppose"}
    if kind == "claude":
        calls = plays.call("mcp__annals__recall", **recall), plays.call("mcp__annals__issue_comment", **comment)
    else:
        calls = (dict(plays.call("recall", **recall), space="mcp__annals"), dict(plays.call("issue_comment", **comment), space="mcp__annals"))
    return [[plays.say("I look."), calls[0]], [calls[1]], [plays.say("Said.")]]


def real(kind, folder):
    if not kind.program():
        return None
    raw = folder + "/raw.jsonl"
    os.environ["ANNALS_RAW"] = raw
    stage = run.Stage(kind, folder)
    for words in LIFE:
        stage.annals.run(*words)
    where = [] if kind.name == "claude" else ["--user"]
    words = [run.PROGRAM, "--as", "critic", "setup", stage.agent.setup, "--mcp", *where]
    subprocess.run(words, cwd=stage.agent.project, env=stage.environment, check=True, capture_output=True)
    prompt = stage.agent.prompt("play:tools do it")
    if kind.name == "claude":
        prompt += ["--mcp-config", ".mcp.json", "--allowedTools", "mcp__annals__recall,mcp__annals__issue_comment"]
    with agents.Model((folder + "/plays.json", {"tools": play(kind.name)}), folder + "/model.jsonl"):
        agents.run(stage.agent, prompt, folder + "/out", limit=120)
    stage.settle()
    requests = []
    if os.path.exists(raw):
        with open(raw, encoding="utf-8") as file:
            requests = [json.loads(line) for line in file]
    texts = [json.dumps({name: value for name, value in request.items() if name != "tools"}) for request in requests]
    comments = stage.annals.json("log", "--name", "issues.comment.add")
    by = [entry["provenance"].get("agent_id") for entry in (comments if isinstance(comments, list) else [comments]) if entry]
    told = [number for number, text in enumerate(texts) if RULE in text]
    return {"the model hears what recall found": bool(told) and told[0] == 1,
            "issue_comment is recorded as the bound actor": by == ["critic"],
            f"{len(requests)} requests": len(requests) >= 3}


PARTS = {"conformance": conformance, "inspector": inspector, "claude": lambda folder: real(agents.Claude, folder),
         "codex": lambda folder: real(agents.Codex, folder)}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []])
    options.add_argument("--keep", action="store_true", help="leave the scratch folders")
    options = options.parse_args()
    agents.into_namespace()
    held = bad = 0
    for name in options.parts or PARTS:
        folder = os.path.realpath(tempfile.mkdtemp(prefix="mcp-"))
        found = PARTS[name](folder)
        if found is None:
            print(f"{name}: skipped, it is not installed")
        for what, holds in (found or {}).items():
            print(f"{name}: {what}: {'ok' if holds else 'NO'}")
            held, bad = held + bool(holds), bad + (not holds)
        if options.keep:
            print(f"{name}: {folder}")
        else:
            shutil.rmtree(folder)
    print(f"{held} of {held + bad} held")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
