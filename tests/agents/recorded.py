"""What Annals says was recorded, read by its own commands, in the form of `truth.Told`; and the comparison of the two.

The only code here that knows Annals: `session list`, `session show`, `log` and `stats`, all with `--json`.
"""
import collections
import json
import os
import re
import subprocess


class Annals:
    """A project with its `.context`, and the program."""

    def __init__(self, program, project, environment):
        self.program, self.project, self.environment = program, project, environment

    def run(self, *words, given=None, check=True):
        done = subprocess.run([self.program, *words], cwd=self.project, env=self.environment, input=given, capture_output=True, check=False)
        if check and done.returncode:
            raise RuntimeError(f"annals {' '.join(words)}: {done.returncode}: {done.stderr.decode('utf-8', 'replace')[:500]}")
        return done.stdout.decode("utf-8", "replace")

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def state(self):
        """Something that changes as long as something is recorded."""
        history = f"{self.project}/.context"
        return sorted((path, os.stat(path).st_size) for folder, _, files in os.walk(history) for path in
                      (os.path.join(folder, file) for file in files) if "/history/" in path or "/local/" in path)


class Recorded:
    def __init__(self):
        self.sessions, self.calls = {}, {}
        self.prompts, self.messages = [], []
        self.compactions = self.stops = 0
        self.tokens = [0, 0, 0, 0]
        self.notes = []


def notes_of(entry):
    return (entry.get("extensions") or {}).get("annals") or {}


def exit_code(entry):
    operation = entry["operation"]
    for place in (operation, operation.get("output"), notes_of(entry)):
        if isinstance(place, dict) and isinstance(place.get("exit_code"), int):
            return place["exit_code"]
    match = re.match(r"[Ee]xit code:? (-?\d+)", operation.get("error") or "")
    return int(match.group(1)) if match else None


def was_stopped(operation):
    """Whether a person stopped a call, or its end is not known: that is no failure of it."""
    return (operation.get("error") or "").startswith(("interrupted", "aborted by user", "[Request interrupted"))


def verdict(entry):
    operation = entry["operation"]
    if operation["type"] != "tool_call":
        return "no"
    if operation.get("success"):
        return "ok"
    return "open" if was_stopped(operation) else "failed"


def recorded(annals):
    """Everything that the sessions' own pages say; where `session list` counts otherwise than its page, that is a note."""
    result = Recorded()
    listed = annals.json("session", "list")["sessions"]
    own = {session["id"]: notes_of(session).get("native_id") or session["id"] for session in listed}
    for session in listed:
        said = notes_of(session)
        name, parent = own[session["id"]], session.get("parent_session_id")
        result.sessions[name] = {"parent": own.get(parent, parent), "agent": said.get("tool")}
        page = annals.json("session", "show", session["id"])
        counted = collections.Counter()
        for entry in page["entries"]:
            count_entry(result, counted, name, entry)
        for listing, counting in (("calls", "call"), ("prompts", "prompt"), ("messages", "message"), ("failed_calls", "failed")):
            if listing in said and said[listing] != counted[counting]:
                result.notes.append(f"session list says {said[listing]} {listing} of {name[:13]}, its page shows {counted[counting]}")
        result.stops += said.get("interrupts", 0)
        result.compactions += said.get("compactions", 0)
        for usage in (said.get("usage") or {}).values():
            usage = usage.get("usage", usage)
            result.tokens = [have + usage.get(key, 0) for have, key in zip(result.tokens, ("input", "cache_write", "cache_read", "output"))]
    totals = annals.json("stats")
    models = [value.get("usage", {}) for value in totals.get("models", {}).values()]
    sums = [sum(usage.get(key, 0) for usage in models) for key in ("input", "cache_write", "cache_read", "output")]
    if sums != result.tokens:
        result.notes.append(f"stats has tokens {sums}, the sessions have {result.tokens}")
    calls = sum(tool["calls"] for tool in totals.get("totals", {}).get("by_tool", {}).values())
    listed_calls = sum(notes_of(session).get("calls", 0) for session in listed)
    if calls != listed_calls:
        result.notes.append(f"stats has {calls} calls, the sessions have {listed_calls}")
    return result


def count_entry(result, counted, session, entry):
    operation, source = entry["operation"], notes_of(entry).get("source") or {}
    name = operation["name"]
    given = operation.get("input")
    if operation["type"] == "tool_call" or name in ("denial", "rejection"):
        known = source.get("call") or source.get("record") or entry["id"]
        call = {"session": session, "tool": name, "verdict": verdict(entry), "exit": exit_code(entry), "entry": entry["id"],
                "input": given if isinstance(given, dict) else {}, "text": str(operation.get("error") or "")[:120]}
        if operation["type"] == "tool_call":
            counted["call"] += 1
            counted["failed"] += not operation.get("success") and not was_stopped(operation)
        elif isinstance(given, dict):
            call["tool"] = given.get("tool") or given.get("tool_name") or name
        before = result.calls.get(known)
        if before is None:
            result.calls[known] = call
        elif call["verdict"] == "no" or before["verdict"] == "no":
            before["verdict"] = "no"  # a call and the "no" that it met
        else:
            result.calls[f"{known}\0{call['entry']}"] = call  # the same call again, or another of the same hash
    elif operation["type"] == "user_input" and name == "prompt":
        counted["prompt"] += 1
        if (entry.get("provenance") or {}).get("agent_id") == "user":  # not what an agent asks of its sub-agent
            result.prompts.append((session, str((given or {}).get("text") or "")))
    elif operation["type"] == "agent_message" and name == "message":
        counted["message"] += 1
        result.messages.append((session, str((given or {}).get("text") or (operation.get("output") or {}).get("text") or "")))


def short(name, told):
    """A session's own name: a child may be named with its parent before it, or by the call that began it."""
    last = name.split("/")[-1] if name else None
    return told.aliases.get(last, last)


def plain(text):
    return re.sub(r"\s+", " ", text).strip()[:160]


def texts(told, said, what, differences):
    """Two lists of texts, each as often as it was said."""
    one = collections.Counter(plain(text) for _, text in told)
    two = collections.Counter(plain(text) for _, text in said)
    for text in sorted((one - two) | (two - one)):
        if one[text] != two[text]:
            differences.append(f"{what} {text[:50]!r}: {one[text]} in the transcript, {two[text]} recorded")


# One tool under the name of the hooks and under that of the transcript.
SAME = ({"exec_command", "Bash", "shell", "local_shell_call"}, {"collaborationspawn_agent", "spawn_agent"}, {"collaborationwait_agent", "wait_agent"},
        {"create", "Write"}, {"view", "Read"}, {"edit", "Edit"}, {"bash", "Bash"}, {"task", "Agent"})


def alike(one, two):
    return one == two or any(one in names and two in names for names in SAME)


def shape(given):
    """An input without the folders in which this run took place: they may have been shortened."""
    text = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
    return re.sub(r'(?<=")(?:~|/[^"\s]*?)?/?(?:project/)', "", text)


def join(told, said):
    """Each call of the transcript with the recorded one: by id, else by tool and input, else by tool alone, the first first."""
    pairs, spare = {}, {name: call for name, call in said.calls.items() if name not in told.calls}
    for name in told.calls:
        if name in said.calls:
            pairs[name] = said.calls[name]
    for exact in (True, False):
        for name, call in told.calls.items():
            if name in pairs:
                continue
            for other, one in spare.items():
                if other.partition("\0")[0] not in told.calls and alike(one["tool"], call["tool"]) and (not exact or shape(one["input"]) == shape(call["input"])):
                    pairs[name] = spare.pop(other)
                    break
    return pairs, spare


def compare(told, said, begun=()):
    """The differences, a line each. `begun` are the calls that hooks saw begin, (id or None, tool, input): where a transcript
    was cut off before a call was written, a recorded call that never ended is right."""
    differences, begun = [], list(begun)
    pairs, spare = join(told, said)
    for name, call in told.calls.items():
        title, mine = f"call {name[-22:]} {call['tool']}", pairs.get(name)
        if mine is None and call["verdict"] == "open":
            continue  # it may still end: it waits
        if mine is None:
            differences.append(f"{title} ({call['verdict']}): not recorded")
            continue
        fits = ("no", "open") if call["verdict"] == "stopped" else (call["verdict"],)
        if mine["verdict"] not in fits:
            differences.append(f"{title}: {call['verdict']}, recorded as {mine['verdict']} {mine['text'][:40]!r}")
        if (call["exit"] or mine["exit"]) and mine["exit"] != call["exit"]:
            differences.append(f"{title}: exit code {call['exit']}, recorded {mine['exit']}")
        if short(mine["session"], told) not in [short(name, told) for name in call["in"]]:
            differences.append(f"{title}: of session {call['session'][-14:]}, recorded in {mine['session'][-14:]}")
        if not alike(mine["tool"], call["tool"]):
            differences.append(f"{title}: recorded as {mine['tool']}")
    for name, call in spare.items():
        name, _, again = name.partition("\0")
        if again and name in told.calls:
            differences.append(f"call {name[-22:]} {call['tool']}: recorded twice")
            continue
        seen = next((one for one in begun if one[0] == name or (one[0] is None and shape(one[2]) == shape(call["input"]))), None)
        if seen and call["verdict"] in ("open", "no"):
            begun.remove(seen)
        else:
            differences.append(f"call {name[-22:]} {call['tool']} ({call['verdict']}): recorded, not in the transcript")
    texts(told.prompts.values(), said.prompts, "prompt", differences)
    texts(told.messages.values(), said.messages, "message", differences)
    if len(told.compactions) != said.compactions:
        differences.append(f"compactions: {len(told.compactions)} in the transcript, {said.compactions} recorded")
    if told.sums() != said.tokens:
        differences.append(f"tokens: {told.sums()} in the transcript, {said.tokens} recorded")
    ours = {short(name, told): session for name, session in said.sessions.items()}
    for name, session in told.sessions.items():
        mine = ours.pop(short(name, told), None)
        if mine is None:
            differences.append(f"session {name[-30:]}: not recorded")
        elif short(mine["parent"], told) != short(session["parent"], told):
            differences.append(f"session {name[-30:]}: child of {str(session['parent'])[-13:]}, recorded as of {str(mine['parent'])[-13:]}")
    for name in ours:
        differences.append(f"session {name[-30:]}: recorded, but no transcript says so")
    return differences + said.notes
