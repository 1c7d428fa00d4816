#!/usr/bin/env python3
"""Counts the sources: one line of Markdown for each figure that bounds how large and how regular they are.

    python3 benches/house.py [CHECKOUT]

Code lines are lines of `.rs` files below `src/` and `crates/` that hold more than space or a comment, as rustfmt leaves them; what stands below
`#[cfg(test)]` and in `tests.rs` or `tests/` counts as test. It does not build anything.
"""

import collections
import os
import re
import sys

TYPE = re.compile(r"^\s*(?:pub(?:\([a-z: ]+\))? )?(?:struct|enum|trait|type|union) (\w+)")
FUNCTION = re.compile(r"^\s*(?:pub(?:\([a-z: ]+\))? )?(?:const |async |unsafe )*fn (\w+)")
# What every room and every command calls alike, as `tests/it/tidy/names.rs` has it.
SHAPE = "State Event Command Refusal Observed Totals Decided Why Arguments ListArguments ShowArguments ResolveArguments".split()
WHY = re.compile(r"\b(because|so that|otherwise|since|lest|instead of|rather than|costs?|takes \d|would|must not|cannot|never)\b")


def sources(root):
    for top in ("src", "crates"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".rs"):
                    yield os.path.join(folder, name)


def is_test(path):
    """Whether the file is a module that its parent has for tests alone, or stands below one."""
    folder, name = os.path.split(path)
    if name in ("mod.rs", "lib.rs", "main.rs"):
        return not name.startswith(("lib", "main")) and is_test(f"{folder}.rs")
    for parent in (os.path.join(folder, "mod.rs"), f"{folder}.rs", os.path.join(folder, "lib.rs")):
        if os.path.exists(parent) and f"#[cfg(test)]\nmod {name[:-3]};" in open(parent, encoding="utf-8").read():
            return True
    return os.path.basename(folder) not in ("src", "crates") and is_test(f"{folder}.rs")


def parts(path):
    """The lines of code proper and those of tests: the latter begin at a `#[cfg(test)]` that opens a module with a body."""
    lines = open(path, encoding="utf-8").read().split("\n")
    if is_test(path):
        return [], lines
    for number, line in enumerate(lines):
        if line == "#[cfg(test)]" and number + 1 < len(lines) and re.match(r"mod \w+ \{", lines[number + 1]):
            return lines[:number], lines[number:]
    return lines, []


def is_code(line):
    text = line.strip()
    return bool(text) and not text.startswith("//")


def functions(lines):
    """The length of each function: from its `fn` to the brace that closes at the same depth of indentation."""
    for number, line in enumerate(lines):
        found = FUNCTION.match(line)
        if not found:
            continue
        indent = len(line) - len(line.lstrip())
        for end in range(number, len(lines)):
            text = lines[end]
            if text.startswith(" " * indent + "}") or (end == number and text.rstrip().endswith(("}", ";"))):
                yield end - number + 1
                break
            if text.rstrip().endswith(";") and len(text) - len(text.lstrip()) == indent:
                break


def joined(root):
    """The files that list rooms, and their lines that name the smallest one: where a new room makes itself known. Policies do
    not count, which say what follows from an event."""
    folder = next(path for path in ("crates/rules/src/domain", "src/domain") if os.path.isdir(os.path.join(root, path)))
    rooms = [name for name in os.listdir(os.path.join(root, folder)) if os.path.isdir(os.path.join(root, folder, name))]
    words = {room: re.compile(rf"\b{room}\b", re.IGNORECASE) for room in rooms}
    files = places = 0
    for path in sources(root):
        own, _ = parts(path)
        text = "\n".join(line for line in own if is_code(line))
        is_list = "/policy/" not in path and sum(1 for word in words.values() if word.search(text)) >= len(rooms) // 2
        named = sum(1 for line in own if is_code(line) and words["milestone"].search(line)) if is_list else 0
        files, places = files + bool(named), places + named
    return files, places


def figures(root):
    code = tests = files = reasons = comments = attributes = public = 0
    lengths, types = [], collections.Counter()
    for path in sources(root):
        own, test = parts(path)
        files += bool(own)
        code += sum(map(is_code, own))
        tests += sum(map(is_code, test))
        lengths += functions(own)
        for line in own:
            text = line.strip()
            if text.startswith("// "):
                comments += 1
                reasons += bool(WHY.search(text))
            attributes += "skip_serializing_if" in text
            public += text.startswith("pub ") and not text.startswith("pub use")
            named = TYPE.match(line)
            if named and line[:1] != " ":
                crate = os.path.relpath(path, root).split("/src/")[0]
                types[(crate if crate.startswith("crates") else "src", named.group(1))] += 1
    lengths.sort()
    shared = sum(1 for (_, name), count in types.items() if count > 1 and name not in SHAPE)
    return [
        ("lines of code", f"{code:,}"),
        ("lines of tests in the sources", f"{tests:,}"),
        ("files", f"{files:,}"),
        ("functions", f"{len(lengths):,}"),
        ("lines of a function, median, 99 of 100, longest", f"{lengths[len(lengths) // 2]}, {lengths[len(lengths) * 99 // 100]}, {lengths[-1]}"),
        ("public items", f"{public:,}"),
        ("names of types, those that stand for two types of a crate outside the room shape", f"{len(types):,}, {shared}"),
        ("comments within the code, of a hundred lines of it", f"{comments * 100 / code:.1f}"),
        ("those of them with a word of reason, of a hundred lines of code", f"{reasons * 100 / code:.1f}"),
        ("`skip_serializing_if`", f"{attributes}"),
        ("lists of rooms that a new one joins, lines there", ", ".join(map(str, joined(root)))),
    ]


if __name__ == "__main__":
    for what, figure in figures(sys.argv[1] if len(sys.argv) > 1 else "."):
        print(f"{what}: {figure}")
