#!/usr/bin/env python3
"""Durable appends a second of 16 processes: `annals record --each` next to SQLite with synchronous=FULL.

    cargo build --release && python3 benches/processes.py target/release/annals [FOLDER]

The contestants take turns in one folder; medians are compared. Each line and each row is on the disk before the next
one begins. The time of annals holds the start of its processes, that of SQLite does not.
"""

import json
import multiprocessing
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PROCESSES = 16
LINES = 200
ROUNDS = 7

LINE = json.dumps({"operation": {
    "type": "tool_call", "name": "Bash", "input": {"command": "cargo test"},
    "output": "all tests passed; " * 15, "success": True,
}})


def annals(program, folder):
    context = os.path.join(folder, ".context")
    subprocess.run([program, "--context", context, "init"], check=True, capture_output=True)
    lines = os.path.join(folder, "lines")
    with open(lines, "w") as file:
        file.write((LINE + "\n") * LINES)
    start = time.perf_counter()
    command = [program, "--context", context, "record", "--each"]
    running = [subprocess.Popen(command, stdin=open(lines), stdout=subprocess.PIPE) for _ in range(PROCESSES)]
    ids = [line for process in running for line in process.communicate()[0].split()]
    took = time.perf_counter() - start
    assert len(set(ids)) == PROCESSES * LINES, len(set(ids))
    return len(ids) / took


def insert(path, text, barrier):
    connection = sqlite3.connect(path, timeout=600, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    barrier.wait()
    for _ in range(LINES):
        connection.execute("INSERT INTO entry (line) VALUES (?)", (text,))
    connection.close()


def sqlite(journal, text, folder):
    path = os.path.join(folder, "entries.db")
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, line TEXT)")
    connection.commit()
    connection.close()
    barrier = multiprocessing.Barrier(PROCESSES + 1)
    running = [multiprocessing.Process(target=insert, args=(path, text, barrier)) for _ in range(PROCESSES)]
    for process in running:
        process.start()
    barrier.wait()
    start = time.perf_counter()
    for process in running:
        process.join()
    took = time.perf_counter() - start
    (count,) = sqlite3.connect(path).execute("SELECT count(*) FROM entry").fetchone()
    assert count == PROCESSES * LINES, count
    return count / took


def one_line(program, folder):
    """A line as annals writes it, so that both write the same bytes."""
    context = os.path.join(folder, ".context")
    subprocess.run([program, "--context", context, "init"], check=True, capture_output=True)
    subprocess.run([program, "--context", context, "record"], input=LINE.encode(), check=True, capture_output=True)
    history = os.path.join(context, "history")
    (day,) = [name for name in os.listdir(history) if name.endswith(".jsonl")]
    with open(os.path.join(history, day)) as file:
        return file.readline().rstrip("\n")


def main():
    program, base = os.path.abspath(sys.argv[1]), (sys.argv[2] if len(sys.argv) > 2 else ".")
    contestants = {"annals": lambda folder: annals(program, folder)}
    with tempfile.TemporaryDirectory(dir=base) as folder:
        text = one_line(program, folder)
    for journal in ("WAL", "DELETE"):
        contestants[f"SQLite {journal}"] = lambda folder, journal=journal: sqlite(journal, text, folder)
    rates = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            folder = tempfile.mkdtemp(dir=base)
            rates[name].append(run(folder))
            shutil.rmtree(folder)
    ours = statistics.median(rates["annals"])
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"{name:>14}: {rate:8.0f}/s, annals is {ours / rate:.2f} x")


if __name__ == "__main__":
    main()
