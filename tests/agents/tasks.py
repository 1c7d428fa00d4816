#!/usr/bin/env python3
"""Small tasks in small projects, by a real model behind `annals run`, beside the same model asked once and asked again.

    tasks.py PROGRAM URL MODEL OUT [--tasks N] [--jobs N] [--told | --others]

PROGRAM is annals; URL an OpenAI-compatible server (http://127.0.0.1:18080); MODEL its name; OUT a file to which each task is
written as a line of JSON when it is over, so that a run that was stopped goes on. Each task has a check of its own, which no
model sees (with `--told`, a command that the person gives as the check is shown to all of them): `done` is what the check says, `claimed` what the run said. A claim without the deed is false. The model asked once
gets the files and answers with new ones; asked again, it is told that the check failed, until it has used up as many tokens as
the run did. At the end the shares stand there, and the paired differences with intervals of a bootstrap.
With `--others` the tasks are those that no rule of the program was ever chosen on.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import urllib.request

SCHEMA = {
    "type": "object",
    "properties": {"files": {"type": "array", "items": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"], "additionalProperties": False}}},
    "required": ["files"], "additionalProperties": False,
}


def has(path, *texts):
    return lambda folder: all(text in read(folder, path) for text in texts)


def lacks(path, text):
    return lambda folder: (folder / path).exists() and text not in read(folder, path)


def same(path, text):
    return lambda folder: read(folder, path).strip() == text.strip()


def python(code):
    def check(folder):
        command = ["python3", "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{code}"]
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=20).returncode == 0
    return check


def both(*checks):
    return lambda folder: all(check(folder) for check in checks)


def read(folder, path):
    try:
        return (folder / path).read_text()
    except (OSError, UnicodeDecodeError):
        return ""


CALC = "def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return a * 2\n"
SHOP = "bread,3\ncheese,12\nwine,27\n"
TASKS = [
    ("hello", {"README.md": "A project.\n"}, "write the word hello into greeting.txt", has("greeting.txt", "hello")),
    ("version", {"VERSION": "1.4.2\n"}, "change the version in VERSION to 1.5.0", same("VERSION", "1.5.0")),
    ("add", {"calc.py": CALC}, "add() in calc.py subtracts; make it add", python("import calc; assert calc.add(2, 3) == 5 and calc.double(4) == 8")),
    ("title", {"README.md": "# Shopp\n\nA list of prices.\n"}, "the title of README.md is misspelled: it is to be Shop", both(has("README.md", "# Shop\n", "A list of prices."), lacks("README.md", "Shopp"))),
    ("port", {"app.toml": "[server]\nhost = \"0.0.0.0\"\nport = 80\n"}, "set the port in app.toml to 8080", both(has("app.toml", "port = 8080", "host = \"0.0.0.0\""),)),
    ("ignore", {".gitignore": "*.log\n"}, "add the folder build/ to .gitignore", has(".gitignore", "*.log", "build/")),
    ("constant", {"limits.py": "MAX_USERS = 10\nMAX_FILES = 5\n"}, "raise MAX_USERS in limits.py to 25", python("import limits; assert limits.MAX_USERS == 25 and limits.MAX_FILES == 5")),
    ("rename", {"old_name.txt": "content\n"}, "rename the file old_name.txt to new_name.txt", both(has("new_name.txt", "content"), lambda folder: not (folder / "old_name.txt").exists())),
    ("delete-line", {"notes.txt": "keep this\nTODO remove me\nkeep that\n"}, "remove the line with TODO from notes.txt", both(lacks("notes.txt", "TODO"), has("notes.txt", "keep this", "keep that"))),
    ("function", {"text.py": "def upper(s):\n    return s.upper()\n"}, "add a function lower(s) to text.py that returns s in lower case", python("import text; assert text.lower('AbC') == 'abc' and text.upper('a') == 'A'")),
    ("json", {"config.json": "{\"debug\": false, \"name\": \"shop\"}\n"}, "set debug to true in config.json", lambda folder: json.loads(read(folder, "config.json") or "{}") == {"debug": True, "name": "shop"}),
    ("greet", {"greet.py": "def greet(name):\n    return 'Hello ' + name\n"}, "greet() in greet.py is to end with an exclamation mark: Hello Ann!", python("import greet; assert greet.greet('Ann') == 'Hello Ann!'")),
    ("count", {"prices.csv": SHOP}, "write the number of lines of prices.csv into count.txt", lambda folder: read(folder, "count.txt").strip() == "3"),
    ("sum", {"prices.csv": SHOP}, "write the sum of the second column of prices.csv into total.txt", has("total.txt", "42")),
    ("licence", {"README.md": "# Shop\n"}, "add a line 'Licence: MIT' to the end of README.md", has("README.md", "# Shop", "Licence: MIT")),
    ("empty", {"src/app.py": "print('x')\n"}, "make an empty file src/__init__.py", lambda folder: (folder / "src/__init__.py").exists() and read(folder, "src/app.py") == "print('x')\n"),
    ("is-even", {"nums.py": "def is_even(n):\n    return n % 2 == 1\n"}, "is_even() in nums.py is wrong; mend it", python("import nums; assert nums.is_even(4) and not nums.is_even(3)")),
    ("default", {"area.py": "def area(w, h):\n    return w * h\n"}, "give the parameter h of area() in area.py the default value 1", python("import area; assert area.area(5) == 5 and area.area(2, 3) == 6")),
    ("env", {"Dockerfile": "FROM alpine:3.18\nRUN true\n"}, "use alpine 3.20 in the Dockerfile instead of 3.18", has("Dockerfile", "FROM alpine:3.20", "RUN true")),
    ("todo-list", {"todo.md": "- [ ] buy milk\n- [ ] call Ann\n"}, "mark 'call Ann' as done in todo.md: - [x] call Ann", has("todo.md", "- [x] call Ann", "- [ ] buy milk")),
]

NAMES = "mia\nben\nzoe\nada\n"
OTHERS = [
    ("note", {"README.md": "A project.\n"}, "make a file notes/today.md that says: Ship it on Friday", has("notes/today.md", "Ship it on Friday")),
    ("timeout", {"settings.ini": "[net]\nretries = 2\ntimeout = 30\n"}, "the timeout in settings.ini should be 45", has("settings.ini", "timeout = 45", "retries = 2")),
    ("biggest", {"stats.py": "def biggest(xs):\n    return min(xs)\n"}, "biggest() in stats.py returns the smallest; it should return the largest", python("import stats; assert stats.biggest([2, 9, 4]) == 9")),
    ("author", {"AUTHORS": "Ann Lee\nBob Ray\n"}, "append Cy Dow to AUTHORS", has("AUTHORS", "Ann Lee", "Bob Ray", "Cy Dow")),
    ("dedupe", {"words.txt": "a\nb\na\nc\nb\n"}, "remove the duplicate lines from words.txt and keep the order", same("words.txt", "a\nb\nc")),
    ("sort", {"names.txt": NAMES}, "sort the lines of names.txt alphabetically", same("names.txt", "ada\nben\nmia\nzoe")),
    ("stop", {"run.sh": "#!/bin/sh\nset -u\necho start\n"}, "make run.sh stop at the first error, with set -eu", has("run.sh", "set -eu", "echo start")),
    ("move", {"helper.py": "X = 1\n", "README.md": "# Shop\n"}, "move helper.py into a folder lib", both(has("lib/helper.py", "X = 1"), lambda folder: not (folder / "helper.py").exists())),
    ("delete", {"old.log": "old\n", "keep.log": "keep\n"}, "delete old.log", both(has("keep.log", "keep"), lambda folder: not (folder / "old.log").exists())),
    ("words", {"essay.txt": "the quick brown fox\njumps over the dog\n"}, "write how many words essay.txt has into words.txt", same("words.txt", "8")),
    ("average", {"temps.csv": "mon,10\ntue,25\nwed,34\n"}, "compute the average of the second column of temps.csv and write it to average.txt", has("average.txt", "23")),
    ("minus", {"calc.py": "def add(a, b):\n    return a + b\n"}, "add a function sub(a, b) to calc.py that returns a minus b", python("import calc; assert calc.sub(5, 3) == 2 and calc.add(2, 3) == 5")),
    ("docstring", {"geo.py": "def area(r):\n    return 3.14 * r * r\n"}, "add the docstring 'Area of a circle.' to area() in geo.py", python("import geo; assert geo.area.__doc__.strip() == 'Area of a circle.' and geo.area(1) == 3.14")),
    ("replicas", {"app.yaml": "name: shop\nreplicas: 1\nimage: shop:1\n"}, "scale to 3 replicas in app.yaml", has("app.yaml", "replicas: 3", "name: shop", "image: shop:1")),
    ("typo", {"index.html": "<h1>Wellcome</h1>\n<p>Hi</p>\n"}, "correct the spelling of Wellcome in index.html", has("index.html", "<h1>Welcome</h1>", "<p>Hi</p>")),
    ("import", {"main.py": "print(math.sqrt(16))\n"}, "main.py fails since math is not imported; mend it", lambda folder: subprocess.run(["python3", "-I", "main.py"], cwd=folder, capture_output=True, text=True, timeout=20).stdout == "4.0\n"),
    ("clamp", {"clamp.py": "def clamp(x, lo, hi):\n    if x < lo:\n        return lo\n    return x\n"}, "clamp() in clamp.py forgets the upper bound; mend it", python("import clamp; assert [clamp.clamp(x, 1, 5) for x in (0, 3, 9)] == [1, 3, 5]")),
    ("changelog", {"CHANGELOG.md": "# Changes\n\n## 1.0.0\n- first\n"}, "add a section '## 1.1.0' with the line '- faster' to CHANGELOG.md", has("CHANGELOG.md", "# Changes", "## 1.0.0", "- first", "## 1.1.0", "- faster")),
    ("blue", {"a.txt": "red apple\nred car\n"}, "replace red by blue everywhere in a.txt", same("a.txt", "blue apple\nblue car")),
    ("comment", {"conf.toml": "debug = true\nport = 1\n"}, "comment out the line debug = true in conf.toml", lambda folder: [line.replace(" ", "") for line in read(folder, "conf.toml").split("\n") if line] == ["#debug=true", "port=1"]),
]

# What a person would say the task is checked by; `--told` gives it to the run, and to the model that is asked alike.
TOLD = {
    "hello": "grep -q hello greeting.txt",
    "version": "grep -qx 1.5.0 VERSION",
    "add": "python3 -B -c 'import calc; assert calc.add(2, 3) == 5 and calc.double(4) == 8'",
    "title": "grep -qx '# Shop' README.md && grep -q 'A list of prices' README.md",
    "port": "grep -qx 'port = 8080' app.toml && grep -q host app.toml",
    "ignore": "grep -qx build/ .gitignore && grep -q log .gitignore",
    "constant": "python3 -B -c 'import limits; assert limits.MAX_USERS == 25 and limits.MAX_FILES == 5'",
    "rename": "test ! -e old_name.txt && grep -q content new_name.txt",
    "delete-line": "grep -q 'keep this' notes.txt && grep -q 'keep that' notes.txt && test $(grep -c TODO notes.txt) = 0",
    "function": "python3 -B -c 'import text; assert text.lower(\"AbC\") == \"abc\" and text.upper(\"a\") == \"A\"'",
    "json": "python3 -c 'import json; assert json.load(open(\"config.json\")) == {\"debug\": True, \"name\": \"shop\"}'",
    "greet": "python3 -B -c 'import greet; assert greet.greet(\"Ann\") == \"Hello Ann!\"'",
    "count": "grep -qx 3 count.txt",
    "sum": "grep -q 42 total.txt",
    "licence": "grep -q '# Shop' README.md && grep -q 'Licence: MIT' README.md",
    "empty": "test -f src/__init__.py && grep -q print src/app.py",
    "is-even": "python3 -B -c 'import nums; assert nums.is_even(4) and not nums.is_even(3)'",
    "default": "python3 -B -c 'import area; assert area.area(5) == 5 and area.area(2, 3) == 6'",
    "env": "grep -q 'FROM alpine:3.20' Dockerfile && grep -q RUN Dockerfile",
    "todo-list": "grep -qF -e '- [x] call Ann' todo.md && grep -qF -e '- [ ] buy milk' todo.md",
}


def project(files):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="annals-task-"))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "base"]):
        subprocess.run(git + words, cwd=folder, check=True)
    return folder


def holds(check, folder):
    try:
        return bool(check(folder))
    except Exception:
        return False


def by_annals(arguments, name, files, request, check):
    folder, home = project(files), pathlib.Path(tempfile.mkdtemp(prefix="annals-home-"))
    (home / "annals").mkdir()
    (home / "annals/config.toml").write_text(
        f'[models]\ndefault = "m"\n[models.m]\nbackend = "openai"\nurl = "{arguments.url}"\nmodel = "{arguments.model}"\n')
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home / "state")}

    def annals(*words):
        return subprocess.run([arguments.program, *words], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    annals("init")
    began = time.time()
    ran = annals("run", request, *(["--check", TOLD[name]] if arguments.told else []))
    seconds = time.time() - began
    shown = json.loads(annals("task", "show", "--json").stdout)
    end = shown["task"].get("end")
    claimed = end in ("accept", "success")
    annals("task", "apply")
    total = [sum(row[name] for row in shown["account"]) for name in ("calls", "prompt_tokens", "answer_tokens")]
    return {"end": end or "stopped: " + ran.stderr.strip()[-200:], "claimed": claimed, "done": holds(check, folder), "calls": total[0],
            "sequential": shown["sequential_calls"], "tokens": total[1] + total[2], "replans": shown["task"].get("replans", 0), "seconds": round(seconds)}


def ask(arguments, messages):
    body = {"model": arguments.model, "messages": messages, "max_tokens": 1500, "temperature": 0.7,
            "response_format": {"type": "json_schema", "json_schema": {"name": "files", "schema": SCHEMA, "strict": True}}}
    request = urllib.request.Request(arguments.url + "/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    answer = json.load(urllib.request.urlopen(request, timeout=600))
    usage = answer["usage"]
    return answer["choices"][0]["message"]["content"], usage["prompt_tokens"] + usage["completion_tokens"]


def by_asking(arguments, name, files, request, check, budget):
    """Asked once, and then again while the budget of tokens lasts; whether the first answer did it, and whether any."""
    listing = "\n".join(f"{name}:\n{text}" for name, text in files.items())
    told = f"\nIt is checked by: {TOLD[name]}" if arguments.told else ""
    messages = [{"role": "user", "content": f"{request}{told}\n\nThe files:\n{listing}\nAnswer with the files that change, each whole, as JSON."}]
    tokens, calls, first = 0, 0, None
    while calls == 0 or tokens < budget:
        try:
            answer, used = ask(arguments, messages)
        except TimeoutError:  # it went on writing without an end: that is no answer, and all that was left is used up
            answer, used = "", max(budget - tokens, 1)
        tokens, calls = tokens + used, calls + 1
        folder = project(files)
        try:
            for one in json.loads(answer)["files"]:
                path = (folder / one["path"]).resolve()
                if folder in path.parents:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(one["content"])
        except (ValueError, KeyError, OSError):
            pass
        done = holds(check, folder)
        first = done if first is None else first
        if done:
            break
        messages = messages[:1] + [{"role": "assistant", "content": answer}, {"role": "user", "content": "The check failed. Answer again, with all files that change."}]
    return {"once": first, "again": done, "calls": calls, "tokens": tokens}


def interval(differences, rounds=10_000):
    chance = random.Random(18)
    means = sorted(sum(chance.choices(differences, k=len(differences))) / len(differences) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]


def played(arguments, task):
    run = by_annals(arguments, *task)
    return {"task": task[0], "run": run, "plain": by_asking(arguments, *task, run["tokens"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "url", "model", "out"):
        parser.add_argument(name)
    parser.add_argument("--tasks", type=int, default=len(TASKS), help="the first so many of them")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at once, for a server of as many slots: it reads its weights once for all")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--told", action="store_true")
    kind.add_argument("--others", action="store_true")
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out)
    rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    left = [task for task in (OTHERS if arguments.others else TASKS)[: arguments.tasks] if not any(row["task"] == task[0] for row in rows)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for ended in concurrent.futures.as_completed([pool.submit(played, arguments, task) for task in left]):
            row = ended.result()
            rows.append(row)
            with out.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(row["task"], json.dumps(row["run"]), json.dumps(row["plain"]), flush=True)
    count = len(rows)
    share = lambda pick: sum(pick(row) for row in rows)
    false = [row["task"] for row in rows if row["run"]["claimed"] and not row["run"]["done"]]
    print(f"tasks {count}: done by the run {share(lambda r: r['run']['done'])}, claimed {share(lambda r: r['run']['claimed'])}, "
          f"false claims {len(false)} {false}; asked once {share(lambda r: r['plain']['once'])}, asked again {share(lambda r: r['plain']['again'])}")
    print(f"calls {share(lambda r: r['run']['calls'])}, tokens {share(lambda r: r['run']['tokens'])}, seconds {share(lambda r: r['run']['seconds'])}")
    for name in ("once", "again"):
        differences = [row["run"]["done"] - row["plain"][name] for row in rows]
        low, high = interval(differences)
        print(f"run - {name}: {sum(differences) / count:+.2f} ({low:+.2f} to {high:+.2f})")


if __name__ == "__main__":
    main()
