"""Rows about today's agents: recorded sessions in five orders, and what each hook costs.

$ANNALS_CAPTURES names a folder of runs as `tests/agents/capture.py` makes them, of the real agents; without it there are no rows
of sessions, and hooks get small payloads.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ORDERS = ("hooks only", "import only", "hooks, import", "import within", "two branches")


def script(name, program, arguments):
    command = [sys.executable, os.path.join(HERE, "tests/agents", name), *arguments]
    done = subprocess.run(command, text=True, capture_output=True, env={**os.environ, "ANNALS": program}, check=False)
    return done.stdout


def figures(program):
    captures = os.environ.get("ANNALS_CAPTURES")
    if captures:
        yield from sessions(script("orders.py", program, [captures]))
        yield from sizes(script("size.py", program, [captures, *(["--than", os.environ["ANNALS_THAN"]] if "ANNALS_THAN" in os.environ else [])]))
    told = script("cost.py", program, ["--limit", "6", *(["--payloads", captures] if captures else [])])
    worst = re.search(r"worst median is ([\d.]+) ms", told)
    cpu = float(worst[1]) if worst else float("inf")
    yield "CPU of a hook, 300 k entries, the worst event of four agents", "≤ 6 ms", f"{cpu} ms", cpu <= 6, "cost.py"
    walls = [float(line.split()[4]) for line in told.splitlines() if re.match(r"(claude|codex|gemini|copilot) +[A-Za-z]+ +[\d.]", line)]
    if walls:
        yield "wall of a hook, 300 k entries, the worst event of four agents", "≤ 10 ms", f"{max(walls)} ms", max(walls) <= 10, "cost.py"


def sizes(told):
    """Rows of bytes: their shares by kind, what says too much, and beside another build ($ANNALS_THAN)."""
    for agent, raw, loose, shares in re.findall(r"^(\w+): \d+ runs, (\d+) bytes, .*?; (\d+) lines say too much; (.+)$", told, re.M):
        yield f"history of {agent}, shares by kind", "no home, no unknown record", f"{loose} lines, {raw} bytes; {shares}", loose == "0", "size.py"
    for agent, whole, packed in re.findall(r"^(\w+): (\d+) % of the bytes of the other build, (\d+) % packed$", told, re.M):
        keeps = agent != "claude" or int(packed) <= 60
        yield f"history of {agent}, beside the build before", "≤ 60 % (claude)", f"{whole} %, {packed} % packed", keeps, "size.py --than"


def sessions(told):
    """A row for each agent and order: how many sessions' runs are as the transcripts have them."""
    cells = {}
    for line in told.splitlines():
        row = re.match(r"(\w+)/\S+ +((?:ok|\d+|no \w+)(?: +(?:ok|\d+|no \w+)){4})$", line)
        if row:
            for order, cell in zip(ORDERS, re.findall(r"ok|\d+|no \w+", row[2])):
                cells.setdefault((row[1], order), []).append(cell)
    for (agent, order), found in cells.items():
        played = [cell for cell in found if not cell.startswith("no ")]
        right = sum(cell == "ok" for cell in played)
        yield f"runs of {agent}, {order}", "each as its transcript", f"{right} of {len(played)}", right == len(played), "orders.py"
