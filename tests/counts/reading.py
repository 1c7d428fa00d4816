"""Reads transcript files into records, and holds the counts that every kind fills in.

Knows JSON and lines; does not know what any tool means by its records.
"""

import json
import re
from datetime import datetime

FIELDS = (
    "sessions prompts commands shell interrupts rejections denials messages thinking calls failed "
    "interrupted unanswered orphans children compactions api_errors records damaged not_objects"
).split()
TOKENS = "requests input cache_write cache_read output".split()


class Counts(dict):
    """The counts of one file: everything starts at nought."""

    def __init__(self):
        super().__init__({name: 0 for name in FIELDS})
        self["tokens"] = {name: 0 for name in TOKENS}
        self["child_tokens"] = {name: 0 for name in TOKENS}

    def add(self, name, number=1):
        self[name] += number

    def add_tokens(self, requests=0, input=0, cache_write=0, cache_read=0, output=0, child=False):
        target = self["child_tokens" if child else "tokens"]
        for name, number in zip(TOKENS, (requests, input, cache_write, cache_read, output)):
            target[name] += number or 0


def values_of_line(text):
    """Yields every JSON value of a line, and None once where the rest of the line is no JSON."""
    decoder = json.JSONDecoder()
    while text:
        try:
            value, end = decoder.raw_decode(text)
        except ValueError:
            yield False, None
            return
        yield True, value
        text = text[end:].lstrip()


def lines_of(data):
    """The lines of a file, decoded lossily, without BOM, carriage returns and NUL padding."""
    for line in data.split(b"\n"):
        text = line.strip(b"\0 \t\r").decode("utf-8", "replace").lstrip("\ufeff")
        if text := text.strip():
            yield text


def json_lines(data, counts):
    """The objects of a JSONL file in file order; counts records, damage and what is no object."""
    objects = []
    for text in lines_of(data):
        for good, value in values_of_line(text):
            if not good:
                counts.add("damaged")
            elif isinstance(value, dict):
                counts.add("records")
                objects.append(value)
            else:
                counts.add("not_objects")
    return objects


def json_document(data):
    """The one JSON value that a whole file is, or None."""
    try:
        return json.loads(data.decode("utf-8-sig", "replace"))
    except ValueError:
        return None


def in_time_order(objects, key="timestamp"):
    """Sorts by time; what has no time stays behind its neighbour, equal times keep file order."""
    moment, keyed = 0.0, []
    for place, one in enumerate(objects):
        moment = seconds(one.get(key), moment)
        keyed.append((moment, place, one))
    return [one for _, _, one in sorted(keyed, key=lambda row: row[:2])]


def seconds(stamp, otherwise):
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (TypeError, ValueError):
        return otherwise


def first_of_each(objects, identity):
    """Leaves out what was there before: a record imported twice is one record."""
    seen, kept = set(), []
    for one in objects:
        name = identity(one)
        if name not in seen:
            seen.add(name)
            kept.append(one)
    return kept


def whole(one):
    """A record named by its whole content."""
    return json.dumps(one, sort_keys=True)


def is_command(text):
    """`/name`, alone or with what it is given; not a path."""
    return bool(re.match(r"/[A-Za-z0-9:_-]+(\s|$)", text))


def has_text(value):
    return isinstance(value, str) and bool(value.strip())


def number(value):
    return value if isinstance(value, int) else 0


class Pairing:
    """Joins calls with results by id, wherever in the file either stands.

    `settle` is asked once at the end. Moments are places in time order; `proof` is the last place
    of anything after which an open call can get no result any more.
    """

    def __init__(self):
        self.calls, self.results, self.proof = {}, {}, -1

    def call(self, name, place):
        self.calls.setdefault(name, place)

    def result(self, name, verdict):
        self.results.setdefault(name, verdict)

    def prove(self, place):
        self.proof = max(self.proof, place)

    def settle(self, counts):
        """A verdict is one of: done, failed, rejection, denial."""
        for name, place in self.calls.items():
            if name not in self.results:
                counts.add("interrupted" if self.proof > place else "unanswered")
        for name, verdict in self.results.items():
            settle_result(counts, verdict, name in self.calls)


def settle_result(counts, verdict, called):
    if not called:
        counts.add("orphans")
    elif verdict in ("rejection", "denial"):
        counts.add(verdict + "s")
    else:
        counts.add("calls")
        counts.add("failed", verdict == "failed")
