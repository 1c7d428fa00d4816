#!/usr/bin/env python3
"""How often the planning gate is right on real requests: score.py TRANSCRIPTS… [--half judged]

TRANSCRIPTS are folders of real sessions and trackers, each with its INDEX.tsv; nothing of them is kept. A statement is a request of a person to
an agent (a prompt), or the title of an issue that agents work on. `labels.tsv` names each by the hash of its text and says whether a
planning debate should be held before it is begun; the labels were given before the program was asked. The criteria, after the
dialectic layer ("before executing high-stakes operations") and the categories of the router:

yes   the text asks for an act that destroys or overwrites what neither version control nor a build brings back (data, branches,
      releases), that gives something to others (a release, its tag, a registry, a push to where everybody works), that changes live data
      of a project for good, or that touches credentials or how a product is protected.
no    work on code, tests and words about such things; removing code under version control; questions; what stays on this machine; an
      ordinary commit, branch or request for a review.

Prompts that an editor's context fills, and commands of an agent's own (`/add`), are no statements. The half "made" may be looked at
while rules are mended; "judged" is scored: prompts of people to agents in 70 public repositories, labelled by second judges who saw
neither rules nor answers. Of those prompts all were labelled at which the gate spoke, and of the others a share, drawn by chance, larger
of those that name a danger in any of ten languages: such a label stands for several statements. Printed are precision with n and its
Wilson interval, and recall over what the labels stand for.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("ANNALS", os.path.join(HERE, "../../target/debug/annals"))
NO_PROMPTS = {"mutation", "oracle", "beads", "multi-agent", "context-folder", "kind", "swe-agent"}
COMMAND = re.compile(r"/[a-z]|!|# Fix any|# Context from")


def identity(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_prompt(text):
    is_told = text.startswith(("<", "Caveat:", "[Request interrupted", "# AGENTS.md", "This session is being continued"))
    return bool(text) and not is_told and len(text) <= 6000 and "tool_use_error" not in text


def texts_of(value):
    """What a record says in a person's voice."""
    if isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        content, kind = value.get("content"), value.get("type")
        if kind == "user_message" and isinstance(value.get("message"), str):
            yield value["message"]
        elif kind == "user.message" and isinstance(value.get("data"), dict):
            yield str(value["data"].get("content", ""))
        elif (value.get("role") or value.get("source")) == "user" and not value.get("isMeta"):
            if isinstance(content, str):
                yield content
            elif isinstance(content, list):
                blocks = [block for block in content if isinstance(block, dict)]
                said = [b["text"] for b in blocks if b.get("type") in ("text", "input_text") and b.get("text")]
                if said and not any(b.get("type") == "tool_result" for b in blocks):
                    yield "\n".join(said)
            elif value.get("action") == "message":
                yield str(value.get("message") or (value.get("args") or {}).get("content", ""))
        elif kind == "user" and isinstance(content, str):
            yield content
        for item in value.values():
            if isinstance(item, (dict, list)):
                yield from texts_of(item)


def records(text):
    found = []
    for line in text.split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    if not found:
        try:
            found = [json.loads(text)]
        except ValueError:
            pass
    return [record for record in found if isinstance(record, dict) and not (record.get("isSidechain") or record.get("isMeta"))]


def of_aider(text):
    said = []
    for line in text.split("\n"):
        if line.startswith("#### "):
            said.append(line[5:])
        elif said:
            yield "\n".join(said)
            said = []


def statements(folder):
    """Texts by their ids."""
    found = {}
    with open(os.path.join(folder, "INDEX.tsv"), encoding="utf-8") as index:
        rows = [line.rstrip("\n").split("\t") for line in index][1:]
    for path, kind in (row[:2] for row in rows if len(row) > 1):
        if kind in NO_PROMPTS and not path.endswith("gastownhall-beads/issues.jsonl"):
            continue
        with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if kind == "beads":
            for issue in records(text):
                title = re.sub(r"\s+", " ", issue.get("title") or "").strip()
                found.setdefault(identity(title), title)
            continue
        said = of_aider(text) if kind == "aider" else (text for record in records(text) for text in texts_of(record))
        for prompt in (text.strip() for text in said):
            if is_prompt(prompt) and not COMMAND.match(prompt):
                found.setdefault(identity(prompt), prompt)
    return found


def labels():
    with open(os.path.join(HERE, "labels.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {row[0]: (row[1] == "yes", row[2], float(row[3])) for row in rows}


def fires(context, text):
    """Whether the gate asks for a planning debate at high stakes, as it is asked of a person's prompt."""
    asked = [PROGRAM, "--context", context, "debate", "gate", "--json", "--as", "user", "--", text]
    plain = {name: value for name, value in os.environ.items() if "CLAUDE" not in name and name not in ("AI_AGENT", "AGENT")}
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=plain)
    if not done.stdout:
        return None
    answer = json.loads(done.stdout)
    return answer["verdict"] == "debate" and answer["stakes"] == "high"


def wilson(hits, count):
    if not count:
        return "unknown"
    z, share = 1.96, hits / count
    middle, spread = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    low, high = ((middle + sign * spread) / (1 + z * z / count) for sign in (-1, 1))
    return f"{share:.2f} ({low:.2f} to {high:.2f}), {hits} of {count}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("transcripts", nargs="+")
    options.add_argument("--half", choices=("made", "judged"), help="one of them alone [default: both]")
    options.add_argument("--wrong", action="store_true", help="print the ids that are wrong; of the half that may be looked at, texts")
    options = options.parse_args()
    known, said = {}, labels()
    for folder in options.transcripts:
        known |= statements(folder)
    by_half = collections.defaultdict(list)
    for name, (verdict, half, weight) in said.items():
        if name in known:
            by_half[half].append((name, verdict, weight))
    print(f"{len(said)} labels, {sum(map(len, by_half.values()))} of them found")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "init"], cwd=folder, check=True, capture_output=True)
        context = os.path.join(folder, ".context")
        for half in ("made", "judged") if options.half is None else (options.half,):
            rows = by_half[half]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                fired = list(pool.map(lambda row: fires(context, known[row[0]]), rows))
            unread = sum(answer is None for answer in fired)
            both = sum(bool(answer) and verdict for answer, (_, verdict, _) in zip(fired, rows))
            print(f"{half}: {len(rows)} statements, {unread} not answered")
            print(f"  precision {wilson(both, sum(map(bool, fired)))}")
            found = sum(weight for answer, (_, verdict, weight) in zip(fired, rows) if answer and verdict)
            wanted = sum(weight for _, verdict, weight in rows if verdict)
            print(f"  recall    {found / max(1, wanted):.2f}, {found:.0f} of {wanted:.0f}, {sum(verdict for _, verdict, _ in rows)} of them labelled")
            if options.wrong:
                for answer, (name, verdict, _) in zip(fired, rows):
                    if bool(answer) != verdict:
                        text = known[name][:100].replace("\n", " ") if half == "made" else ""
                        print("   ", name, "should" if verdict else "should not", text)


if __name__ == "__main__":
    main()
