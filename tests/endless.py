#!/usr/bin/env python3
"""Reads histories in which one word stands again and again, in each place of an entry: endless.py PROGRAM [BYTES]

A history can come with a clone, so whatever stands in it is read in time that grows with its length: the word alone, for
BYTES (default 300,000), as a prompt, message, command, error, output, path, tool, edit, patch. Each command has LIMIT seconds; one that reads back
from every word takes minutes. Whatever takes longer, or ends with another code than 0, is named and ends the script with 1.
The judged words, and the last four places, were written after the last mending, and brought none; whoever mends something
by one of them moves them to the others and writes new ones."""

import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIMIT = 3
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
START = 1_763_700_000_000
KNOWN = ["error", "Error: ", "failed ", "no error ", "0 failed ", "a", "a ", "\n", "\t", "(", '"', "'", "`", "$(", "\\", "<",
         "E0425 ", "/a", "a/b/c.rs:1:2 ", "http://a", "1", "1.", "0x", "é", "İ", "a\n", "- error\n", "x: error: ",
         "Traceback (most recent call last)\n", "exit code 1 ", "*** Add File: a\n", "--- a/a\n+++ b/a\n", "sudo ", "&& ", "| ",
         "; ", "please ", "fix ", "don't ", "@", "#", "[a](b)", "{", "a=1 ", "--a ", "no ", "never ", "test ", "#1 "]
KNOWN += ["fatal", "(panicked", "cannot-", "File \"a\", line 1\n", "/bin/sh: 1: ", "env A=1 ", "docker exec a ", "<<E\n", "a.rs:1\n",
          "```\n", "|a|b|\n", "- [ ] a\n", "\u200b", "a\u0301", "ß", "%20", "&amp;", "a.b.", "::", "->", "=", ",", "...", "?!",
          "\r\n", "\x1b[31m", "you said ", "why ", "again ", "TODO ", "1) a\n", "> a\n", "I think ", "must ", "0 no ", "git rm a;",
          "find -exec ", "bash -c ", "$'\\x41'", "x'y\"z`"]
JUDGED = ["denied ", "not found: ", "no error", "0 errors ", "error. ", "Error", "could not\n", "thread 'main' panicked at ",
          "npm ERR! ", "FAILED ", "--- FAIL\n", "make[1]: *** ", "exit code 1\n", "a|", "a;", "echo 0;", "cat <<'E'\nE\n",
          "((", "{ ", "if ", "case a in ", "`a`", "\\\n", "${a}", "a[0]=", "2>", "<(a)", "git grep a;", "rg a|", "cd a&&",
          "x=$(", "no ", "instead of ", "sorry ", "thanks ", "perfect ", "always ", "from now on ", "wrong ", "stop ",
          "a@b.c ", "\u202e", "🙂", "\ud7ff", "01M5XAHQ2D4CWJARVWRF59FTZN ", "a/", "../", "*/", "//", "# a\n",
          "def a():\n", "fn a() {\n", "import a\n", "<a>", "</", "{\"a\":", "[[", "key=value&", "token ", "sk-", "2026-11-26 ",
          "1:2:3 ", "12% "]
FIELDS = ["prompt", "message", "command", "error", "output", "stdout", "path", "tool", "edit", "patch"]
COMMANDS = [["--fresh", "state", "--hash"], ["session", "show", "s"], ["analyse", "s"], ["log", "--text", "zebra"], ["verify"]]


def ulid(millis, number):
    value, text = millis << 80 | number, ""
    for _ in range(26):
        text, value = DIGITS[value & 31] + text, value >> 5
    return text


def operation(field, text):
    call = {"type": "tool_call", "name": "Bash", "input": {"command": "cargo test; rg x"}, "output": {"stdout": "x"},
            "success": False, "error": "exit code 1"}
    return {
        "prompt": {"type": "user_input", "name": "prompt", "input": {"text": text}, "success": True},
        "message": {"type": "agent_message", "name": "message", "input": {"text": text}, "success": True},
        "command": {**call, "input": {"command": text}},
        "error": {**call, "error": text},
        "output": {**call, "output": text},
        "stdout": {**call, "output": {"stdout": text}},
        "path": {"type": "tool_call", "name": "Edit", "input": {"file_path": text, "old_string": "a", "new_string": "b"},
                 "success": True},
        "tool": {**call, "name": text},
        "edit": {"type": "tool_call", "name": "Edit", "output": "ok", "success": True,
                 "input": {"file_path": "a.rs", "old_string": text, "new_string": text + "x"}},
        "patch": {"type": "tool_call", "name": "apply_patch", "output": "ok", "success": True,
                  "input": {"input": f"*** Begin Patch\n*** Update File: a.rs\n{text}\n*** End Patch"}},
    }[field]


def lines(field, text):
    for number in range(2):
        at = START + number * 1000
        time_of = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at / 1000))
        yield json.dumps({"id": ulid(at, number + 1), "timestamp": time_of, "session_id": "s",
                          "operation": operation(field, text), "provenance": {"agent_id": "claude"}, "metadata": {}},
                         ensure_ascii=False)


def tried(program, field, word, size):
    """What of it took too long or failed, and how long the slowest took."""
    found, slowest = [], 0
    with tempfile.TemporaryDirectory() as folder:
        history = Path(folder, ".context", "history")
        history.mkdir(parents=True)
        text = word * (size // len(word.encode()))
        (history / "2025-11-21.jsonl").write_text("\n".join(lines(field, text)) + "\n", newline="")
        for command in COMMANDS:
            begun = time.monotonic()
            try:
                code = subprocess.run([program, "--context", str(history.parent), *command], capture_output=True,
                                      timeout=10 * LIMIT, check=False).returncode
            except subprocess.TimeoutExpired:
                code = "no end"
            took = time.monotonic() - begun
            slowest = max(slowest, took)
            if took > LIMIT or code != 0:
                found.append(f"{field} of {word!r}, {' '.join(command)}: {code} after {took:.1f} s")
    return found, slowest


def main():
    program, size = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300_000
    found, slowest = [], 0
    with ThreadPoolExecutor(2) as pool:
        tries = [pool.submit(tried, program, field, word, size) for word in KNOWN + JUDGED for field in FIELDS]
        for one in tries:
            wrong, took = one.result()
            found, slowest = found + wrong, max(slowest, took)
    print(*found, sep="\n")
    count = len(tries) * len(COMMANDS)
    print(f"{count} commands on {len(KNOWN)} and {len(JUDGED)} words of {size} bytes, {len(found)} too long or failed, "
          f"the slowest took {slowest:.1f} s")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
