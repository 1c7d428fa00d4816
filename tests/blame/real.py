#!/usr/bin/env python3
"""Holds `annals blame` against ten files that real sessions of Claude Code and Codex wrote.

    python3 tests/blame/real.py PROGRAM TRANSCRIPTS [--label]

TRANSCRIPTS is a folder with sessions as the tools keep them, `claude-code/` and `codex/` below it; without it nothing is
asked. Whose a line is follows from the sessions alone: each edit is done again here on the text that the tool says stood in
the file (`originalFile`, which an import leaves out), so that `annals` knows less than this script. Then a person types
lines into the file, some of them copies of an agent's. `--label` writes `labels.tsv`: hashes of files and lines, and the
call of each line, or `-`; no text. Without it, the file as it was labelled is what counts.
"""

import collections
import difflib
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

LABELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "labels.tsv")
FILES = 10


def short(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def changed(state, text, call):
    """The lines of a text, those that stood there with whose they were; `?` where that depends on how one looks."""
    down = lined_up(state, text, call)
    up = lined_up(state[::-1], "\n".join(text.split("\n")[::-1]), call)[::-1]
    return [(line, mark if mark == other else "?") for (line, mark), (_, other) in zip(down, up)]


def lined_up(state, text, call):
    new, old = text.split("\n"), [line for line, _ in state]
    marks = [call] * len(new)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        marks[head] = state[head][1]
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        marks[-1 - tail] = state[-1 - tail][1]
        tail += 1
    matcher = difflib.SequenceMatcher(None, old[head:len(old) - tail], new[head:len(new) - tail], autojunk=False)
    for at, to, size in matcher.get_matching_blocks():
        for offset in range(size):
            marks[head + to + offset] = state[head + at + offset][1]
    return list(zip(new, marks))


def claude(path):
    """What a session did to files: for each, its lines and their calls at the end."""
    open_calls, states, cwd = {}, {}, None
    for line in open(path, errors="replace"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict) or record.get("isSidechain"):
            continue
        cwd = cwd or record.get("cwd")
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use":
                open_calls[block["id"]] = block
            if block.get("type") != "tool_result":
                continue
            call = open_calls.pop(block.get("tool_use_id"), None)
            result = record.get("toolUseResult")
            if call is None or block.get("is_error") or not isinstance(result, dict):
                continue
            took(states, call, result)
    return cwd, states


def took(states, call, result):
    name, given = call["name"], call["input"]
    file = given.get("file_path")
    if name == "Read" and "file" in result and result["file"].get("numLines") == result["file"].get("totalLines"):
        text = result["file"].get("content", "")
        states[file] = changed(states.get(file, []), text, "-")
    elif name == "Write":
        before = result.get("originalFile")
        if before:
            states[file] = changed(states.get(file, []), before, "-")
        elif result.get("type") != "create":
            states.pop(file, None)
            return
        states[file] = changed(states.get(file, []), given["content"], call["id"])
    elif name == "Edit":
        before, old, new = result.get("originalFile"), given.get("old_string"), given.get("new_string")
        if not before or not old or old not in before:
            states.pop(file, None)
            return
        states[file] = changed(states.get(file, []), before, "-")
        after = before.replace(old, new) if given.get("replace_all") else before.replace(old, new, 1)
        states[file] = changed(states[file], after, call["id"])


def found(folder):
    """Files with at least five lines of calls, the same ten each time."""
    for path in sorted(glob.glob(os.path.join(folder, "claude-code", "**", "*.jsonl"), recursive=True)):
        cwd, states = claude(path)
        for file, state in states.items():
            by_calls = sum(mark not in "-?" for _, mark in state)
            if cwd and file and file.startswith(cwd + "/") and by_calls >= 5 and "REDACTED" not in str(state):
                yield short(path + file), path, os.path.relpath(file, cwd), state


def with_person(state):
    """A person types: lines of their own, and copies of lines of calls."""
    typed, out = 0, []
    copies = [line for line, mark in state if mark not in "-?" and len(line.strip()) > 8]
    for number, (line, mark) in enumerate(state):
        if number % 17 == 8:
            text = copies[number % len(copies)] if number % 2 and copies else f"typed by a person {number}"
            if text not in (line, out[-1][0] if out else None):
                out.append((text, "-"))
                typed += 1
        out.append((line, mark))
    return out


def blame(program, session, file, state):
    """The record of the call of each line."""
    with tempfile.TemporaryDirectory() as root:
        env = {"PATH": os.environ["PATH"], "HOME": os.path.join(root, "home")}
        project = os.path.join(root, "project")
        path = os.path.join(project, file)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", newline="") as out:
            out.write("\n".join(line for line, _ in state))
        run = lambda *words: subprocess.run([program, *words], cwd=project, env=env, text=True, capture_output=True)
        run("init", "--git", "nothing")
        run("import", "claude-code", session)
        done = run("blame", "--elsewhere", "--json", "--", file)
        if done.returncode:
            sys.exit(f"annals blame: {done.stderr}")
        answer = json.loads(done.stdout)
        records = {}
        for call in answer["calls"]:
            shown = json.loads(run("show", call["entry"], "--json").stdout)
            records[call["entry"]] = shown["entries"][0]["entry"]["extensions"]["annals"]["source"]["record"]
        return [records.get(line["call"], "-") if line["call"] else "-" for line in answer["lines"]]


def labelled():
    labels = collections.defaultdict(dict)
    for row in open(LABELS):
        name, number, line, mark = row.rstrip("\n").split("\t")
        labels[name][int(number)] = (line, mark)
    return labels


def main():
    words = [word for word in sys.argv[1:] if word != "--label"]
    if len(words) != 2:
        sys.exit(__doc__)
    program, folder = os.path.abspath(words[0]), words[1]
    if not os.path.isdir(folder):
        print(f"no transcripts in {folder}: nothing was asked")
        return
    chosen = sorted(found(folder))[:FILES]
    if "--label" in sys.argv:
        with open(LABELS, "w") as out:
            for name, _, _, state in chosen:
                for number, (line, mark) in enumerate(state, 1):
                    out.write(f"{name}\t{number}\t{short(line)}\t{mark}\n")
    labels = labelled()
    right = missed = wrong = persons = asked = 0
    for name, session, file, state in chosen:
        if {number: (short(line), mark) for number, (line, mark) in enumerate(state, 1)} != labels.get(name):
            continue
        asked += 1
        state = with_person(state)
        # What a text ends with is no line.
        state = state[:-1] if state and not state[-1][0] else state
        for (line, mark), told in zip(state, blame(program, session, file, state + [("", "-")]), strict=True):
            if mark == "?":
                # Two calls, or a call and a person, wrote the same line here: which of them stayed is nobody's to say.
                continue
            right += mark != "-" and told == mark
            missed += mark != "-" and told == "-"
            wrong += told != "-" and told != mark
            persons += mark == "-" and told == "-"
            if os.environ.get("SHOW") and told != mark:
                print(f"{name} {mark} told {told}: {line!r}")
    share = 1000 * right // max(1, right + missed + wrong)
    held = wrong == 0 and share >= 950 and asked == len(labels)
    print(f"{asked} files: {share / 10} % of {right + missed} lines of agents given to their call, {wrong} lines given wrongly, "
          f"{persons} lines of a person unknown: {'held' if held else 'MISSED'}")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
