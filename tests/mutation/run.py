#!/usr/bin/env python3
"""Does replay bite? Changes each constant of each rule in turn, builds, and replays the golden logs.

    python3 tests/mutation/run.py              all mutants, which takes many hours
    python3 tests/mutation/run.py erasure      those of files whose path holds this word
    python3 tests/mutation/run.py --sample 40  one of 40, the same ones in each run (`--from 7`: other ones)
    python3 tests/mutation/run.py --list       only say which there are

A mutant is caught when the replay of a log ends with 1 and names a line; one that builds and is not caught fails the
run: then the stories of the golden logs (tests/it/golden/story.rs, tests/it/golden/control) lack a line, or a rule says
something that it does not need. One under which a replay does not come to an end is caught, too.
The program that is built is `Engine::replay` with a `main` of a few lines, without importers, hooks and command line,
so that one build takes seconds. Names of commands are not changed: a command of another name is one of a later version,
and passed over. Works on a copy in $MUTATION_FOLDER (default: annals-mutation in the folder for temporary files), keeps
the build there, and never touches the sources.
"""

import argparse
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
    "crates/rules/src/domain/session/decide.rs": ["*"],
    "crates/rules/src/domain/session/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/session/row.rs": ["impl Status {", "impl fmt::Display for Status"],
    "crates/rules/src/domain/session/state.rs": ["pub fn session("],
    "crates/rules/src/domain/access/decide.rs": ["*"],
    "crates/rules/src/domain/access/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/access/policy.rs": ["*"],
    "crates/rules/src/domain/access/state.rs": ["pub fn ask(", "pub(super) fn is_user("],
    "crates/rules/src/domain/config/mod.rs": ["pub enum Event ", "pub enum Refusal ", "impl Refusal ", "pub fn decide("],
    "crates/rules/src/domain/erasure/mod.rs": [
        "pub enum Event ", "pub enum Refusal ", "impl Refusal ", "pub fn decide(", "pub fn is_payload(",
    ],
    "crates/rules/src/domain/roster/decide.rs": ["*"],
    "crates/rules/src/domain/roster/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/roster/health.rs": ["*"],
    "crates/rules/src/domain/roster/state.rs": ["impl State {"],
    "crates/rules/src/domain/issue/decide.rs": ["*"],
    "crates/rules/src/domain/issue/refusal.rs": ["*"],
    "crates/rules/src/domain/issue/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/issue/status.rs": ["*"],
    "crates/rules/src/domain/issue/row.rs": ["impl Issue {"],
    "crates/rules/src/domain/issue/state.rs": ["impl State {", "pub fn tagged(", "impl Issue {"],
    "crates/rules/src/domain/breaker/judge.rs": ["*"],
    "crates/rules/src/domain/breaker/limits.rs": ["impl Limits {"],
    "crates/rules/src/domain/breaker/rule.rs": ["pub enum Rule ", "pub enum Severity "],
    "crates/rules/src/domain/breaker/state.rs": ["*"],
    "crates/rules/src/domain/breaker/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/canon/decide.rs": ["*"],
    "crates/rules/src/domain/canon/refusal.rs": ["*"],
    "crates/rules/src/domain/canon/event.rs": ["pub enum Event ", "pub enum Staleness "],
    "crates/rules/src/domain/canon/row.rs": ["impl Entry {", "impl Fact {"],
    "crates/rules/src/domain/canon/state.rs": ["impl State {", "fn conflict(", "impl Conflict {"],
    "crates/rules/src/domain/canon/claim.rs": [
        "pub fn is_whole(", "pub fn fact(", "pub fn agrees_to_the_letter(", "pub fn differ(", "pub fn normal(",
    ],
    "crates/rules/src/domain/canon/anchor.rs": ["pub fn read(text: &str)", "pub fn read(text: &'a str)", "pub fn is_a_key("],
    "crates/rules/src/domain/milestone/decide.rs": ["*"],
    "crates/rules/src/domain/milestone/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/milestone/state.rs": ["pub fn going_on(", "pub fn evolve("],
    "crates/rules/src/domain/credit/decide.rs": ["*"],
    "crates/rules/src/domain/credit/refusal.rs": ["*"],
    "crates/rules/src/domain/credit/event.rs": ["pub enum Event ", "impl Cited {"],
    "crates/rules/src/domain/credit/formula.rs": ["*"],
    "crates/rules/src/domain/credit/goal.rs": ["pub enum Metric ", "pub enum End ", "impl End {", "impl Goal {"],
    "crates/rules/src/domain/credit/ledger.rs": ["impl Ledger {"],
    "crates/rules/src/domain/credit/profile.rs": ["pub fn tier(", "fn take(&mut self", "impl Record {"],
    "crates/rules/src/domain/credit/reason.rs": ["pub enum Reason ", "pub fn heading(", "fn default_amount(", "pub fn worth("],
    "crates/rules/src/domain/credit/state.rs": ["impl State {", "fn is_kept(", "impl Totals {"],
    "crates/rules/src/domain/reliability/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/reliability/ladder.rs": ["*"],
    "crates/rules/src/domain/reliability/record.rs": ["*"],
    "crates/rules/src/domain/reliability/state.rs": ["impl State {"],
    "crates/rules/src/domain/team/event.rs": ["pub enum Event ", "pub enum Reason ", "pub fn default_amount("],
    "crates/rules/src/domain/team/state.rs": ["pub fn has(", "pub fn evolve("],
    "crates/rules/src/domain/notice.rs": ["*"],
    "crates/rules/src/domain/topic.rs": ["pub enum Event ", "pub fn is_leech(", "pub fn crossing(", "pub fn evolve("],
    "crates/rules/src/domain/advocate/decide.rs": ["*"],
    "crates/rules/src/domain/advocate/event.rs": ["pub enum Event ", "pub enum Ending "],
    "crates/rules/src/domain/advocate/state.rs": ["pub fn live(&self)", "impl State {"],
    "crates/rules/src/domain/advocate/trigger.rs": ["*"],
    "crates/rules/src/domain/blind/decide.rs": ["*"],
    "crates/rules/src/domain/blind/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/blind/mod.rs": ["*"],
    "crates/rules/src/domain/blind/state.rs": ["impl Pass {", "impl State {"],
    "crates/rules/src/domain/moderation/decide.rs": ["*"],
    "crates/rules/src/domain/moderation/event.rs": ["pub enum Event "],
    "crates/rules/src/domain/moderation/mod.rs": ["*"],
    "crates/rules/src/domain/moderation/state.rs": ["pub enum Freedom ", "pub fn usual(", "impl State {"],
    "crates/rules/src/policy/mod.rs": ["pub fn review(", "pub fn take_in("],
    "crates/rules/src/policy/advocate.rs": ["*"],
    "crates/rules/src/policy/blind.rs": ["*"],
    "crates/rules/src/policy/breakers.rs": ["*"],
    "crates/rules/src/policy/canon.rs": ["*"],
    "crates/rules/src/policy/citations.rs": ["*"],
    "crates/rules/src/policy/credits.rs": ["*"],
    "crates/rules/src/policy/entry.rs": ["*"],
    "crates/rules/src/policy/health.rs": ["*"],
    "crates/rules/src/policy/ladder.rs": ["*"],
    "crates/rules/src/policy/merits.rs": ["*"],
    "crates/rules/src/policy/moderation.rs": ["*"],
    "crates/rules/src/policy/notices.rs": ["*"],
    "crates/rules/src/policy/records.rs": ["*"],
    "crates/rules/src/policy/team.rs": ["*"],
    "crates/rules/src/policy/topics.rs": ["*"],
    "crates/kernel/src/actor.rs": ["impl Standing {"],
    "crates/kernel/src/credits.rs": ["pub const fn weighted(", "pub fn is_above(", "pub fn is_below(", "pub fn is_known("],
    "crates/kernel/src/period.rs": ["impl Periods {"],
    "crates/kernel/src/settings.rs": ["pub fn get<", "pub fn stored("],
    "crates/kernel/src/decision.rs": ["impl<E, R> Outcome<E, R>", "impl<E, R> From<Result"],
}


# The golden logs, as `.context` folders below the copy of tests/golden.
LOGS = ["control", "."]
# A replay that takes longer does not come to an end.
MOST_SECONDS = 60

MANIFEST = """[package]
name = "annals"
version.workspace = true
edition.workspace = true

[dependencies]
annals-engine.workspace = true
annals-log.workspace = true

[workspace.lints.rust]
warnings = "allow"

[profile.dev]
debug = false
"""

MAIN = """//! Replays the folder that is named and ends as `annals replay` does.
use annals_engine::{Engine, clock::Clock, replay::Which};
use annals_log::disk::RealDisk;

fn main() -> std::process::ExitCode {
    let folder = std::env::args_os().nth(1).expect("a folder");
    let disk = std::sync::Arc::new(RealDisk);
    let engine = Engine::open(disk, folder.as_ref(), Clock::default()).expect("opened");
    let report = engine.replay(&Which::All).expect("replayed");
    for differed in &report.differed {
        println!("history/{}:{}", differed.segment, differed.line);
    }
    println!("{} of {} matched", report.matched, report.decisions);
    std::process::ExitCode::from(u8::from(!report.differed.is_empty()))
}
"""


def prepare():
    """The copy: rooms that replay needs, a small `main`, and the golden log as a `.context` folder."""
    shutil.rmtree(WORK / "crate", ignore_errors=True)
    shutil.rmtree(WORK / "golden", ignore_errors=True)
    (WORK / "crate/src").mkdir(parents=True)
    shutil.copytree(ROOT / "crates", WORK / "crate/crates")
    shutil.copytree(ROOT / ".context-template", WORK / "crate/.context-template")
    workspace = (ROOT / "Cargo.toml").read_text()
    workspace = workspace[:workspace.index("[package]")].replace('default-members = [".", "crates/*"]', "")
    (WORK / "crate/Cargo.toml").write_text(workspace + MANIFEST)
    shutil.copy(ROOT / "Cargo.lock", WORK / "crate")
    (WORK / "crate/src/main.rs").write_text(MAIN)
    shutil.copytree(ROOT / "tests/golden", WORK / "golden")


def build():
    done = subprocess.run(
        ["cargo", "build", "--quiet", "--offline"], cwd=WORK / "crate", capture_output=True, text=True,
        env={**os.environ, "CARGO_TARGET_DIR": str(WORK / "target")},
    )
    return done.returncode == 0, done.stderr


def replay():
    """Ends as the first replay that does not end well; None where it does not end."""
    said = []
    for log in LOGS:
        folder = WORK / "golden" / log
        shutil.rmtree(folder / "local", ignore_errors=True)
        try:
            done = subprocess.run(
                [WORK / "target/debug/annals", folder], capture_output=True, text=True, timeout=MOST_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        said.append(done.stdout)
        if done.returncode != 0:
            return done.returncode, done.stdout
    return 0, "".join(said)


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
    if code is None or code == 1 and re.search(r"^history/\S+:\d+$", said, re.M):
        return "caught"
    return "survived" if code == 0 else f"ended with {code}"


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("words", nargs="*")
    asked.add_argument("--list", action="store_true")
    asked.add_argument("--sample", type=int, default=1, metavar="N", help="one mutant of N")
    asked.add_argument("--from", type=int, default=0, dest="first", metavar="K", help="the sample begins with this one")
    asked = asked.parse_args()
    words = asked.words
    files = [file for file in TARGETS if not words or any(word in file for word in words)]
    all_mutants = [mutant for file in files for mutant in mutants(file, (ROOT / file).read_text(), TARGETS[file])]
    all_mutants = all_mutants[asked.first :: asked.sample]
    if asked.list:
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
