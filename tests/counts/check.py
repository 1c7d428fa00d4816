"""Compares counts.jsonl with what others say about the same files.

ORACLE_TOKENS.tsv: token totals counted by other tools, which leave sub-agents out. The notes of
INDEX.tsv: what each mutation must give. Usage: check.py TRANSCRIPTS_DIR counts.jsonl
"""

import csv
import json
import re
import sys
from pathlib import Path

COLUMNS = {"input": "input_tokens", "cache_write": "cache_creation_tokens", "cache_read": "cache_read_tokens",
           "output": "output_tokens", "requests": "api_calls"}
EXTRA = {"deep": 1, "unknown-type": 1}
CUT = ("truncated-tail", "torn-middle")
ABOUT_LINES = ("file", "records", "damaged", "not_objects")


def rows(path):
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def token_faults(folder, counts):
    for row in rows(folder / "ORACLE_TOKENS.tsv"):
        got = counts[row["path"]]["tokens"]
        for ours, theirs in COLUMNS.items():
            if got[ours] != int(row[theirs]):
                yield f"{row['path']}: {ours} is {got[ours]}, not {row[theirs]}"


def mutation_faults(folder, counts):
    for row in rows(folder / "INDEX.tsv"):
        if row["kind"] == "mutation":
            tool, mutation = re.fullmatch(r"mutations/(\w+)-(.+)\.jsonl", row["path"]).groups()
            yield from one_mutation(tool, mutation, row["notes"], counts)


def one_mutation(tool, mutation, notes, counts):
    """The stated number of lines; and where none is lost, the same session as any other one."""
    got, plain = counts[f"mutations/{tool}-{mutation}.jsonl"], counts[f"mutations/{tool}-blank-lines.jsonl"]
    good = int(re.search(r"(\d+) (?:good|distinct|known|records)", notes)[1])
    expected = {
        "records": good * (2 if mutation == "doubled" else 1) + EXTRA.get(mutation, 0),
        "damaged": int(mutation in CUT),
        "not_objects": 4 if mutation == "nondict" else 0,
    }
    if mutation not in CUT:
        expected |= {name: value for name, value in plain.items() if name not in ABOUT_LINES}
    for name, value in expected.items():
        if got[name] != value:
            yield f"{tool}-{mutation}: {name} is {got[name]}, not {value}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check.py TRANSCRIPTS_DIR COUNTS")
    source = Path(sys.argv[1])
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    by_file = {one["file"]: one for one in map(json.loads, lines)}
    faults = [*token_faults(source, by_file), *mutation_faults(source, by_file)]
    print("\n".join(faults) or f"{len(by_file)} files counted; all stated totals agree")
    sys.exit(bool(faults))
