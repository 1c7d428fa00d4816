#!/usr/bin/env python3
"""How well `annals recall` answers: nDCG@5 beside that of a plain full-text index over the same texts.

    python3 tests/recall/ndcg.py ANNALS PROJECT

PROJECT is a folder whose `.context` holds the archive of real sessions, imported and learnt from. `judged.tsv` has 40 questions, each
with the ids of what a person would want to read and how much (2: it answers; 1: it helps), written after reading all texts there
were. Weights were chosen on the 20 of the half `chosen`; those of `judged` were written behind that, before they were asked. Ids that the archive at hand does not hold are left out
and counted. The full-text index is SQLite's FTS5 with bm25 over content and tags, any of the words, with and without its stemmer.
"""
import json, math, os, re, sqlite3, subprocess, sys


def answer(annals, project, *words):
    done = subprocess.run([annals, *words, "--json"], cwd=project, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def ndcg(found, grades, depth=5):
    gain = lambda grade, place: (2 ** grade - 1) / math.log2(place + 2)
    best = sum(gain(grade, place) for place, grade in enumerate(sorted(grades.values(), reverse=True)[:depth]))
    return sum(gain(grades.get(one, 0), place) for place, one in enumerate(found[:depth])) / best


def index(texts, tokenizer):
    base = sqlite3.connect(":memory:")
    base.execute(f"create virtual table texts using fts5(id unindexed, content, tags, tokenize = '{tokenizer}')")
    base.executemany("insert into texts values (?, ?, ?)", texts)
    def ask(question):
        words = re.findall(r"\w+", question)
        query = " OR ".join(f'"{word}"' for word in words)
        return [row[0] for row in base.execute("select id from texts where texts match ? order by bm25(texts) limit 5", (query,))]
    return ask


def main():
    annals, project = os.path.abspath(sys.argv[1]), sys.argv[2]
    megrams = answer(annals, project, "memory", "list", "-n", "1000000")["megrams"]
    waiting = answer(annals, project, "knowledge", "review", "-n", "1000000")["candidates"]
    texts = [(one["id"], one["content"], f"{one['space']} {one['entity']}") for one in megrams]
    texts += [(one["id"], one["content"], one["kind"]) for one in waiting]
    there = {one[0] for one in texts}
    ways = {
        "annals recall": lambda question: [one["id"] for one in answer(annals, project, "recall", question)["recalled"]],
        "full text": index(texts, "unicode61"),
        "full text, stemmed": index(texts, "porter unicode61"),
    }
    for half in ("chosen", "judged"):
        told(ways, there, half, len(texts))


def told(ways, there, wanted, count):
    scores, gone, asked = {name: [] for name in ways}, 0, 0
    for line in open(os.path.join(os.path.dirname(__file__), "judged.tsv"), encoding="utf-8").read().splitlines()[1:]:
        half, question, relevant = line.split("\t")
        if half != wanted:
            continue
        grades = {key: int(grade) for key, grade in (one.rsplit(":", 1) for one in relevant.split())}
        gone += sum(key not in there for key in grades)
        grades = {key: grade for key, grade in grades.items() if key in there}
        if not grades:
            continue
        asked += 1
        for name, ask in ways.items():
            scores[name].append(ndcg(ask(question), grades))
        if "-v" in sys.argv:
            print("  ".join(f"{scores[name][-1]:.2f}" for name in ways), question)
    print(f"{wanted}: {asked} questions over {count} texts; {gone} judged ids are not there")
    for name, each in scores.items():
        mean = sum(each) / len(each)
        spread = math.sqrt(sum((one - mean) ** 2 for one in each) / max(1, len(each) - 1) / len(each))
        print(f"{name}: nDCG@5 {mean:.2f} (standard error {spread:.2f})")


main()
