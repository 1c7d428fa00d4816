"""How much of what Annals says of real sessions is true, by labels that hold ids and verdicts and no text.

    python3 tests/truth/score.py ANNALS CONTEXT [room…]

ANNALS is the program, CONTEXT a folder whose `.context` holds the sessions (`annals import FOLDER` of transcripts; ids come from the
records, so every import gives the same). Rooms: `critic`, `triggers`, `gate`, `mood`. For each figure: right of judged, the share, and its
Wilson interval at 95 %. A statement that nobody has judged is counted and is in no share; a label whose statement is no longer made
counts as nothing said.

`critic.tsv`, `triggers.tsv` and `gate.tsv`: session, kind, entry (the first that the statement stands on; of failures that came
again the last), verdict (`right`, `wrong`), half. The gate of failures speaks where one error came twice in a session.
`mood.tsv`: session, the moods a reader would call right (`good`, `even`, `bad`), the anxieties (`low`, `mid`, `high`), given before
the program was asked. Halves: `made` was read while rules were made, `judged` only afterwards; the bars are for `judged`.
"""
import csv
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BARS = {"critic": 0.7, "triggers": 0.5, "gate": 0.8, "mood": 0.9, "anxiety": 0.9}
MOODS = {"satisfied": "good", "focused": "even", "neutral": "even", "frustrated": "bad", "anxious": "bad"}


def wilson(right, of):
    """The interval at 95 % in which the share lies."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def ask(program, context, *words):
    env = dict(os.environ, NO_COLOR="1")
    done = subprocess.run([program, *words, "--json"], cwd=context, env=env, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else None


def reviews(program, context, session):
    found = ask(program, context, "analyse", session, "--mode", "critic")
    for review in found["analysis"]["reviews"] if found else []:
        yield review["aspect"], (review["entries"] or [""])[0]


def firings(program, context, session):
    found = ask(program, context, "triggers", session)
    for firing in found["firings"] if found else []:
        if firing["fate"] == "fires":
            yield firing["trigger"], firing["cause"]


def failures(program, context, session):
    found = ask(program, context, "debate", "failures", "--session", session, "--lines", "1000")
    for task in found["tasks"] if found else []:
        for run in task["runs"]:
            if run["session"] == session and run["count"] > 1:
                yield "same failure", run["entry"]


SAID = {"critic": reviews, "triggers": firings, "gate": failures}


def judged(program, context, name, said_of):
    """Statements with their verdicts, by half; those without one are counted by session's half."""
    labels = rows(name)
    verdicts = {(row["session"], row["kind"], row["entry"]): row["verdict"] for row in labels}
    halves = {row["session"]: row["half"] for row in labels}
    sums = {}
    for session, half in sorted(halves.items()):
        if ask(program, context, "session", "show", session) is None:
            continue
        said = [statement for statement in said_of(program, context, session)]
        for kind, entry in said:
            verdict = verdicts.get((session, kind, entry))
            for key in ((half, ""), (half, kind)):
                right, of, unjudged = sums.get(key, (0, 0, 0))
                sums[key] = (right + (verdict == "right"), of + (verdict is not None), unjudged + (verdict is None))
    return sums


def told(figure, half, right, of, unjudged, bar):
    low, high = wilson(right, of)
    share = f"{right / of:.2f}" if of else "-"
    more = f", {unjudged} not judged" if unjudged else ""
    print(f"{figure:<42} {half:<7} {right:>3} of {of:<3} {share} ({low:.2f} to {high:.2f}) bar {bar}{more}")


def precision(program, context, room, said_of):
    for (half, kind), (right, of, unjudged) in sorted(judged(program, context, f"{room}.tsv", said_of).items()):
        told(f"{room} {kind}".strip(), half, right, of, unjudged, BARS[room] if not kind else "-")


def level_of(level):
    return "low" if level <= 0.3 else "mid" if level <= 0.7 else "high"


def mood(program, context):
    sums = {}
    for row in rows("mood.tsv"):
        found = ask(program, context, "analyse", row["session"], "--mode", "emotional")
        if found is None:
            continue
        now, level = found["analysis"]["mood"]["current"], found["analysis"]["anxiety"]["level"]
        is_right = {
            "mood": not isinstance(now, str) or MOODS[now] in row["mood"].split("|"),
            "anxiety": isinstance(level, dict) or level_of(level) in row["anxiety"].split("|"),
        }
        for figure, right in is_right.items():
            before = sums.get((figure, row["half"]), (0, 0))
            sums[figure, row["half"]] = (before[0] + right, before[1] + 1)
    for (figure, half), (right, of) in sorted(sums.items()):
        told(figure, half, right, of, 0, BARS[figure])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, context = os.path.abspath(sys.argv[1]), sys.argv[2]
    for room in sys.argv[3:] or [*SAID, "mood"]:
        if room == "mood":
            mood(program, context)
        else:
            precision(program, context, room, SAID[room])


if __name__ == "__main__":
    main()
