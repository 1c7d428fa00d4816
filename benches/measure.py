#!/usr/bin/env python3
"""Measures what the documents promise, and writes docs/MEASURED.md: one table.

    cargo build --release
    python3 benches/measure.py target/release/annals FOLDER [ROOM…]

FOLDER is for worlds; those that are there are used again. ROOMs: house, builds, suite, world, fold, segments, hot,
filter, search, memory, git, hostile, verify, secrets, breakers, rules, players, endless, truth, voice, mcp, executors, acting, models, agents, blame, gates,
imported; without one, all. `models` needs a server: ANNALS_MODEL_URL and ANNALS_MODEL, and adds to tasks-MODEL.jsonl, tasks-MODEL--told.jsonl and tasks-MODEL--others.jsonl of FOLDER. `fold` needs DuckDB (`pip install duckdb`), `hot` strace. A row that was not measured keeps its last figure and day. So does one taken by
hand, whose command is a document: it is written into the table. Times are medians of one run, beside a bare start of a
process (`true`) and a bare write with fdatasync in the same folder.
"""

import datetime
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

import agents as agents_rows
import house as sources
import threads

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(HERE, "docs", "MEASURED.md")
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TODAY = datetime.date.today()
HEAD = """# Measured

Made by `benches/measure.py`, which says how each figure is taken; a figure that its bar does not allow says so. Two cores,
shared with others: a time means something only beside another of the same run.

| What | Bar | Figure | Command | Day |
| --- | --- | --- | --- | --- |
"""


def ulid(at_ms, chance):
    number = at_ms << 80 | chance.getrandbits(80)
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def line(at_ms, chance, session):
    """One record of another program: no chain, and what tools print in it."""
    at = datetime.datetime.fromtimestamp(at_ms / 1000, datetime.timezone.utc)
    words = " ".join(chance.choice(WORDS) for _ in range(int(min(4000, chance.lognormvariate(4.0, 1.0)))))
    return json.dumps({
        "id": ulid(at_ms, chance), "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at_ms % 1000:03}Z",
        "session_id": f"session-{session}", "project_id": "world",
        "operation": {"type": chance.choice(["tool_call", "agent_message", "user_input"]), "name": "Bash",
                      "input": {"command": "cargo test", "cwd": "/project"}, "output": {"stdout": words},
                      "duration_ms": chance.randrange(5000), "success": chance.random() < 0.9},
        "provenance": {"agent_id": "claude", "model_id": "model"},
        "metadata": {"files_touched": [f"src/{chance.randrange(300)}.rs"]},
    }, separators=(",", ":"))


WORDS = "the build failed because value of type was expected here found test ok src main rs line error warning".split()


def world(program, folder, entries, segments):
    """A work tree of git with so many entries in so many segments; the last of them are of yesterday."""
    if os.path.exists(os.path.join(folder, "made")):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run(["git", "init", "-q", "-b", "main"], folder)
    run([program, "init"], folder)
    chance = random.Random(42)
    first = int(datetime.datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=datetime.timezone.utc).timestamp() * 1000)
    step = 30 * 86_400_000 // (entries + 1)
    history = os.path.join(folder, ".context", "history")
    files, per = {}, max(1, entries // segments)
    for number in range(entries):
        at = first - 30 * 86_400_000 + number * step
        day = datetime.datetime.fromtimestamp(at / 1000, datetime.timezone.utc).strftime("%Y-%m-%d")
        name = f"{day}.jsonl" if segments <= 31 else f"{day}.w{number // per % 7:07}.{number // per + 1}.jsonl"
        if name not in files:
            for other in files.values():
                other.close()
            files = {name: open(os.path.join(history, name), "a")}
        files[name].write(line(at, chance, number // 400) + "\n")
    for file in files.values():
        file.close()
    run(["git", "add", "-A"], folder)
    run(["git", "-c", "user.name=m", "-c", "user.email=m@annals.test", "commit", "-qm", "world"], folder)
    open(os.path.join(folder, "made"), "w").close()
    return folder


def run(command, folder, text="", env=None):
    done = subprocess.run(command, cwd=folder, input=text, text=True, capture_output=True, env=env, errors="replace")
    if done.returncode not in (0, 1):
        sys.exit(f"{command} in {folder} ended with {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def median_ms(command, folder, text="", rounds=21):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run(command, folder, text() if callable(text) else text)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def write_ms(folder, rounds=21):
    times = []
    with open(os.path.join(folder, "bare"), "ab") as file:
        for _ in range(rounds):
            start = time.perf_counter()
            os.write(file.fileno(), b"x" * 700)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def hook():
    number = random.randrange(10**12)
    return json.dumps({"session_id": "measured", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Bash",
                       "tool_use_id": f"toolu_{number}", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}})


def times(program, folder, what):
    """Rows of what people and hooks wait for in a world."""
    run([program, "session", "list"], folder)
    run([program, "hook", "claude-code"], folder, hook())
    write = write_ms(folder)
    bare = f"`true` {median_ms(['true'], folder):.1f} ms, write {write:.2f} ms"
    rows = [
        ("hook", 20, [program, "hook", "claude-code"], hook, 21),
        ("record", 20, [program, "record", "--type", "note", "--name", "n"], "", 21),
        ("session list", 20, [program, "session", "list"], "", 11),
        ("issue list", 25, [program, "issue", "list"], "", 11),
        ("log -n 20", None, [program, "log", "-n", "20"], "", 11),
        ("verify", None, [program, "verify"], "", 3),
        ("session list --fresh", None, [program, "--fresh", "session", "list"], "", 3),
    ]
    for name, most, command, text, rounds in rows:
        took = median_ms(command, folder, text, rounds)
        bar = f"≤ {most} ms above a write" if most else ""
        is_missed = most is not None and took - write > most
        yield f"{name}, {what}", bar, f"{took:.1f} ms ({bare}){missed(is_missed)}", f"`annals {name}`"


def worlds(program, folder):
    for entries, name in ((100_000, "100 k entries"), (1_000_000, "1 M entries")):
        yield from times(program, world(program, os.path.join(folder, f"world-{entries}"), entries, 30), name)


def segments(program, folder):
    yield from times(program, world(program, os.path.join(folder, "segments"), 100_000, 20_000), "100 k in 20,000 segments")


BENCH = ["cargo", "bench", "-p", "annals-engine", "--bench", "append"]
FILE_CALLS = ("statx", "newfstatat", "fstat", "openat", "openat2", "close", "pread64", "read", "lseek", "getdents64")


def calls(program, what, folder):
    """Calls of the system for each, by name: those of a thousand more."""
    counts = []
    for number in (200, 1200):
        out = os.path.join(folder, "calls")
        run(["strace", "-f", "-c", "-o", out, program, what, str(number)], HERE)
        rows = (row.split() for row in open(out) if re.match(r"\s*\d+\.\d+ ", row))
        counts.append({row[-1]: int(row[3]) for row in rows if row[-1] != "total"})
    few, many = counts
    return {name: (count - few.get(name, 0)) / 1000 for name, count in many.items() if count - few.get(name, 0) > 50}


def speeds(text):
    """What `append` prints: by threads, busy ones and contestant the rate, the ratio to a bare write with fdatasync, own CPU in
    us, and its share of the wall; and what is said of the bare one."""
    for threads, busy, rest in re.findall(r"(\d+) threads, (\d+) busy: (.+)", text):
        bare = re.search(r"write.fdatasync +(.+); bar", rest)[1]
        pattern = r"(record|decide) +([\d.]+)/s \(([\d.]+) x\), own CPU +(-?[\d.]+) us, +(\d+) %"
        for what, *figures in re.findall(pattern, rest):
            yield (int(threads), int(busy), what), [float(figure) for figure in figures], bare


def hot(_program, folder):
    """Records and decisions of one process. CPU is own: without that of a bare write and sync, which take turns with them."""
    shown = f"`{' '.join(BENCH)}`"
    text = run(BENCH, HERE)
    found = list(speeds(text))
    if not found:
        sys.exit(f"{shown} printed nothing to measure:\n{text[-2000:]}")
    rates = {case: rate for case, (rate, *_), _ in found}
    bars = {
        (1, 0, "record"): ("≥ 0.8 x bare, ≤ 30 us", lambda rate, ratio, cpu, share: ratio >= 0.8 and cpu <= 30),
        (1, 0, "decide"): ("≤ 100 us", lambda rate, ratio, cpu, share: cpu <= 100),
        # The limit is our CPU on all cores, or the disk with shared syncs.
        (64, 0, "record"): ("CPU ≥ 80 % of all cores, or ≥ 4 x bare", lambda rate, ratio, cpu, share: share >= 80 or ratio >= 4),
        (64, 0, "decide"): ("≥ 1.5 x one thread", lambda rate, ratio, cpu, share: rate >= 1.5 * rates[1, 0, "decide"]),
    }
    for case, (rate, ratio, cpu, share), bare in found:
        threads, busy, what = case
        bar, holds = bars.get(case, (None, lambda *_: True))
        figure = f"{rate:.0f}/s, {ratio:.2f} x bare ({bare}), own CPU {cpu:.1f} us, {share:.0f} % of the wall"
        if (threads, what) != (1, what) and (1, busy, what) in rates:
            figure += f", {rate / rates[1, busy, what]:.1f} x one thread"
        yield f"{what}, {threads} threads, {busy} busy beside", bar, figure + missed(not holds(rate, ratio, cpu, share)), shown
    # Cargo says where the bench is, relative to its target folder's parent.
    bench = re.search(r"\((\S*release/deps/append-[0-9a-f]+)\)", text)[1]
    for what, most in (("record", 3), ("decide", None)):
        each = calls(os.path.join(HERE, bench), what, folder)
        files = sum(count for name, count in each.items() if name in FILE_CALLS)
        named = ", ".join(f"{name} {count:.1f}" for name, count in sorted(each.items(), key=lambda call: -call[1]))
        is_missed = most is not None and files > most
        bar = f"≤ {most} beside write and sync" if most else None
        yield f"file calls of a {what}", bar, f"{files:.1f} ({named}){missed(is_missed)}", f"`strace -f -c {os.path.basename(bench)[:6]} {what} 1200`"


def cpu_seconds(command, folder, file):
    """CPU of a child that reads a file, its own and that of the system for it."""
    with open(file, "rb") as source:
        process = subprocess.Popen(command, cwd=folder, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status not in (0, 256):
        sys.exit(f"{command} ended with {status}")
    return usage.ru_utime + usage.ru_stime


def filter_room(program, folder):
    """`annals sanitize` over 100 MB of lines of a world, by the CPU that it takes: MB a second and core."""
    place = world(program, os.path.join(folder, "world-100000"), 100_000, 30)
    history, text = os.path.join(place, ".context", "history"), os.path.join(folder, "filtered")
    with open(text, "wb") as target:
        while target.tell() < 100_000_000:
            for name in sorted(os.listdir(history)):
                if name.endswith(".jsonl"):
                    with open(os.path.join(history, name), "rb") as source:
                        shutil.copyfileobj(source, target)
    size = os.path.getsize(text)
    figures = [size / 1e6 / cpu_seconds([program, "sanitize"], folder, text) for _ in range(5)]
    figure = statistics.median(figures)
    yield ("redaction through the filter", "≥ 150 MB/s a core",
           f"{figure:.0f} MB/s of CPU, {size / 1e6:.0f} MB of lines{missed(figure < 150)}", "`annals sanitize`")


DUCKDB = """import duckdb, sys
c = duckdb.connect()
c.execute("set threads=2")
c.execute("set enable_progress_bar=false")
print(len(c.execute(f\"\"\"select operation.type, operation.name, count(*)
    from read_ndjson('{sys.argv[1]}/*.jsonl', columns={{operation: 'STRUCT(type VARCHAR, name VARCHAR)'}},
    maximum_object_size=67108864) group by all\"\"\").fetchall()))"""


def fold(program, folder):
    """Folds of a million entries beside DuckDB's simplest group-by of the same files, in turns of one run."""
    place = world(program, os.path.join(folder, "world-1000000"), 1_000_000, 30)
    clone = os.path.join(folder, "clone-1000000")
    if not os.path.exists(clone):
        run(["git", "clone", "-q", place, clone], folder)
    history, local = os.path.join(clone, ".context", "history"), os.path.join(clone, ".context", "local")

    def cold():
        # A clone comes without it.
        shutil.rmtree(local, ignore_errors=True)

    contestants = {
        "duckdb": ([sys.executable, "-c", DUCKDB, history], lambda: None),
        "without": ([program, "--fresh", "session", "list", "-n", "1"], lambda: None),
        "stored": ([program, "session", "list", "-n", "1"], cold),
        "hash": ([program, "--fresh", "state", "--hash"], lambda: None),
    }
    took = {name: [] for name in contestants}
    for number in range(6):
        for name, (command, before) in contestants.items():
            before()
            seconds = median_ms(command, clone, rounds=1) / 1000
            # The first round fills the caches of the system.
            if number > 0:
                took[name].append(seconds)
    duck, without, stored, state = (statistics.median(took[name]) for name in ("duckdb", "without", "stored", "hash"))
    size = sum(os.path.getsize(os.path.join(history, name)) for name in os.listdir(history) if name.endswith(".jsonl"))
    used = cpu_seconds(contestants["duckdb"][0], clone, os.devnull)
    # A wall far above half of the CPU was not DuckDB's own doing.
    beside = f"DuckDB {duck:.2f} s, of {used:.2f} s of CPU, {size / 1e9:.2f} GB"
    rows = [
        ("fold of 1 M entries, without the minds", "≤ 0.7 x DuckDB", without, duck, 0.7, "--fresh session list -n 1"),
        ("fold of 1 M entries, with the minds and stored", "≤ 1.0 x DuckDB", stored, duck, 1.0, "session list -n 1"),
        ("first command on a cold clone, 1 M entries", "≤ 1.6 x the fold", stored, without, 1.6, "session list -n 1"),
        ("state with its hash, 1 M entries", "folds once", state, stored, None, "--fresh state --hash"),
    ]
    for what, bar, seconds, other, most, command in rows:
        is_missed = most is not None and seconds > most * other
        figure = f"{seconds:.2f} s, {seconds / other:.2f} x of {other:.2f} s ({beside}){missed(is_missed)}"
        yield what, bar, figure, f"`annals {command}`"


NEEDLE = "zyxwvut"


def search(program, folder):
    """Four searches of a person beside `grep -c` and `rg` over the same files, in turns of one run: with the index, and with none,
    which then takes in what it may when it has answered."""
    for entries, name in ((100_000, "100 k"), (1_000_000, "1 M")):
        place = world(program, os.path.join(folder, f"search-{entries}"), entries, 30)
        context = os.path.join(place, ".context")
        history, index = os.path.join(context, "history"), os.path.join(context, "local", "search")
        plant(history)
        files = sorted(os.path.join(history, file) for file in os.listdir(history) if file.endswith(".jsonl"))
        run([program, "session", "list", "-n", "1"], place)
        words = {"a common word": "expected", "a word of the newest day": NEEDLE + "new", "a word of the oldest day": NEEDLE + "old",
                 "a word that is nowhere": NEEDLE + "nowhere"}
        for state in ("without an index", "with the index"):
            shutil.rmtree(index, ignore_errors=True)
            if state == "with the index":
                run([program, "search", "--index"], place)
            for what, word in words.items():
                took, first, greps, rgs = [], [], [], []
                for number in range(6):
                    if state == "without an index":
                        shutil.rmtree(index, ignore_errors=True)
                    seconds, head = first_line([program, "search", word], place)
                    if number > 0:
                        took.append(seconds)
                        first.append(head)
                    if number in (1, 2, 3):
                        greps.append(median_ms(["grep", "-c", "-i", word, *files], place, rounds=1))
                        if shutil.which("rg"):
                            rgs.append(median_ms(["rg", "-c", "-i", word, *files], place, rounds=1))
                head, whole, grep = (statistics.median(list_) for list_ in (first, took, greps))
                rg = f", rg {statistics.median(rgs):.0f} ms" if rgs else ""
                bar = "≤ 100 ms" if entries == 1_000_000 else None
                figure = f"{head:.0f} ms to the answer, {whole:.0f} ms to the end (grep {grep:.0f} ms{rg}){missed(bar is not None and head > 100)}"
                yield f"search of {what}, {name}, {state}", bar, figure, "`annals search WORD`"


def plant(history):
    """A word into the first line of the oldest and of the newest day, once."""
    days = sorted(file for file in os.listdir(history) if file.endswith(".jsonl"))
    for day, word in ((days[0], NEEDLE + "old"), (days[-1], NEEDLE + "new")):
        path = os.path.join(history, day)
        with open(path) as file:
            text = file.read()
        if word not in text:
            with open(path, "w") as file:
                file.write(text.replace('"stdout":"', f'"stdout":"{word} ', 1))


def first_line(command, folder):
    """Milliseconds until a process ended, and until it had said anything: hits, or that there are none."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    os.read(process.stdout.fileno(), 1)
    head = (time.perf_counter() - start) * 1000
    process.stdout.read()
    process.wait()
    return (time.perf_counter() - start) * 1000, head


def peak_mb(command, folder, feed):
    """The most memory that a child had: that of the largest child of a process of its own."""
    code = ("import resource,subprocess,sys\n"
            "subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    process = subprocess.Popen([sys.executable, "-c", code, *command], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        feed(process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass
    return int(process.stdout.read()) / 1024


def memory(program, folder):
    place = os.path.join(folder, "memory")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    run([program, "init"], place)

    def prompt(pipe):
        pipe.write(b'{"session_id":"s","cwd":"/","hook_event_name":"UserPromptSubmit","prompt":"')
        for _ in range(500):
            pipe.write(b"x" * (1 << 20))
        pipe.write(b'"}')

    def exec_of(source):
        return [program, "exec", "--", "head", "-c", "500000000", source]

    rows = [("hook of 500 MB", [program, "hook", "claude-code"], prompt),
            ("exec of 500 MB of zeros", exec_of("/dev/zero"), lambda pipe: None),
            ("exec of 500 MB of noise", exec_of("/dev/urandom"), lambda pipe: None)]
    for what, command, feed in rows:
        peak = peak_mb(command, place, feed)
        yield f"memory, {what}", "≤ 256 MB", f"{peak:.0f} MB{missed(peak > 256)}", f"`{' '.join(['annals', *command[1:]])}`"
    old = os.path.join(place, ".context", "history", "2026-01-05.jsonl")
    chance, at = random.Random(1), 1_767_600_000_000
    with open(old, "w") as file:
        while file.tell() < 500_000_000:
            at += 1
            file.write(line(at, chance, 1) + "\n")
    peak = peak_mb([program, "archive", "--before", "2026-06-01"], place, lambda pipe: None)
    yield "memory, archive of 500 MB", "≤ 256 MB", f"{peak:.0f} MB{missed(peak > 256)}", "`annals archive --before 2026-06-01`"


def missed(is_missed):
    return " **missed**" if is_missed else ""


def tests(what, bar, name, env):
    """A row of a test that is its own bar: it counts, and fails where the bar is missed."""
    start = time.perf_counter()
    command = ["cargo", "test", "--test", "it", "--", name, "--nocapture"]
    # Transcripts are played in the environment of nobody.
    own = {key: value for key, value in os.environ.items() if key != "XDG_STATE_HOME"}
    done = subprocess.run(command, cwd=HERE, text=True, capture_output=True, env={**own, **env}, errors="replace")
    passed = sum(map(int, re.findall(r"ok\. (\d+) passed", done.stdout)))
    is_held = done.returncode == 0 and passed > 0
    figure = f"held by {passed} tests, {time.perf_counter() - start:.0f} s" if is_held else "**missed**"
    shown = " ".join([*(f"{key}={value}" for key, value in env.items()), *command[:-1]])
    return what, bar, figure, f"`{shown}`"


def git(_program, _folder):
    for seed in ("13", "4711", "20261122"):
        env = {"ANNALS_GIT_OPERATIONS": "2000", "ANNALS_GIT_SEED": seed}
        yield tests(f"git player, seed {seed}", "2,000 operations, nothing lost", "git_player", env)


def hostile(_program, _folder):
    yield tests("hostile repositories", "10,000 variants, nothing outside", "hostile::", {"ANNALS_HOSTILE": "10000"})


def verify(_program, _folder):
    yield tests("changes of lines found, and claims of a merge", "all; 100 of 100", "tamper::", {})
    yield tests("signed pasts written anew, found", "1,377 of 1,377", "signed::rewrite", {})
    yield tests("crashes, kills, power cuts", "no acknowledged line lost", "crash::", {})
    yield tests("orders of merging", "one state", "merge::", {})


def secrets(_program, _folder):
    done = subprocess.run(["sh", "tests/secrets/measure.sh"], cwd=HERE, text=True, capture_output=True)
    for what, figure in re.findall(r"^(.+?) \| (.+)$", done.stdout, re.MULTILINE):
        yield what, "docs/SANITIZER.md", figure, "`tests/secrets/measure.sh`"


def known_rows():
    if not os.path.exists(TABLE):
        return {}
    rows = (row.strip().strip("|").split(" | ") for row in open(TABLE) if row.startswith("| "))
    return {row[0].strip(): [cell.strip() for cell in row] for row in rows if len(row) == 5 and row[0].strip() not in ("What", "---")}


def store(rows):
    with open(TABLE, "w") as file:
        file.write(HEAD)
        file.writelines(f"| {' | '.join(row)} |\n" for row in rows.values())


def breakers(program, _):
    """Where ANNALS_THREADS names the threads and ANNALS_TRANSCRIPTS the folder of the collections."""
    tracker, root = os.environ.get("ANNALS_THREADS"), os.environ.get("ANNALS_TRANSCRIPTS")
    if not tracker or not root:
        return
    inboxes = os.path.join(root, "multi-agent/autodream-swarm/inbox-messages.jsonl")
    for what, bar, figure, keeps in threads.figures(program, tracker, inboxes, []):
        yield what, bar, figure if keeps else f"{figure} **missed**", "`benches/threads.py`"


def rules(_program, _folder):
    yield tests("states and decisions of 0.1.0", "as they were", "golden::released", {})
    yield tests("rules, policies and guards that a test names", "each", "tidy::", {})
    yield tests("replay --all after every transcript", "no difference", "cmd::", {})


def players(_program, _folder):
    command = "tests/players.py"
    done = subprocess.run([sys.executable, command], cwd=HERE, text=True, capture_output=True)
    for family, played in re.findall(r"^(\S+): played [a-z ]+: (.+) \(\d+ s\)$", done.stdout, re.MULTILINE):
        yield f"player of {family.replace('::', ' of ')}", "nothing found", played, f"`{command}`"
    found = re.search(r"^(\d+) of (\d+) holes found$", done.stdout, re.MULTILINE)
    is_all = found and found[1] == found[2]
    yield "holes in the rules, put back in turn", "each found", f"{found[0] if found else 'none'}{missed(not is_all)}", f"`{command}`"


def agents(program, _folder):
    for what, bar, figure, keeps, command in agents_rows.figures(program):
        yield what, bar, figure + missed(not keeps), f"`tests/agents/{command}`"


def voice(program, _folder):
    """What reaches the model of the real agents that are installed, and what that costs a hook."""
    rows = [("what real agents hear of what is known", "all hold", "voice.py"),
            ("CPU that the voice adds to a hook, 300 k entries", "≤ 3 ms", "voice_cost.py")]
    for what, bar, script in rows:
        done = subprocess.run([sys.executable, f"tests/agents/{script}"], cwd=HERE, text=True, capture_output=True,
                              env={**os.environ, "ANNALS": os.path.realpath(program)})
        lines = done.stdout.strip().split("\n")
        each = [line for line in lines[:-1] if " ms" in line]
        figure = lines[-1] + (f" ({'; '.join(each)})" if each else "")
        yield what, bar, figure + missed(done.returncode != 0), f"`tests/agents/{script}`"


def truth(program, _folder):
    """Where ANNALS_TRUTH names folders whose `.context` holds the sessions that `tests/truth` labels."""
    for place in filter(None, os.environ.get("ANNALS_TRUTH", "").split(":")):
        done = subprocess.run([sys.executable, "tests/truth/score.py", program, place], cwd=HERE, text=True, capture_output=True)
        for what, half, figure, bar in re.findall(r"^(\S+)  +(\S+) +(.+?) bar (\S+)", done.stdout, re.MULTILINE):
            if half == "judged":
                share = float(figure.split(" of ")[1].split()[1])
                is_missed = share < float(bar)
                yield f"truth of {what}, of sessions it was not made on", f"≥ {bar}", figure + missed(is_missed), "`tests/truth/score.py`"


def gates(program, _folder):
    """Where ANNALS_TRANSCRIPTS names folders with the requests that `tests/gates` labels."""
    folders = [place for place in os.environ.get("ANNALS_TRANSCRIPTS", "").split(":") if place]
    if not folders:
        return
    command = [sys.executable, "tests/gates/score.py", *folders, "--half", "judged"]
    done = subprocess.run(command, cwd=HERE, text=True, capture_output=True, env={**os.environ, "ANNALS": program})
    for what, bar in (("precision", 0.5), ("recall", 0.6)):
        figure = re.search(rf"{what} +(.+)", done.stdout).group(1)
        yield (f"planning gate, {what}, of prompts it was not made on", f"≥ {bar}", figure + missed(float(figure[:4]) < bar),
               "`tests/gates/score.py TRANSCRIPTS… --half judged`")


def imported(program, folder):
    """Where ANNALS_TRANSCRIPTS names folders with real transcripts: each imported at once into an empty project."""
    for place in filter(None, os.environ.get("ANNALS_TRANSCRIPTS", "").split(":")):
        files = [os.path.join(root, name) for root, _, names in os.walk(place) for name in names]
        project = os.path.join(folder, "imported")
        shutil.rmtree(project, ignore_errors=True)
        os.makedirs(project)
        subprocess.run([program, "init", "--git", "nothing"], cwd=project, check=True, capture_output=True)
        start = time.monotonic()
        done = subprocess.run([program, "import", place], cwd=project, check=True, capture_output=True, text=True)
        took, megabytes = time.monotonic() - start, sum(map(os.path.getsize, files)) / 1e6
        sessions = done.stdout.split("\n", 1)[0]
        yield (f"import of {len(files)} real transcripts at once", "–",
               f"{took:.1f} s, {megabytes / took:.0f} MB/s ({sessions})", "`annals import FOLDER`")


def mcp(program, _folder):
    """What clients of the Model Context Protocol find, as far as they are installed."""
    script = "tests/agents/mcp.py"
    done = subprocess.run([sys.executable, script], cwd=HERE, text=True, capture_output=True,
                          env={**os.environ, "ANNALS": os.path.realpath(program)})
    lines = done.stdout.strip().split("\n")
    each = [line.rpartition(":")[0] for line in lines[:-1] if "checks" in line or "strict" in line]
    yield "what clients of the Model Context Protocol find", "all hold", f"{lines[-1]} ({'; '.join(each)}){missed(done.returncode != 0)}", f"`{script}`"


def executors(program, _folder):
    """Tasks that real agents do as executors, as far as they are installed."""
    script = "tests/agents/executors.py"
    done = subprocess.run([sys.executable, script], cwd=HERE, text=True, capture_output=True,
                          env={**os.environ, "ANNALS": os.path.realpath(program)})
    lines = [line for line in done.stdout.split("\n") if re.match(r"(claude|codex) \w+: ", line)]
    good = [line for line in lines if ": as expected (" in line]
    if lines:
        each = "; ".join(f"{line.partition(':')[0]} {line.rpartition('(')[2].partition(',')[0]}" for line in lines)
        yield ("tasks with real agents as executors: done, only claimed, hostile, refused by its server", "each as it must end",
               f"{len(good)} of {len(lines)} ({each}){missed(len(good) < len(lines))}", f"`{script}`")


def acting(program, _folder):
    """Runs of the loop that are killed, that want out, and what is ours of their time."""
    script = "tests/agents/acting.py"
    rows = [("kills at random moments of a run, each gone on with", "as undisturbed, replayed whole without a network", ["kills"]),
            ("attempts of a hostile model to get out, or to be believed", "none", ["escapes"]),
            ("our own time an effect of a task", "≤ 10 ms", ["overhead"])]
    for what, bar, words in rows:
        done = subprocess.run([sys.executable, script, os.path.realpath(program), *words], cwd=HERE, text=True, capture_output=True)
        said = [line for line in done.stdout.split("\n") if line and not line.startswith(("held", "BROKEN"))]
        yield what, bar, f"{said[-1] if said else 'it did not run'}{missed(done.returncode != 0)}", f"`{script} PROGRAM {words[0]}`"


def laws(_program, _folder):
    """Whole tasks with answers of every sort in worlds of every sort; and many tasks at once in one process."""
    for what, bar, env, words in [
        ("properties of the roles and of the loop, cases of each; none breaks a law or an arrow of the bus", "100,000",
         {"PROPTEST_CASES": "100000"}, ["--release", "-p", "annals-role", "laws"]),
        ("scripted tasks at once in one process", "1,000, no message lost", {"ANNALS_TASKS": "1000"}, ["--release", "-p", "annals-act", "of_many"]),
    ]:
        start = time.perf_counter()
        command = ["cargo", "test", *words]
        done = subprocess.run(command, cwd=HERE, text=True, capture_output=True, env={**os.environ, **env}, errors="replace")
        passed = sum(map(int, re.findall(r"ok\. (\d+) passed", done.stdout)))
        is_held = done.returncode == 0 and passed > 0
        count = next(iter(env.values()))
        figure = f"{int(count):,} in each of {passed} tests, {time.perf_counter() - start:.0f} s with the build" if is_held else "**missed**"
        yield what, bar, figure, f"`{' '.join(f'{key}={value}' for key, value in env.items())} {' '.join(command)}`"


def solver(_program, _folder):
    """The solver on a plant whose tools and approaches fail with given odds, beside its rivals; and weights that do better."""
    command = ["cargo", "run", "--release", "-q", "-p", "annals-role", "--example", "plant"]
    said = subprocess.run(command, cwd=HERE, text=True, capture_output=True, check=True).stdout.split("\n")
    plant, leads, thrash = "", {}, {}
    for text in said[2:]:
        plant, who, rest = text[:28].strip() or plant, text[29:44].strip(), text[44:]
        if found := re.search(r"([+-][\d.]+ ±[\d.]+) (wins|loses|even)", rest):
            leads.setdefault(who, []).append((plant, found[1], found[2]))
        if figures := re.search(r"\) +[\d.]+ +[\d.]+ ±[\d.]+ +[\d.]+ +([\d.]+)", rest):
            thrash.setdefault(who, []).append(float(figures[1]))
    for who, rows in leads.items():
        lost = [plant for plant, _, end in rows if end != "wins"]
        figure = "; ".join(f"{plant} {lead}" for plant, lead, _ in rows)
        yield (f"solver beside {who}, a simulated plant, 10,000 tasks a row: success at equal cost, in points (95 %)",
               "> 0, or said where not", f"{figure}; does not win: {', '.join(lost) or 'nowhere'}", f"`{' '.join(command)}`")
    yield ("thrashing on that plant, in % of calls", "–", "; ".join(f"{who} {min(rows):.1f} to {max(rows):.1f}" for who, rows in thrash.items()),
           f"`{' '.join(command)}`")
    command += ["--", "--search", "yes", "--tasks", "4000"]
    said = subprocess.run(command, cwd=HERE, text=True, capture_output=True, check=True).stdout
    parts = []
    for line in filter(None, (re.sub(r"\s+", " ", line).strip() for line in said.partition("weights found")[2].split("\n")[1:])):
        if line.startswith("ggs"):
            parts.append([line])
        elif parts:
            parts[-1].append(line)
    ends = lambda rows: ", ".join(f"{word} {sum(row.count(f' {word}') for row in rows)}" for word in ("wins", "even", "loses"))
    figure = "; ".join(f"{title} {rows[0] if len(rows) == 1 else ends(rows)}" for title, *rows in parts)
    yield ("weights for the rows that are lost, chosen on one half of the tasks, judged on the other (before, with the defaults)", "–",
           figure.replace("|", "/"), f"`{' '.join(command)}`")


def models(program, folder):
    """Small tasks by a real model, as far as a server of one is named."""
    url, model = os.environ.get("ANNALS_MODEL_URL"), os.environ.get("ANNALS_MODEL")
    if not (url and model):
        return
    for told, what in [(["--told"], "checked by a command that the person gives to all of them"), ([], "with no word of what checks them"),
                        (["--others"], "others, which no rule of the loop was chosen on, with no word of what checks them")]:
        out = os.path.join(folder, f"tasks-{model}{''.join(told)}.jsonl")
        command = [sys.executable, "tests/agents/tasks.py", os.path.realpath(program), url, model, out,
                   "--tasks", os.environ.get("ANNALS_MODEL_TASKS", "20"), *told]
        done = subprocess.run(command, cwd=HERE, text=True, capture_output=True)
        said = [line for line in done.stdout.split("\n") if line.startswith(("tasks ", "calls ", "run - "))]
        lows = [float(low) for low in re.findall(r"^run - .* \(([+-][\d.]+) to", done.stdout, re.MULTILINE)]
        is_short = not lows or min(lows) < -0.1 or "false claims 0 " not in done.stdout
        yield (f"small tasks by {model} behind `annals run`, {what}, beside it asked once and asked again at equal tokens",
               "no false claim; lower bound of the paired difference ≥ -0.1", f"{'; '.join(said)}{missed(is_short)}",
               f"`{' '.join(['tests/agents/tasks.py PROGRAM URL MODEL OUT', *told])}`")


def blame(program, folder):
    """Whose lines are, in made repositories, and how long that takes in a long history."""
    command = "tests/blame/make.py PROGRAM 1000 1200"
    done = subprocess.run([sys.executable, "tests/blame/make.py", program, "1000", "1200"], cwd=HERE, text=True, capture_output=True)
    figure = done.stdout.strip().rpartition("\n")[2]
    yield ("lines of agents given to their call, of a person to none (seeds that no rule was chosen on)", "≥ 95 %, none",
           figure + missed(done.returncode != 0), f"`{command}`")
    place = world(program, os.path.join(folder, "w300k"), 300_000, 30)
    os.makedirs(os.path.join(place, "src"), exist_ok=True)
    path = os.path.join(place, "src", "7.rs")
    with open(path, "w") as file:
        file.writelines(f"line {number}\n" for number in range(300))
    took = median_ms([program, "blame", "src/7.rs"], place, rounds=7)
    bare = median_ms(["true"], place)
    yield "`annals blame FILE`, 300 k entries", "≤ 1000 ms", f"{took:.0f} ms (a bare process {bare:.1f} ms){missed(took > 1000)}", "`benches/measure.py`"


def endless(program, _folder):
    """Histories in which one word stands again and again."""
    done = subprocess.run([sys.executable, "tests/endless.py", program], cwd=HERE, text=True, capture_output=True)
    figure = done.stdout.strip().rpartition("\n")[2]
    yield "one word without end, in each place of an entry", "none over 3 s", figure + missed(done.returncode != 0), "`tests/endless.py`"


MOST_LINES = 80_000


# The last commit before the house was made simpler.
BEFORE = "f49f717"


def house(_program, folder):
    """What bounds the size of the sources, beside what it was at `BEFORE`."""
    old = os.path.join(folder, "before")
    os.makedirs(old, exist_ok=True)
    packed = subprocess.run(["git", "archive", BEFORE, "src"], cwd=HERE, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", old], input=packed, check=True)
    for (what, was), (_, figure) in zip(sources.figures(old), sources.figures(HERE)):
        is_lines = what == "lines of code"
        is_missed = is_lines and int(figure.replace(",", "")) > MOST_LINES
        figure = f"{figure} (before: {was})"
        yield what, f"≤ {MOST_LINES:,}" if is_lines else None, figure + missed(is_missed), "`benches/house.py`"


# One line more in each of these; it stays until the end, so that each build has to do with one of them only.
CHANGES = [("`src/cli`", "src/cli/status.rs", 0.25), ("a room", "crates/rules/src/domain/notice.rs", None),
           ("the log", "crates/log/src/writer.rs", None)]


def builds(_program, folder):
    """A release build in an empty target, on the cores there are, and again after a line more in one file."""
    target = os.path.join(folder, "target")
    shutil.rmtree(target, ignore_errors=True)
    before = {path: open(os.path.join(HERE, path), encoding="utf-8").read() for _, path, _ in CHANGES}

    def seconds():
        begun = time.monotonic()
        run(["cargo", "build", "--release", "--locked", "--target-dir", target], HERE)
        return time.monotonic() - begun

    try:
        whole = seconds()
        yield "release build, empty target", "≤ 281 s", f"{whole:.0f} s{missed(whole > 281)}", "`cargo build --release`"
        for where, path, most in CHANGES:
            with open(os.path.join(HERE, path), "a", encoding="utf-8") as file:
                file.write("// A line more.\n")
            again = seconds()
            is_missed = most is not None and again > most * whole
            bar = f"≤ {most * 100:.0f} % of it" if most else None
            figure = f"{again:.0f} s, {again * 100 / whole:.1f} %{missed(is_missed)}"
            yield f"release build after a line in {where}", bar, figure, "`cargo build --release`"
    finally:
        for path, text in before.items():
            with open(os.path.join(HERE, path), "w", encoding="utf-8") as file:
                file.write(text)


def suite(_program, _folder):
    """All tests, built before: the wall of the whole, and the slowest ones, as libtest says (`--report-time`)."""
    own = {key: value for key, value in os.environ.items() if key != "XDG_STATE_HOME"}
    command = ["cargo", "test", "--workspace"]
    built = subprocess.run([*command, "--no-run", "--message-format=json"], cwd=HERE, text=True, capture_output=True, env=own)
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    programs = [(message["executable"], message["manifest_path"]) for message in messages
                if message.get("executable") and message["profile"]["test"]]
    if not programs:
        sys.exit(f"no tests were built: {built.stderr[-2000:]}")
    tests, whole, failed = [], 0, 0
    for executable, manifest in programs:
        begun = time.monotonic()
        # A flag of the nightly one, which this variable lets the stable one take.
        done = subprocess.run([executable, "-Z", "unstable-options", "--report-time"], cwd=os.path.dirname(manifest), text=True,
                              capture_output=True, errors="replace",
                              env={**own, "RUSTC_BOOTSTRAP": "1", "CARGO_MANIFEST_DIR": os.path.dirname(manifest)})
        whole += time.monotonic() - begun
        tests += [(float(took), name) for name, took in re.findall(r"^test (\S+).* \.\.\. \w+ <([\d.]+)s>$", done.stdout, re.MULTILINE)]
        failed += done.returncode != 0
    said = f", {failed} programs **failed**" if failed else ""
    yield "the suite, running", "≤ 180 s on two cores", f"{whole:.0f} s, {len(tests)} tests{said}{missed(whole > 180)}", "`cargo test`"
    slowest = sorted(tests, reverse=True)[:5]
    named = ", ".join(f"`{name}` {took:.0f} s" for took, name in slowest)
    yield "the slowest tests", "≤ 20 s", named + missed(slowest[0][0] > 20), "`cargo test -- --report-time`"


ROOMS = {"house": house, "builds": builds, "suite": suite, "world": worlds, "fold": fold, "segments": segments, "hot": hot,
         "filter": filter_room, "search": search, "memory": memory, "git": git, "hostile": hostile, "verify": verify, "secrets": secrets,
         "breakers": breakers, "rules": rules, "players": players, "endless": endless, "truth": truth, "voice": voice, "mcp": mcp, "executors": executors, "acting": acting, "models": models, "laws": laws, "solver": solver,
         "agents": agents, "blame": blame, "gates": gates, "imported": imported}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(ROOMS):
        sys.exit(__doc__)
    program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    for room in sys.argv[3:] or ROOMS:
        for what, bar, figure, command in ROOMS[room](program, folder):
            rows = known_rows()
            rows[what] = [what, bar or "–", figure, command.replace("|", "\\|"), str(TODAY)]
            store(rows)
            print(f"{what}: {figure}", flush=True)


if __name__ == "__main__":
    main()
