"""Counts aider's chat history, a Markdown file with many sessions."""

import re

HEADER = re.compile(r"# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$")
TOKENS = re.compile(r"> Tokens: ([\d.,]+[kM]?) sent,(?: ([\d.,]+[kM]?) cached,)? ([\d.,]+[kM]?) received")
SLASH = re.compile(r"/[A-Za-z0-9:_-]+(?:\s+(.*))?$", re.S)
UNMATCHED = re.compile(r"> ## .*: This SEARCH block failed to exactly match lines in ")
COMMIT = re.compile(r"> Commit [0-9a-f]{7,} ")
BY_MACHINE = ("# Question: ", "# Fix any errors below, if possible.")


def count(data, counts):
    history = History(counts)
    for line in data.decode("utf-8-sig", "replace").split("\n"):
        history.line(line.rstrip("\r"))
    history.close_block()


def closes(line):
    """Aider ends what it writes itself, but not what the model says, with two spaces."""
    return line.endswith("  ") and bool(line.strip())


class History:
    """Where in the file we are: `block` are the lines of the user block being read."""

    def __init__(self, counts):
        self.counts, self.state, self.block, self.command = counts, None, [], None

    def line(self, line):
        if HEADER.match(line):
            self.become("header")
            self.counts.add("sessions")
        elif line.startswith("#### ") and closes(line):
            self.user(line)
        elif self.state == "output":
            self.state = "tool" if closes(line) else "output"
        elif line.startswith("> ") and (closes(line) or self.state != "text"):
            self.notice(line)
        elif line.strip():
            self.text()
        else:
            self.close_block()

    def become(self, state):
        """Enters an element; everything but a user block forgets the command before it."""
        self.close_block()
        self.counts.add("records")
        if self.state is None and state != "header":
            self.counts.add("sessions")
        if state != "user":
            self.command = None
        self.state = state

    def user(self, line):
        if not self.block:
            self.become("user")
        self.block.append(line[5:].rstrip())

    def notice(self, line):
        """A line of the tool; without the closing spaces it opens an output of many lines."""
        self.become("tool" if closes(line) else "output")
        if line.startswith("> ^C"):
            self.counts.add("interrupts")
        elif line.startswith("> Applied edit to ") or COMMIT.match(line):
            self.counts.add("calls")
        elif UNMATCHED.match(line):
            self.counts.add("calls")
            self.counts.add("failed")
        elif line.startswith("> Retrying in "):
            self.counts.add("api_errors")
        elif found := TOKENS.match(line):
            sent, cached, received = (amount(one) for one in found.groups())
            self.counts.add_tokens(1, sent, 0, cached, received)

    def text(self):
        if self.state != "text":
            self.become("text")
            self.counts.add("messages")

    def close_block(self):
        text, self.block = "\n".join(self.block).strip(), []
        if not text:
            return
        before, self.command = self.command, None
        slash = SLASH.match(text)
        if text.startswith("!"):
            self.counts.add("shell")
        elif slash:
            self.counts.add("commands")
            self.command = (slash[1] or "").strip()
        elif text != "<blank>" and text != before and not text.startswith(BY_MACHINE):
            self.counts.add("prompts")


def amount(text):
    if not text:
        return 0
    scale = {"k": 1000, "M": 1_000_000}.get(text[-1], 1)
    return round(float(text.rstrip("kM").replace(",", "")) * scale)
