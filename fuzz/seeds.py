"""Seeds for the targets `fold` and `session`: what the golden logs hold, cut into small files."""
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def put(target, number, text):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"seed-{number:05}"), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    files = sorted(glob.glob(os.path.join(HERE, "..", "tests", "golden", "**", "*.jsonl"), recursive=True))
    lines = [line for file in files for line in open(file, encoding="utf-8")]
    for number, line in enumerate(lines):
        entry = json.loads(line)
        events = entry["operation"].get("output", {})
        events = events.get("events", []) if isinstance(events, dict) else []
        texts = [event["name"] + " " + json.dumps(event["data"], ensure_ascii=False) for event in events]
        if texts:
            put("fold", number, "\n".join(texts))
        if number % 8 == 0:
            put("session", number, "".join(lines[number : number + 8]))
    print(f"{len(lines)} lines", file=sys.stderr)


main()
