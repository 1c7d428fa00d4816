#!/usr/bin/env python3
"""How much of what people said that holds beyond the task is found, and how much of what is found holds.

    python3 tests/knowledge/score.py ANNALS PROMPTS [SET]

ANNALS is the program, PROMPTS a file of JSON lines {"text": …}: the prompts behind the labels. `labels.tsv` holds, for each prompt
that was judged, the first 16 digits of the SHA-256 of its text, a hash of its session, and the places (characters, from and to) of
the sentences that hold beyond the task; `-` where there is none. No text. It was written before the program was asked. Sets:

  public    prompts of one person, from a public repository; no rule was made on them
  archive   prompts of several people and tools; older rules of sentences were made on prompts of the same archive

Rules were chosen on other sessions of both sets (halves by the hash of the session), never on these.
"""
import hashlib, json, math, os, re, subprocess, sys, tempfile


def wilson(hits, all, z=1.96):
    if all == 0:
        return (0.0, 0.0, 1.0)
    p = hits / all
    middle = (p + z * z / (2 * all)) / (1 + z * z / all)
    wide = z * math.sqrt(p * (1 - p) / all + z * z / (4 * all * all)) / (1 + z * z / all)
    return (p, middle - wide, middle + wide)


def place(text, content):
    """Where a sentence stands in a prompt, whatever white space became of it."""
    words = [re.escape(word) for word in content.split()]
    found = re.search(r"[\s\\*•–-]+".join(words), text)
    return (found.start(), found.end()) if found else None


def asked(annals, prompts):
    """What the program would propose, by prompt."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder}
        run = lambda *words, **more: subprocess.run(
            [annals, *words], cwd=folder, env=environment, check=True, capture_output=True, text=True, **more)
        run("init", "--git", "nothing") if "--git" in run("init", "--help").stdout else run("init")
        lines = [json.dumps({
            "session_id": f"s{number}",
            "operation": {"type": "user_input", "name": "prompt", "input": {"text": text}, "success": True},
            "provenance": {"agent_id": "user"},
        }) for number, text in enumerate(prompts)]
        run("record", "--each", input="\n".join(lines) + "\n")
        found = json.loads(run("knowledge", "extract", "--all", "--dry-run", "--json").stdout)
    by_prompt = {}
    for lesson in found["lessons"]:
        by_prompt.setdefault(int(lesson["session"][1:]), []).append(lesson)
    return by_prompt


def main():
    annals, source = sys.argv[1], sys.argv[2]
    wanted = sys.argv[3] if len(sys.argv) > 3 else None
    texts = {}
    for line in open(source, encoding="utf-8"):
        text = json.loads(line)["text"]
        texts[hashlib.sha256(text.encode()).hexdigest()[:16]] = text
    labels = [line.rstrip("\n").split("\t") for line in open(os.path.join(os.path.dirname(__file__), "labels.tsv"))][1:]
    labels = [row for row in labels if wanted in (None, row[0])]
    known = [row for row in labels if row[1] in texts]
    lessons = asked(os.path.abspath(annals), [texts[row[1]] for row in known])
    hits, wrong, missed, seen = 0, [], [], set()
    for number, (_, key, _, kept) in enumerate(known):
        text = texts[key]
        spans = [] if kept == "-" else [tuple(map(int, span.split("-"))) for span in kept.split(";")]
        found = set()
        for lesson in lessons.get(number, []):
            words = " ".join(lesson["content"].lower().split())
            if words in seen:
                # Near copies are one: what was said again is neither right nor wrong again.
                found.update(spans)
                continue
            seen.add(words)
            at = place(text, lesson["content"])
            right = [span for span in spans if at and at[0] < span[1] and span[0] < at[1]]
            if right:
                hits += 1
                found.update(right)
            else:
                wrong.append((lesson["rule"], lesson["content"]))
        missed += [text[a:b + 60] for a, b in spans if (a, b) not in found]
    proposed, statements = hits + len(wrong), hits + len(missed)
    print(f"{len(known)} of {len(labels)} judged prompts are here; {statements} statements hold, {proposed} are proposed")
    for name, all in (("precision", proposed), ("recall", statements)):
        value, low, high = wilson(hits, all)
        print(f"{name} {value:.2f} ({hits} of {all}; 95 %: {low:.2f} to {high:.2f})")
    if "-v" in sys.argv:
        for rule, content in wrong:
            print(f"wrong  {rule}: {content[:120]}")
        for text in missed:
            print("missed", " ".join(text.split()))


main()
