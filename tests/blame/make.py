#!/usr/bin/env python3
"""Makes repositories in which agents, a person and git edit files, and holds `annals blame` against who wrote each line.

    python3 tests/blame/make.py PROGRAM [FIRST LAST]

For each seed a repository of its own: sessions of Claude Code, Codex, Gemini CLI and Copilot CLI, written as those tools
keep them and imported; a person who edits between them, also types what an agent wrote before; commits, branches, merges,
reverts, amended and rebased commits, renames; calls that fail; sessions in another folder. The rules were chosen on seeds
below 100: judge on others. Prints a row a kind, then lines that were given wrongly, then `held` or `MISSED`.

What no record can show is not made: a line that goes and comes again while nobody looks, and lines that slide. What no reader
could tell is made, counted and left out: a line of a text that a person changed or a call wrote as a whole, where the text
before and the one behind line up in several ways that keep as many lines in as few pieces, and these ways give the line to
different writers (of two equal neighbours one goes). It is left out from that step on, wherever it came from.
"""

import collections
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

WORDS = "let value count open total name line file read index".split()
TRIVIAL = ["}", "", "    }", "    return x;", "else {", "import os"]
START = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)


class Line:
    def __init__(self, text, by=None):
        self.text, self.by, self.doubt = text, by, False


# What is kept above or below a place counts the lines; of as many, the fewest pieces are best.
KEPT = 1 << 32


def weighed(old, new):
    """The weight of the best way to line up what stands above each place, and what the last step did: 1 kept a line."""
    weights = {(0, 0): [0, -1]}
    for i in range(len(old) + 1):
        for j in range(len(new) + 1):
            if i == j == 0:
                continue
            gaps = [max(weights[at]) for at in ((i - 1, j), (i, j - 1)) if at in weights]
            kept = [-1]
            if i and j and old[i - 1].text == new[j - 1].text:
                before = weights[i - 1, j - 1]
                kept = [before[0] + KEPT - 1 if before[0] >= 0 else -1, before[1] + KEPT if before[1] >= 0 else -1]
            weights[i, j] = [max(gaps), max(kept)]
    return weights


def doubtful(old, new, by):
    """Places of a text that somebody made of an old one, of which no reader of both can say whose the line is.

    A reader lines both up so that the most lines stay, in the fewest pieces. Where several ways are as good, and they give a
    line to different writers, it is doubtful.
    """
    down, up = weighed(old, new), weighed(old[::-1], new[::-1])
    rows, columns = len(old), len(new)
    whole = max(down[rows, columns])

    def best(above, below):
        """With the lines above a place in the old and the new text, and those below one; a piece may go on over it."""
        over, under = down[above], up[rows - below[0], columns - below[1]]
        return max(over[a] + under[b] for a in (0, 1) for b in (0, 1) if over[a] >= 0 and under[b] >= 0)

    def keeps(i, j):
        over, under = down[i, j], up[rows - i - 1, columns - j - 1]
        ways = [over[a] + under[b] + KEPT - 1 + a + b for a in (0, 1) for b in (0, 1) if over[a] >= 0 and under[b] >= 0]
        return old[i].text == new[j].text and max(ways) == whole
    places = set()
    for j in range(columns):
        marks = {old[i].by for i in range(rows) if keeps(i, j)}
        if any(best((i, j), (i, j + 1)) == whole for i in range(rows + 1)):
            marks.add(by)
        if len(marks) > 1:
            places.add(j)
    return places


def joined(lines):
    return "".join(f"{line}\n" for line in lines)


def hunk(old, at, gone, new):
    first, last = max(0, at - 3), min(len(old), at + gone + 3)
    return ([f" {x}" for x in old[first:at]] + [f"-{x}" for x in old[at:at + gone]] + [f"+{x}" for x in new]
            + [f" {x}" for x in old[at + gone:last]]), first, last


def exchanged(old, at, gone, new):
    whole, first, last = joined(old), at, at + gone
    while True:
        before = joined(old[first:last])
        # Lines that overlap count: `a a` stands in `a a a` twice.
        if before and len(re.findall(f"(?={re.escape(before)})", whole)) == 1:
            return before, joined(old[first:at]) + joined(new) + joined(old[at + gone:last])
        if first == 0 and last == len(old):
            return None
        first, last = max(0, first - 1), min(len(old), last + 1)


# What a call of each kind says: tool, arguments, result; None where the kind cannot make the change.
def edit(path, old, at, gone, new):
    pair = exchanged(old, at, gone, new)
    if not pair:
        return None
    lines, first, last = hunk(old, at, gone, new)
    patch = [{"oldStart": first + 1, "oldLines": last - first, "newStart": first + 1, "newLines": last - first - gone + len(new), "lines": lines}]
    return "Edit", {"file_path": path, "old_string": pair[0], "new_string": pair[1]}, {"filePath": path, "structuredPatch": patch, "userModified": False}


def bare_edit(path, old, at, gone, new):
    pair = exchanged(old, at, gone, new)
    return pair and ("MultiEdit", {"file_path": path, "edits": [{"old_string": pair[0], "new_string": pair[1]}]}, {})


def write(path, old, at, gone, new):
    lines, first, last = hunk(old, at, gone, new)
    patch = [{"oldStart": first + 1, "oldLines": last - first, "newStart": first + 1, "newLines": last - first - gone + len(new), "lines": lines}]
    text = joined(old[:at] + new + old[at + gone:])
    return "Write", {"file_path": path, "content": text}, {"type": "update", "filePath": path, "content": text, "structuredPatch": patch}


def patch_text(path, old, at, gone, new):
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n" + joined(hunk(old, at, gone, new)[0]) + "*** End Patch"


def patch(path, old, at, gone, new):
    return "apply_patch", patch_text(path, old, at, gone, new), "Success. Updated the following files:"


def shell_patch(path, old, at, gone, new):
    return "sh", f"apply_patch <<'EOF'\n{patch_text(path, old, at, gone, new)}\nEOF", ""


def heredoc(path, old, at, gone, new):
    return "sh", f"cat > {path} <<'EOF'\n{joined(old[:at] + new + old[at + gone:])}EOF", ""


def append(path, old, at, gone, new):
    return at == len(old) and gone == 0 and ("sh", f"cat >> {path} <<'EOF'\n{joined(new)}EOF", "") or None


def sed(path, old, at, gone, new):
    if gone and not new:
        return "sh", f"sed -i '{at + 1},{at + gone}d' {path}", ""
    if gone == 1 and len(new) == 1:
        return "sh", f"sed -i '{at + 1}s/.*/{new[0]}/' {path}", ""
    return None


def failing(path, old, at, gone, new):
    return at == len(old) and gone == 0 and ("sh!", f"cat >> {path} <<'EOF'\n{joined(new)}EOF\npython -m pytest", "1 failed") or None


def replace(path, old, at, gone, new):
    pair = exchanged(old, at, gone, new)
    return pair and ("replace", {"file_path": path, "old_string": pair[0], "new_string": pair[1]}, "Successfully modified file")


def write_file(path, old, at, gone, new):
    return "write_file", {"file_path": path, "content": joined(old[:at] + new + old[at + gone:])}, f"Successfully overwrote file: {path}"


def copilot_edit(path, old, at, gone, new):
    pair = exchanged(old, at, gone, new)
    return pair and ("edit", {"path": path, "old_str": pair[0], "new_str": pair[1]}, "File updated")


KINDS = {
    "claude-code": {"Edit": edit, "MultiEdit": bare_edit, "Write": write, "heredoc": heredoc, "append": append, "sed": sed, "failing": failing},
    "codex": {"apply_patch": patch, "shell patch": shell_patch, "codex heredoc": heredoc, "codex append": append, "codex sed": sed},
    "gemini-cli": {"replace": replace, "write_file": write_file, "gemini sed": sed},
    "copilot-cli": {"edit": copilot_edit, "copilot heredoc": heredoc, "copilot append": append},
}
# Who reads that these changed a text has only the text before and the one behind.
UNPLACED = {"Write", "heredoc", "write_file", "codex heredoc", "copilot heredoc"}
WHOLE = {"heredoc", "codex heredoc", "write_file", "copilot heredoc"}


class Player:
    def __init__(self, program, seed, folder):
        self.program, self.seed, self.chance = program, seed, random.Random(seed)
        self.root, self.home = os.path.join(folder, "project"), os.path.join(folder, "home")
        os.makedirs(os.path.join(self.root, "src"))
        os.makedirs(self.home)
        self.now, self.path, self.tree = START, "src/a.rs", []
        self.sessions, self.number, self.kinds, self.calls = [], 0, {}, 0
        self.came, self.went, self.graves = set(), set(), []
        self.known, self.clean, self.truth = False, False, {}
        self.git("init", "-q", "-b", "main")
        self.annals("init", "--git", "nothing")
        self.tree = [Line(self.text()) for _ in range(5 + self.chance.randrange(25))]
        self.save()
        self.commit()

    def env(self):
        at = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (("NAME", "A"), ("EMAIL", "a@b"), ("DATE", at))}
        return {"PATH": os.environ["PATH"], "HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1", **who}

    def git(self, *words, check=True):
        done = subprocess.run(["git", *words], cwd=self.root, env=self.env(), text=True, capture_output=True)
        if check and done.returncode:
            raise RuntimeError(f"seed {self.seed}: git {words}: {done.stderr}")
        return done.stdout.strip()

    def annals(self, *words):
        done = subprocess.run([self.program, *words], cwd=self.root, env=self.env(), text=True, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"seed {self.seed}: annals {words}: {done.stderr}")
        return done.stdout

    def save(self):
        with open(os.path.join(self.root, self.path), "w") as file:
            file.write(joined(line.text for line in self.tree))

    def texts(self):
        return [line.text for line in self.tree]

    def text(self):
        draw = self.chance.random()
        if draw < 0.25:
            return self.chance.choice(TRIVIAL)
        if draw < 0.35 and self.tree:
            return self.chance.choice(self.tree).text
        if draw < 0.43 and self.graves:
            return self.chance.choice(self.graves)
        word = lambda: self.chance.choice(WORDS)
        return f"    {word()} {word()} = {word()}({self.chance.randrange(60)})"

    def change(self, at=None, gone=None, most=4):
        while True:
            place = self.chance.randrange(len(self.tree) + 1) if at is None else at
            count = min(self.chance.randrange(4), len(self.tree) - place) if gone is None else min(gone, len(self.tree) - place)
            new = [self.text() for _ in range(self.chance.randrange(most + 1))]
            old, texts = self.texts()[place:place + count], self.texts()
            before = texts[place - 1] if place else None
            after = texts[place + count] if place + count < len(texts) else None
            slides = lambda lines: bool(lines) and (lines[0] == after or lines[-1] == before)
            if (new or count) and not slides(new) and not slides(old) and not set(new) & set(old):
                return place, count, new

    def pass_time(self):
        self.now += datetime.timedelta(seconds=2 + self.chance.randrange(900))

    def apply(self, change, by):
        at, gone, new = change
        self.graves += [line.text for line in self.tree[at:at + gone]]
        whole = self.tree[:at] + [Line(text, by) for text in new] + self.tree[at + gone:]
        if by is None or self.kinds[by] in UNPLACED:
            for place in doubtful(self.tree, whole, by):
                # Another branch may have the same line without doubt.
                whole[place] = Line(whole[place].text, whole[place].by)
                whole[place].doubt = True
        self.tree = whole
        self.clean = False
        self.save()

    def seen(self):
        self.came, self.went = set(), set()

    # Sessions: what each tool keeps is made at the end.
    def session(self):
        own = [session for session in self.sessions if session["cwd"] == self.root]
        if not own or self.chance.random() < 0.2:
            self.number += 1
            tool = self.chance.choice(list(KINDS))
            self.sessions.append({"tool": tool, "id": f"{self.seed:08}-0000-4000-8000-{self.number:012}", "cwd": self.root,
                                  "at": self.now, "steps": [("prompt", f"Prompt {self.number}", self.now)]})
            self.pass_time()
            own = self.sessions
        return own[-1]

    def call(self, session, tool, arguments, result, failed=False):
        self.pass_time()
        self.calls += 1
        name = f"call{self.seed}x{self.calls}"
        session["steps"].append(("call", name, tool, arguments, result, failed, self.now))
        return name

    def agent(self):
        session = self.session()
        kinds = KINDS[session["tool"]]
        kind = self.chance.choice(list(kinds))
        if kind in WHOLE and not self.known:
            self.look(session)
            if not self.known:
                return
        for _ in range(30):
            ends = kind in ("append", "codex append", "copilot append", "failing")
            change = self.change(len(self.tree), 0) if ends else self.change()
            made = kinds[kind](self.path, self.texts(), *change)
            if made:
                break
        else:
            return
        tool, arguments, result = made
        if self.chance.random() < 0.08:
            self.call(session, tool.rstrip("!"), arguments, "error: it was refused", True)
            return
        name = self.call(session, tool.rstrip("!"), arguments, result, tool.endswith("!"))
        self.kinds[name] = kind
        self.apply(change, name)
        if kind in WHOLE or kind == "Write":
            self.seen()

    def look(self, session=None):
        session = session or self.session()
        text = joined(self.texts())
        if not self.tree or not self.tree[-1].text:
            return
        if session["tool"] == "claude-code":
            lines = len(self.tree)
            file = {"filePath": self.path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
            self.call(session, "Read", {"file_path": self.path}, {"type": "text", "file": file})
        else:
            self.call(session, "sh", f"cat {self.path}", text)
        self.seen()
        self.known = True

    def person(self):
        change = self.change()
        at, gone, new = change
        old = self.texts()[at:at + gone]
        if set(new) & self.went or set(old) & self.came:
            return
        self.pass_time()
        self.came |= set(new)
        self.went |= set(old)
        self.apply(change, None)
        self.known = False

    def elsewhere(self):
        """A session in a copy, which writes what a person writes here, too."""
        change = self.change()
        self.number += 1
        text = joined(self.texts()[:change[0]] + change[2] + self.texts()[change[0] + change[1]:])
        session = {"tool": "claude-code", "id": f"{self.seed:08}-0000-4000-9000-{self.number:012}", "cwd": "/elsewhere/copy",
                   "at": self.now, "steps": [("prompt", "Elsewhere", self.now)]}
        self.sessions.insert(0, session)
        self.call(session, "Write", {"file_path": f"/elsewhere/copy/{self.path}", "content": text}, {})
        if not set(change[2]) & self.went and not set(self.texts()[change[0]:change[0] + change[1]]) & self.came:
            self.came |= set(change[2])
            self.went |= set(self.texts()[change[0]:change[0] + change[1]])
            self.pass_time()
            self.apply(change, None)
            self.known = False

    def commit(self, *words):
        self.pass_time()
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work", *words)
        self.keep()

    def keep(self):
        self.truth[self.git("rev-parse", "HEAD")] = (self.path, list(self.tree))
        self.clean = True
        self.seen()

    def settle(self):
        if not self.clean:
            self.commit()

    def load(self):
        self.path, tree = self.truth[self.git("rev-parse", "HEAD")]
        self.tree = list(tree)
        self.known, self.clean = False, True
        self.seen()

    def branch(self):
        self.settle()
        self.pass_time()
        names = self.git("branch", "--format=%(refname:short)").split()
        if len(names) < 3:
            back = self.chance.randrange(3)
            start = f"HEAD~{back}" if self.git("rev-parse", "-q", "--verify", f"HEAD~{back}", check=False) else "HEAD"
            self.git("switch", "-q", "-c", f"b{len(names)}", start)
        else:
            self.git("switch", "-q", self.chance.choice(names))
        self.load()

    def merge(self):
        """Merges another branch where git does so alone."""
        self.settle()
        own, names = self.git("branch", "--show-current"), self.git("branch", "--format=%(refname:short)").split()
        others = [name for name in names if name != own]
        if not others:
            return
        self.pass_time()
        other = self.chance.choice(others)
        theirs = {}
        base = self.git("merge-base", own, other)
        old, left, right = ([line.text for line in self.truth[self.git("rev-parse", x)][1]] for x in (base, own, other))
        self.git("merge", "-q", "--no-edit", other, check=False)
        if self.git("status", "--porcelain", "--untracked-files=no") or self.path != self.truth[self.git("rev-parse", other)][0]:
            self.git("merge", "--abort", check=False)
            self.git("reset", "-q", "--hard", f"{own}@{{0}}" if False else "HEAD")
            head = self.git("rev-parse", "HEAD")
            if head in self.truth:
                self.load()
                return
        head = self.git("rev-parse", "HEAD")
        if head in self.truth:
            self.load()
            return
        tree, file = None, os.path.join(self.root, self.path)
        if os.path.exists(file):
            merged = open(file).read().split("\n")[:-1]
            tree = three_way(merged, self.tree, self.truth[self.git("rev-parse", other)][1], self.truth[base][1])
        if tree is None:
            # Whose a line is cannot be said without doubt: nothing is made of it.
            self.git("reset", "-q", "--hard", "HEAD~1")
            self.load()
            return
        self.tree = tree
        self.keep()
        self.known = False

    def revert(self):
        self.settle()
        if not self.git("rev-parse", "-q", "--verify", "HEAD~1", check=False) or self.git("rev-parse", "-q", "--verify", "HEAD^2", check=False):
            return
        before = self.truth[self.git("rev-parse", "HEAD~1")]
        if before[0] != self.path:
            return
        self.pass_time()
        self.git("revert", "--no-edit", "HEAD", check=False)
        if self.git("status", "--porcelain", "--untracked-files=no"):
            self.git("revert", "--abort", check=False)
            return
        self.tree = list(before[1])
        self.keep()
        self.known = False

    def amend(self):
        if not self.clean and not self.git("branch", "--format=%(refname:short)").split()[1:]:
            self.commit("--amend")

    def rename(self):
        self.settle()
        self.pass_time()
        to = f"src/{self.chance.choice('abcdef')}.rs"
        if to == self.path or os.path.exists(os.path.join(self.root, to)):
            return
        if self.chance.random() < 0.5:
            session = self.session()
            self.call(session, "sh", f"git mv {self.path} {to}", "")
        self.git("mv", self.path, to)
        self.path = to
        self.commit()

    def play(self, steps):
        deeds = [self.agent] * 10 + [self.person] * 5 + [self.look] * 2 + [self.commit] * 3
        deeds += [self.branch, self.merge, self.revert, self.amend, self.elsewhere]
        for _ in range(steps):
            self.chance.choice(deeds)()
            if self.chance.random() < 0.02:
                self.rename()
        written = os.path.join(self.home, "kept")
        for number, session in enumerate(self.sessions):
            folder = os.path.join(written, session["tool"])
            os.makedirs(folder, exist_ok=True)
            WRITERS[session["tool"]](session, os.path.join(folder, f"{number}"))
        for tool in KINDS:
            if os.path.exists(os.path.join(written, tool)):
                self.annals("import", tool, os.path.join(written, tool))

    def judge(self, score):
        answer = json.loads(self.annals("blame", self.path, "--json"))
        records = {}
        for call in answer["calls"]:
            shown = json.loads(self.annals("show", call["entry"], "--json"))
            records[call["entry"]] = shown["entries"][0]["entry"]["extensions"]["annals"]["source"]["record"]
        for number, (line, told) in enumerate(zip(self.tree, answer["lines"]), 1):
            given = records.get(told["call"]) if told["call"] else None
            if line.doubt:
                score["doubtful"] += 1
            elif line.by is None and given is None:
                score["persons"] += 1
            elif line.by == given:
                score["right"][self.kinds[line.by]] += 1
            elif given is None:
                score["missed"][self.kinds[line.by]] += 1
            else:
                whose = self.kinds.get(line.by, "a person") if line.by else "a person"
                score["wrong"].append(f"seed {self.seed} {self.path}:{number} {line.text!r}: of {whose}, given to {self.kinds.get(given, given)}")
        if len(self.tree) != len(answer["lines"]):
            score["wrong"].append(f"seed {self.seed}: {len(answer['lines'])} lines of {len(self.tree)}")


def three_way(merged, own, other, base):
    """Whose the lines of a merge are, where each has one way of coming."""
    texts = [line.text for line in own]
    tree, at, new = [], 0, collections.Counter(line.text for line in other)
    for text in merged:
        if at < len(own) and own[at].text == text:
            tree.append(own[at])
            at += 1
            continue
        later = texts.index(text, at) if text in texts[at:] else None
        theirs = [line for line in other if line.text == text]
        if new[text] == 1 and later is None and len(theirs) == 1:
            tree.append(theirs[0])
        elif later is not None and new[text] == 0:
            tree.append(own[later])
            at = later + 1
        else:
            return None
    for line in own:
        if merged.count(line.text) != texts.count(line.text) and line.text in {x.text for x in base}:
            continue
    return tree if len(set(merged)) == len(merged) else None


def stamp(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def dump(path, records):
    with open(path, "w") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def claude(session, path):
    def record(kind, at, message, number, more=None):
        return {"type": kind, "uuid": f"{session['id']}-{number}", "sessionId": session["id"], "cwd": session["cwd"], "version": "2.1.0",
                "timestamp": stamp(at), "message": message, **(more or {})}
    records = []
    for number, step in enumerate(session["steps"]):
        if step[0] == "prompt":
            records.append(record("user", step[2], {"role": "user", "content": step[1]}, f"{number}p"))
            continue
        _, name, tool, arguments, result, failed, at = step
        if tool == "sh":
            tool, arguments = "Bash", {"command": arguments}
        elif "file_path" in arguments and not arguments["file_path"].startswith("/"):
            arguments = {**arguments, "file_path": os.path.join(session["cwd"], arguments["file_path"])}
        use = {"type": "tool_use", "id": name, "name": tool, "input": arguments}
        records.append(record("assistant", at, {"role": "assistant", "id": f"m{name}", "model": "m-1", "content": [use]}, f"{number}a"))
        answer = {"type": "tool_result", "tool_use_id": name, "content": result if isinstance(result, str) else "ok"}
        if failed:
            answer |= {"is_error": True, "content": f"Exit code 1\n{result}"}
        structured = {"stdout": result, "stderr": "", "interrupted": False} if isinstance(result, str) else result
        more = {"toolUseResult": structured} if structured and not failed else {}
        records.append(record("user", at, {"role": "user", "content": [answer]}, f"{number}r", more))
    dump(path + ".jsonl", records)


def codex(session, path):
    at = stamp(session["at"])
    records = [{"timestamp": at, "type": "session_meta", "payload": {"id": session["id"], "timestamp": at, "cwd": session["cwd"], "originator": "codex_cli_rs", "cli_version": "0.140.0", "source": "cli"}}]
    for step in session["steps"]:
        if step[0] == "prompt":
            records.append({"timestamp": stamp(step[2]), "type": "event_msg", "payload": {"type": "user_message", "message": step[1]}})
            continue
        _, name, tool, arguments, result, failed, at = step
        code = 1 if failed else 0
        if tool == "apply_patch":
            call = {"type": "custom_tool_call", "call_id": name, "name": tool, "input": arguments, "status": "completed"}
            output = f"Exit code: {code}\nWall time: 0 seconds\nOutput:\n{result}"
            records.append({"timestamp": stamp(at), "type": "response_item", "payload": call})
            records.append({"timestamp": stamp(at), "type": "response_item", "payload": {"type": "custom_tool_call_output", "call_id": name, "output": output}})
        else:
            call = {"type": "function_call", "call_id": name, "name": "exec_command", "arguments": json.dumps({"cmd": arguments})}
            output = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOriginal token count: 1\nOutput:\n{result}"
            records.append({"timestamp": stamp(at), "type": "response_item", "payload": call})
            records.append({"timestamp": stamp(at), "type": "response_item", "payload": {"type": "function_call_output", "call_id": name, "output": output}})
    dump(path + ".jsonl", records)


def gemini(session, path):
    messages = []
    for number, step in enumerate(session["steps"]):
        if step[0] == "prompt":
            messages.append({"id": f"{session['id']}-{number}", "timestamp": stamp(step[2]), "type": "user", "content": step[1]})
            continue
        _, name, tool, arguments, result, failed, at = step
        if tool == "sh":
            tool, arguments = "run_shell_command", {"command": arguments}
        answer = {"error": result} if failed else {"output": result}
        result = [{"functionResponse": {"id": name, "name": tool, "response": answer}}]
        call = {"id": name, "name": tool, "args": arguments, "result": result, "status": "error" if failed else "success", "timestamp": stamp(at)}
        messages.append({"id": f"{session['id']}-{number}", "timestamp": stamp(at), "type": "gemini", "content": "", "toolCalls": [call], "model": "g-1"})
    document = {"sessionId": session["id"], "projectHash": "0" * 64, "startTime": stamp(session["at"]), "lastUpdated": stamp(session["steps"][-1][-1]), "messages": messages}
    with open(path + ".json", "w") as file:
        json.dump(document, file)


def copilot(session, path):
    records, last = [], None

    def put(kind, at, data):
        nonlocal last
        number = len(records)
        records.append({"type": kind, "id": f"{session['id']}-{number}", "parentId": last, "timestamp": stamp(at), "data": data})
        last = records[-1]["id"]
    put("session.start", session["at"], {"sessionId": session["id"], "copilotVersion": "1.0.68", "context": {"cwd": session["cwd"]}})
    for step in session["steps"]:
        if step[0] == "prompt":
            put("user.message", step[2], {"content": step[1]})
            continue
        _, name, tool, arguments, result, failed, at = step
        if tool == "sh":
            tool, arguments = "bash", {"command": arguments}
        put("tool.execution_start", at, {"toolCallId": name, "toolName": tool, "arguments": arguments})
        done = {"error": {"message": result, "code": "failure"}} if failed else {"result": {"content": result}}
        put("tool.execution_complete", at, {"toolCallId": name, "success": not failed, **done})
    dump(path + ".jsonl", records)


WRITERS = {"claude-code": claude, "codex": codex, "gemini-cli": gemini, "copilot-cli": copilot}


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    first, last = (int(word) for word in (sys.argv[2:] or ("1000", "1020")))
    score = {"right": collections.Counter(), "missed": collections.Counter(), "wrong": [], "persons": 0, "doubtful": 0}
    for seed in range(first, last):
        folder = tempfile.mkdtemp(prefix="blame")
        try:
            player = Player(program, seed, folder)
            player.play(40)
            player.judge(score)
        finally:
            if not os.environ.get("KEEP"):
                shutil.rmtree(folder)
    for kind in sorted({*score["right"], *score["missed"]}):
        right, missed = score["right"][kind], score["missed"][kind]
        print(f"{kind:16} {right:5} right {missed:5} unknown  {100 * right // max(1, right + missed)} %")
    right, missed = sum(score["right"].values()), sum(score["missed"].values())
    share = 1000 * right // max(1, right + missed)
    print("\n".join(score["wrong"][:40]))
    held = not score["wrong"] and share >= 950
    print(f"{last - first} repositories: {share / 10} % of {right + missed} lines of agents given to their call, "
          f"{len(score['wrong'])} lines given wrongly, {score['persons']} lines of a person unknown, "
          f"{score['doubtful']} lines left out that nobody could tell: {'held' if held else 'MISSED'}")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
