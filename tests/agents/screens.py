"""Runs for `capture.py` that need a person at a terminal: Esc while a command runs, a "No" at the question, /compact, /clear."""
import time

ASKS = r"(?i)(do you want|allow execution|would you like|proceed|apply this change|allow (?:once|this))"
READY = {"claude": r"(?i)(\? for shortcuts|❯|auto mode|for agents)", "codex": r"(?i)(context left|\? for shortcuts|›)",
         "gemini": r"(?i)(type your message)", "copilot": r"(?i)(❯|for shortcuts|enter @|describe a task|/ commands)"}


def begin(stage):
    screen = stage.open()
    screen.expect(READY[stage.agent.name], 40)
    time.sleep(3)
    if screen.expect(r"Use existing model", 2):  # Codex praises another model
        screen.send("2")
        time.sleep(1)
        screen.send("\r")
        time.sleep(3)
    return screen


def leave(stage, screen):
    """Out, as a person goes: the word for it, then the keys."""
    screen.type("/quit" if stage.agent.name in ("gemini", "codex") else "/exit")
    time.sleep(4)
    screen.send("\x03")
    time.sleep(0.4)
    screen.send("\x03")
    screen.close()


def escape(stage):
    """Esc while a command runs; then another prompt."""
    screen = begin(stage)
    screen.type("play:slow do it")
    if screen.expect(ASKS, 10):  # agents that ask before they run anything
        screen.send("\r")
    time.sleep(6)
    screen.send("\x1b")
    time.sleep(1.5)
    if stage.agent.name == "copilot":
        screen.send("\x1b")
    time.sleep(2)
    screen.type("play:words go on")
    time.sleep(5)
    leave(stage, screen)


def refuse(stage):
    """A "No" at the question whether a file may be written; then another prompt."""
    screen = begin(stage)
    screen.type("play:write do it")
    screen.expect(ASKS, 20)
    time.sleep(2)
    screen.send("\x1b")
    time.sleep(3)
    screen.type("play:words go on")
    time.sleep(5)
    leave(stage, screen)


def compact(stage):
    """Some words, compaction by hand, more words, a fresh session in the same process."""
    screen = begin(stage)
    screen.type("play:two do it")
    if screen.expect(ASKS, 6):
        screen.send("\r")
    time.sleep(6)
    screen.type("/compress" if stage.agent.name == "gemini" else "/compact")
    time.sleep(9)
    screen.type("play:words go on")
    time.sleep(5)
    screen.type("/new" if stage.agent.name == "codex" else "/clear")
    time.sleep(4)
    screen.type("play:words again")
    time.sleep(5)
    leave(stage, screen)


RUNS = {"escape": escape, "refuse": refuse, "compact": compact}
