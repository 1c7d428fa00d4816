#!/usr/bin/env python3
"""What recorded sessions take in git: size.py FOLDER [--than PROGRAM]

FOLDER holds runs as `capture.py` makes them. The payloads and transcripts of each are recorded by `$ANNALS` in a fresh project, and the
bytes of its history are counted: as they are, packed as git packs them (zlib), and by kind. `--than` names another build, for the
ratio. No line may hold the home of the person, or a record that nobody could read: the exit status is 1 where one does.
"""
import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile
import zlib

KINDS = {"claude": ("claude-code", "claude-code"), "codex": ("codex", "codex"), "gemini": ("gemini-cli", "gemini"),
         "copilot": ("copilot-cli", "copilot")}


def record(program, agent, run):
    """Records a run; the files of the history that came of it, and the home of the person."""
    kind, hook = KINDS[agent]
    home = tempfile.mkdtemp(prefix="size-") + "/dev"
    project, sessions = home + "/project", home + "/sessions"
    os.makedirs(project)
    environment = {"HOME": home, "PATH": os.environ["PATH"]}

    def annals(words, text=""):
        subprocess.run([program, *words], cwd=project, env=environment, input=text.encode(), capture_output=True, check=False)

    def here(text):
        return text.replace("/home/dev", home)

    subprocess.run(["git", "init", "-q", "."], cwd=project, env=environment, check=True)
    annals(["init"])
    if os.path.exists(run + "/hooks.jsonl") and agent != "copilot":
        with open(run + "/hooks.jsonl", encoding="utf-8") as file:
            for line in file:
                annals(["hook", hook], here(line))
    root = run + "/transcript"
    for path in glob.glob(root + "/**/*.json*", recursive=True):
        copy = os.path.join(sessions, os.path.relpath(path, root))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(path, encoding="utf-8") as file, open(copy, "w", encoding="utf-8") as other:
            other.write(here(file.read()))
    annals(["import", kind, sessions])
    return [path for path in glob.glob(project + "/.context/history/**/*", recursive=True) if os.path.isfile(path)], home


def measured(program, agent, runs):
    """Bytes, packed bytes, bytes by kind, and how many lines say too much."""
    raw, packed, kinds, loose = 0, 0, collections.Counter(), 0
    for run in runs:
        files, home = record(program, agent, run)
        for path in files:
            with open(path, "rb") as file:
                data = file.read()
            raw, packed = raw + len(data), packed + len(zlib.compress(data, 6))
            for line in data.splitlines() if path.endswith(".jsonl") else ():
                operation = json.loads(line)["operation"]
                name = operation["name"] if operation["type"] == "system_event" else operation["type"]
                kinds[name] += len(line) + 1
                loose += home.encode() in line or name == "unknown_record"
    return raw, packed, kinds, loose


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder")
    options.add_argument("--than")
    options = options.parse_args()
    bad = 0
    for agent in KINDS:
        runs = sorted(path for path in glob.glob(f"{options.folder}/{agent}/*") if os.path.isdir(path + "/transcript"))
        raw, packed, kinds, loose = measured(os.environ["ANNALS"], agent, runs)
        bad += loose
        shares = ", ".join(f"{name} {size * 100 // max(raw, 1)} %" for name, size in kinds.most_common(6))
        print(f"{agent}: {len(runs)} runs, {raw} bytes, {packed} packed; {loose} lines say too much; {shares}")
        if options.than:
            other = measured(options.than, agent, runs)
            print(f"{agent}: {100 * raw / other[0]:.0f} % of the bytes of the other build, {100 * packed / other[1]:.0f} % packed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
