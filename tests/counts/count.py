"""Counts what a folder of agent transcripts holds, one JSON object a file.

Written from the description of the formats and from the data alone, so that it can check importers:
it shares nothing with them. Usage: python3 tests/counts/count.py TRANSCRIPTS_DIR > counts.jsonl
"""

import csv
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import aider
import chats
import claude
import codex
import runs
from reading import Counts

COUNTERS = {
    "claude-code": claude.count,
    "claude-code-records": claude.count,
    "codex": codex.count,
    "codex-records": codex.count,
    "copilot-cli": chats.count_copilot,
    "gemini-cli": chats.count_gemini,
    "swe-agent": runs.count_swe,
    "openhands": runs.count_openhands,
    "aider": aider.count,
}


def counter_of(row):
    """The counter for a row of INDEX.tsv, or None. A mutation tells its tool by its name."""
    name = row["path"].rsplit("/", 1)[-1]
    if row["kind"] == "mutation":
        return claude.count if name.startswith("claude-") else codex.count
    is_session = not name.startswith("llm-completion") and name != "manifest.json"
    return COUNTERS.get(row["kind"]) if is_session else None


def main(folder):
    with open(folder / "INDEX.tsv", encoding="utf-8", newline="") as index:
        rows = sorted(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE), key=lambda row: row["path"])
    for row in rows:
        counter = counter_of(row)
        if counter:
            counts = Counts()
            counter((folder / row["path"]).read_bytes(), counts)
            print(json.dumps({"file": row["path"], "kind": row["kind"], **counts}, sort_keys=True))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: count.py TRANSCRIPTS_DIR")
    # One of the mutations nests 3,000 deep, and Python's reader is recursive.
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 * 1024 * 1024)
    with ThreadPoolExecutor(max_workers=1) as one:
        one.submit(main, Path(sys.argv[1])).result()
