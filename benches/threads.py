#!/usr/bin/env python3
"""Plays real threads and real letters to the circuit breakers, and says what they stop.

    cargo build --release
    python3 benches/threads.py target/release/annals THREADS.jsonl[.zst] LETTERS.jsonl [--preset PRESET] [--set KEY=VALUE]…

THREADS are issue threads of public projects (a line an issue, with its comments), LETTERS the inboxes of AutoDream. Neither
is part of this repository. One half of each is there to choose thresholds on, the other one for the figure: an issue belongs
to a half by the SHA-256 of its project and id, a letter by that of its path. Both are played whole, under one setting, at
their times; a freeze in a thread holds, one in an inbox is lifted by the user at once, so that every letter is judged, and
what comes of the letters where it holds is said, too. Intervals are Wilson's, 95 %. Exits with 1 where a bar is missed.
"""

import hashlib
import json
import math
import subprocess
import sys
import tempfile

HALVES = ("choosing", "figure")


def half(name):
    return hashlib.sha256(name.encode()).digest()[0] & 1


def lines_of(path):
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout.decode().splitlines()
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def wilson(part, whole, z=1.96):
    if not whole:
        return 0.0, 1.0
    share = part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    reach = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def said(part, whole):
    low, high = wilson(part, whole)
    return f"{part} of {whole} ({100 * part / max(1, whole):.1f} %, {100 * low:.1f} to {100 * high:.1f} %)"


def replay(program, lines, arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        run = [program, "swarm", "replay", file.name, "--json", *arguments]
        return json.loads(subprocess.run(run, check=True, capture_output=True).stdout)


def threads(program, lines, arguments):
    """What, bar, figure, and whether the half that the figure is taken from keeps the bar."""
    for which, name in enumerate(HALVES):
        own = [line for line in lines if half((issue := json.loads(line))["project"] + issue["issue"]) == which]
        answer = replay(program, own, arguments)
        comments, stopped = len(answer["messages"]), answer["stopped"]
        issues, frozen = answer["threads"], answer["frozen_threads"]
        rules = {rule: count["stopped"] for rule, count in answer["rules"].items() if count["stopped"]}
        is_figure = which == 1
        yield (f"comments of threads stopped, {name} half", "≤ 5 %" if is_figure else None,
               f"{said(stopped, comments)} {rules}", not is_figure or stopped <= 0.05 * comments)
        yield (f"threads frozen, {name} half", "≤ 2 %" if is_figure else None,
               said(frozen, issues), not is_figure or frozen <= 0.02 * issues)


def is_praise(letter):
    return letter["praise_words"] * 100 >= max(1, letter["words"])


def rows_of_letters(how, name, praise, sober):
    def count(verdicts):
        return sum(verdict in ("rejected", "froze") for verdict in verdicts)

    is_figure = name == "figure" and how == "each judged"
    share, other = count(praise) / max(1, len(praise)), count(sober) / max(1, len(sober))
    away = sum(verdict == "turned-away" for verdict in praise + sober)
    yield (f"letters of praise stopped, {how}, {name} half", "≥ 20 %" if is_figure else None,
           said(count(praise), len(praise)), not is_figure or share >= 0.2)
    yield (f"sober letters stopped, {how}, {name} half", "a quarter of praise" if is_figure else None,
           f"{said(count(sober), len(sober))}, 1 : {share / max(1e-9, other):.1f}; {away} of both turned away",
           not is_figure or share >= 4 * other)


def letters(program, lines, arguments):
    """The same of letters: the bar holds for every letter judged."""
    read = [json.loads(line) for line in lines]
    for how, more in (("each judged", ["--thaw"]), ("freezes hold", [])):
        answer = replay(program, lines, [*arguments, *more])
        judged = list(zip(read, answer["messages"], strict=True))
        for which, name in enumerate(HALVES):
            own = [(letter, heard["verdict"]) for letter, heard in judged if half(letter["path"]) == which]
            praise = [verdict for letter, verdict in own if is_praise(letter)]
            sober = [verdict for letter, verdict in own if not is_praise(letter)]
            yield from rows_of_letters(how, name, praise, sober)
        control = answer["discrimination"]["control"]
        yield (f"control of the letters stopped, {how}", None, said(control["stopped"], control["messages"]), True)


def figures(program, tracker, inboxes, arguments):
    if "--preset" not in arguments:
        arguments = [*arguments, "--preset", "engineering"]
    yield from threads(program, lines_of(tracker), arguments)
    yield from letters(program, lines_of(inboxes), arguments)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, tracker, inboxes, *arguments = sys.argv[1:]
    is_kept = True
    for what, bar, figure, keeps in figures(program, tracker, inboxes, arguments):
        is_kept = is_kept and keeps
        print(f"{what}: {figure}" + (f" (bar {bar}{'' if keeps else ', missed'})" if bar else ""), flush=True)
    sys.exit(0 if is_kept else 1)


if __name__ == "__main__":
    main()
