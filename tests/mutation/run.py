#!/usr/bin/env python3
"""Does replay bite? Changes each constant of each `decide` in turn, builds, and replays the golden log.

    python3 tests/mutation/run.py              all mutants, about 20 minutes
    python3 tests/mutation/run.py erasure      those of files whose path holds this word
    python3 tests/mutation/run.py --list       only say which there are

A mutant is caught when the replay ends with 1 and names a line; one that builds and is not caught fails the run: then
the story of the golden log (tests/it/golden/story.rs) lacks a line, or a rule says something that it does not need.
The program that is built is `Engine::replay` with a `main` of a few lines, without importers, hooks and command line,
so that one build takes seconds. Names of commands are not changed: a command of another name is one of a later version,
and passed over. Works on a copy in $MUTATION_FOLDER (default: annals-mutation in the folder for temporary files), keeps
the build there, and never touches the sources.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
from mutants import mutants

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("MUTATION_FOLDER", Path(tempfile.gettempdir()) / "annals-mutation"))

# What a decision depends on: the rules themselves, the questions that they ask, what refusals and events say.
TARGETS = {
    "src/domain/session/decide.rs": ["*"],
    "src/domain/session/event.rs": ["pub enum Event "],
    "src/domain/session/row.rs": ["impl Status {", "impl fmt::Display for Status"],
    "src/domain/session/state.rs": ["pub fn session("],
    "src/domain/access/decide.rs": ["*"],
    "src/domain/access/event.rs": ["pub enum Event "],
    "src/domain/access/policy.rs": ["*"],
    "src/domain/access/state.rs": ["pub fn ask(", "pub(super) fn is_user("],
    "src/domain/config/mod.rs": ["pub enum Event ", "pub enum Refusal ", "impl Refusal ", "pub fn decide("],
    "src/domain/erasure/mod.rs": [
        "pub enum Event ", "pub enum Refusal ", "impl Refusal ", "pub fn decide(", "pub fn is_payload(",
    ],
    "src/kernel/settings.rs": ["pub fn get<", "pub fn stored("],
    "src/kernel/decision.rs": ["impl<E, R> Outcome<E, R>", "impl<E, R> From<Result"],
}

ROOMS = ["domain", "engine", "kernel", "log", "sanitizer", "world"]

MAIN = """//! Replays the folder that is named and ends as `annals replay` does.
#![allow(warnings)]
{rooms}
fn main() -> std::process::ExitCode {{
    let folder = std::env::args_os().nth(1).expect("a folder");
    let disk = std::sync::Arc::new(log::disk::RealDisk);
    let engine = engine::Engine::open(disk, folder.as_ref(), engine::clock::Clock::default()).expect("opened");
    let report = engine.replay(&engine::replay::Which::All, &world::replay::Overlay::default()).expect("replayed");
    for differed in &report.differed {{
        println!("history/{{}}:{{}}", differed.segment, differed.line);
    }}
    println!("{{}} of {{}} matched", report.matched, report.decisions);
    std::process::ExitCode::from(u8::from(!report.differed.is_empty()))
}}
"""


def prepare():
    """The copy: rooms that replay needs, a small `main`, and the golden log as a `.context` folder."""
    shutil.rmtree(WORK / "crate", ignore_errors=True)
    shutil.rmtree(WORK / "golden", ignore_errors=True)
    (WORK / "crate/src").mkdir(parents=True)
    for room in ROOMS:
        shutil.copytree(ROOT / "src" / room, WORK / "crate/src" / room)
    manifest = (ROOT / "Cargo.toml").read_text()
    manifest = re.sub(r"^\[\[bench\]\].*?(?=^\[lints)", "", manifest, flags=re.M | re.S)
    manifest = re.sub(r"^\[(dev-dependencies|lints[.\w]*|\[bin\])\].*?(?=^\[|\Z)", "", manifest, flags=re.M | re.S)
    manifest = manifest.replace('debug = "line-tables-only"', "debug = false")
    (WORK / "crate/Cargo.toml").write_text(manifest)
    shutil.copy(ROOT / "Cargo.lock", WORK / "crate")
    rooms = "\n".join(f"mod {room};" for room in ROOMS)
    (WORK / "crate/src/main.rs").write_text(MAIN.format(rooms=rooms))
    shutil.copytree(ROOT / "tests/golden", WORK / "golden")


def build():
    done = subprocess.run(
        ["cargo", "build", "--quiet", "--offline"], cwd=WORK / "crate", capture_output=True, text=True,
        env={**os.environ, "CARGO_TARGET_DIR": str(WORK / "target")},
    )
    return done.returncode == 0, done.stderr


def replay():
    shutil.rmtree(WORK / "golden/local", ignore_errors=True)
    program = WORK / "target/debug/annals"
    done = subprocess.run([program, WORK / "golden"], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def judge(mutant):
    path = WORK / "crate" / mutant.file
    path.write_text(mutant.apply())
    try:
        is_built, _ = build()
        if not is_built:
            return "does not build"
        code, said = replay()
    finally:
        path.write_text(mutant.text)
    if code == 1 and re.search(r"^history/\S+:\d+$", said, re.M):
        return "caught"
    return "survived" if code == 0 else f"ended with {code}"


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    files = [file for file in TARGETS if not words or any(word in file for word in words)]
    all_mutants = [mutant for file in files for mutant in mutants(file, (ROOT / file).read_text(), TARGETS[file])]
    if "--list" in sys.argv:
        print("\n".join(mutant.key() for mutant in all_mutants), f"\n{len(all_mutants)} mutants")
        return 0
    prepare()
    is_built, said = build()
    assert is_built, said
    code, said = replay()
    assert code == 0, said
    print(f"{len(all_mutants)} mutants; without any: {said.strip()}", flush=True)
    counts, wrong, start = Counter(), [], time.monotonic()
    for number, mutant in enumerate(all_mutants, 1):
        verdict = judge(mutant)
        counts[verdict] += 1
        if verdict not in ("caught", "does not build"):
            wrong.append(f"{verdict}: {mutant.key()}")
            print(wrong[-1], flush=True)
        if number % 25 == 0:
            print(f"  {number} of {len(all_mutants)} after {time.monotonic() - start:.0f} s: {dict(counts)}", flush=True)
    live = sum(counts.values()) - counts["does not build"]
    print(f"{counts['caught']} of {live} mutants that build are caught; {counts['does not build']} do not build")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
