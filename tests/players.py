#!/usr/bin/env python3
"""Plays the random players of `tests/it/player` long, and with each hole put back in turn.

A hole is a promise taken back in one place of the source: each is patched, in a copy of the checkout, so that it opens
where `ANNALS_HOLE` names it; so one build serves all. With no hole open a player must find nothing in `--commands`
commands of its family; with a hole open it must find it. Whatever is not so ends the script with 1.

    tests/players.py                       # both, 100,000 commands a family
    tests/players.py --holes seat shell    # only these holes
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = ["councils", "debates", "credits", "oversight", "identity", "time::lines"]
PROCESSES = "time::commands"

DECIDE = "crates/rules/src/domain/council/decide.rs"
DEBATE = "crates/rules/src/domain/dialectic/debate.rs"
ISSUE = "crates/rules/src/domain/issue/decide.rs"
CREDITS = "crates/rules/src/policy/credits.rs"
ENTRY = "crates/rules/src/policy/entry.rs"

# name: (family, file, what stands there, what stands there with the hole)
HOLES = {
    "seat": ("councils", DECIDE, "    member.ok_or_else(|| Refusal::NotAMember",
             "    let member = member.or_else(|| give.member.as_deref().filter(|seat| OPEN && session.has_member(seat)));\n"
             "    member.ok_or_else(|| Refusal::NotAMember"),
    "second-vote": ("councils", DECIDE, "session.vote_of(member).or_else(own)",
                    "session.vote_of(member).or_else(own).filter(|_| !OPEN)"),
    "both-sides": ("councils", DECIDE, "if session.has_spoken(", "if !OPEN && session.has_spoken("),
    "early-count": ("councils", DECIDE, "moment.at < until && !moment.standing.is_lead()",
                    "!OPEN && moment.at < until && !moment.standing.is_lead()"),
    "quorum": ("councils", DECIDE, ".filter(|_| session.has_quorum())", ".filter(|_| OPEN || session.has_quorum())"),
    "last-word": ("councils", DECIDE, "    if !moment.standing.is_lead() {\n        let (actor, arbitrator)",
                  "    if !OPEN && !moment.standing.is_lead() {\n        let (actor, arbitrator)"),
    "arbitrator": ("councils", DECIDE, "moment.actor != *arbitrator && ", "!OPEN && moment.actor != *arbitrator && "),
    "confirmation": ("councils", DECIDE, "!matches!(moment.standing, Standing::User)",
                     "!OPEN && !matches!(moment.standing, Standing::User)"),
    "unmanned": ("councils", "crates/rules/src/policy/manning.rs", "    let session = rooms.council.session(&created.council);\n",
                 "    let session = rooms.council.session(&created.council).filter(|_| !OPEN);\n"),
    "waits-for-ever": ("councils", "crates/rules/src/policy/manning.rs", "Status::Voting => turn.at >= session.votes_until(),",
                       "Status::Voting => !OPEN && turn.at >= session.votes_until(),"),
    "silent-arbitrator": ("councils", "crates/rules/src/policy/manning.rs", "Status::Debating => turn.at >= session.debate_until(),",
                          "Status::Debating => !OPEN && turn.at >= session.debate_until(),"),
    "gone-arbitrator": ("councils", "crates/rules/src/policy/manning.rs", "Status::Debating if session.config.arbitrator == *gone",
                        "Status::Debating if !OPEN && session.config.arbitrator == *gone"),
    "untold": ("councils", "crates/rules/src/policy/manning.rs", "    vec![notice(&to, what, event.council(), session)]",
               "    if OPEN {\n        return Vec::new();\n    }\n    vec![notice(&to, what, event.council(), session)]"),
    "stakes": ("debates", DEBATE, "if moment.standing == Standing::User { claimed }",
               "if OPEN || moment.standing == Standing::User { claimed }"),
    "just-do-it": ("debates", "crates/rules/src/domain/dialectic/stakes.rs", "facts.just_do_it && is_users",
                   "facts.just_do_it && (OPEN || is_users)"),
    "read-only": ("debates", "crates/rules/src/domain/dialectic/stakes.rs", "facts.read_only && is_users",
                  "facts.read_only && (OPEN || is_users)"),
    "switched-off": ("debates", "crates/rules/src/domain/dialectic/decide.rs", "Debates::Off if moment.standing == Standing::User",
                     "Debates::Off if OPEN || moment.standing == Standing::User"),
    "reset": ("debates", "crates/rules/src/domain/dialectic/decide.rs", "    if moment.standing.is_lead() { Ok(()) }",
              "    if OPEN || moment.standing.is_lead() { Ok(()) }"),
    "one-voice": ("debates", DEBATE, "if actor.as_str() == USER ||", "if OPEN || actor.as_str() == USER ||"),
    "not-heard": ("debates", DEBATE, "    if let Some((Side::Critic, _)) = debate.next() {",
                  "    if let Some((Side::Critic, _)) = debate.next().filter(|_| !OPEN) {"),
    "nobody-told": ("debates", "crates/rules/src/policy/dialectic.rs", "let user = (!is_leads).then(",
                    "let user = (!OPEN && !is_leads).then("),
    "own-word": ("credits", CREDITS, "let is_by_another = |kept: &Kept| !is_own(rooms, kept, moment);\n            let mut",
                 "let is_by_another = |kept: &Kept| OPEN || !is_own(rooms, kept, moment);\n            let mut"),
    "own-resolution": ("credits", CREDITS, "match (is_own(rooms, kept, setting.moment), kept.is_shared)",
                       "match (!OPEN && is_own(rooms, kept, setting.moment), kept.is_shared)"),
    "alone": ("credits", "crates/rules/src/domain/credit/profile.rs", "if self.borne_out() == 0 {", "if !OPEN && self.borne_out() == 0 {"),
    "few-letters": ("credits", "crates/rules/src/policy/citations.rs", "letters >= settings.get(&LEAST_QUOTE)",
                    "(OPEN || letters >= settings.get(&LEAST_QUOTE))"),
    "empty-file": ("credits", "crates/rules/src/policy/citations.rs", "(true, true) => Weight::Empty",
                   "(true, true) => if OPEN { Weight::Verified } else { Weight::Empty }"),
    "waits": ("credits", CREDITS, "if settled.citations.is_empty() {", "if OPEN || settled.citations.is_empty() {"),
    "no-question": ("credits", "crates/rules/src/policy/prompting.rs", "is_asked.then_some(trigger)", "(OPEN || is_asked).then_some(trigger)"),
    "meta-tag": ("oversight", ISSUE, "let kept = tags.iter().find(|tag| is_kept(tag));",
                 "let kept = tags.iter().find(|tag| !OPEN && is_kept(tag));"),
    "meta-letters": ("oversight", ISSUE, "Folded::of(&fold::tag(tag)).is_same(&meta)",
                     "if OPEN { tag == \"meta\" || tag == META_TAG } else { Folded::of(&fold::tag(tag)).is_same(&meta) }"),
    "frozen-letters": ("oversight", "crates/rules/src/policy/moderation.rs", "moderation.frozen_as(&fold::tag(tag))",
                       "moderation.frozen_as(&fold::tag(tag)).filter(|known| !OPEN || **known == **tag)"),
    "others-words": ("oversight", ISSUE, "let may_edit = issue.author", "let may_edit = OPEN || issue.author"),
    "contested": ("oversight", "crates/rules/src/policy/moderation.rs", "contested.filter(|_| !moment.standing.is_lead())",
                  "contested.filter(|_| !OPEN && !moment.standing.is_lead())"),
    "opposed": ("oversight", "crates/rules/src/domain/issue/row.rs", "let falls = from ==", "let falls = !OPEN && from =="),
    "frozen-by-anyone": ("oversight", ISSUE, "known(state, &freeze.issue)?;\n    if !moment", "known(state, &freeze.issue)?;\n    if !OPEN && !moment"),
    "blind-opener": ("oversight", "crates/rules/src/policy/blind.rs", "    if !may_open {", "    if !OPEN && !may_open {"),
    "own-freedom": ("oversight", "crates/rules/src/domain/moderation/decide.rs", "if adjust.agent == moment.actor", "if !OPEN && adjust.agent == moment.actor"),
    "no-token": ("identity", ENTRY, "if !moment.settings.get(&REQUIRE_TOKEN) ||", "if OPEN || !moment.settings.get(&REQUIRE_TOKEN) ||"),
    "shell": ("identity", ENTRY, "    (!shown.is_shown(rooms, &moment.actor)).then(", "    (!OPEN && !shown.is_shown(rooms, &moment.actor)).then("),
    "alike": ("identity", "crates/rules/src/domain/roster/decide.rs", "let Some(called) = name.map(Folded::of) else",
              "let Some(called) = name.map(Folded::of).filter(|_| !OPEN) else"),
    "unseen": ("identity", "crates/rules/src/policy/standing.rs", "if !is_attempt(", "if OPEN || !is_attempt("),
    "seen-always": ("identity", "crates/rules/src/domain/roster/state.rs", "        tried.is_none_or(|tried| !tried", "        OPEN || tried.is_none_or(|tried| !tried"),
    "roster": ("identity", "crates/rules/src/domain/roster/decide.rs", "    if !moment.standing.is_lead() {", "    if !OPEN && !moment.standing.is_lead() {"),
    "first-line": ("time::lines", "crates/rules/src/world/clock.rs", "let is_first = begun", "let is_first = OPEN || begun"),
    "unknowing": ("time::lines", "crates/rules/src/domain/config/clock.rs", "        if clock.known_to.contains(writer) {",
                  "        if OPEN || clock.known_to.contains(writer) {"),
    "environment": (PROCESSES, "src/cli/shell.rs", "Some(_) if engine.is_clock_given()?", "Some(_) if OPEN || engine.is_clock_given()?"),
    "hook": (PROCESSES, "src/hook/run.rs", "clock.filter(|_| engine", "clock.filter(|_| OPEN || engine"),
    "late-clock": (PROCESSES, ENTRY, "(is_asked && entries > 0)", "(!OPEN && is_asked && entries > 0)"),
    "doctor": (PROCESSES, "crates/engine/src/doctor/times.rs", "if before.at.since(after.at) > STEP_MS", "if !OPEN && before.at.since(after.at) > STEP_MS"),
}


def run_player(copy, family, environment):
    command = ["cargo", "test", "--locked", "--release", "--test", "it", "--", f"player::{family}", "--exact", "--nocapture"]
    ran = subprocess.run(command, cwd=copy, env={**os.environ, **environment}, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ran.returncode, ran.stdout


def patched(copy, names):
    for name in names:
        _, file, old, new = HOLES[name]
        path = copy / file
        text = path.read_text()
        if text.count(old) < 1:
            sys.exit(f"hole {name}: {file} has no {old!r}")
        path.write_text(text.replace(old, new.replace("OPEN", f'{"crate" if "crates/kernel" in file else "annals_kernel"}::hole("{name}")')))
    kernel = copy / "crates/kernel/src/lib.rs"
    kernel.write_text(kernel.read_text() + '\n/// Whether a hole is open.\npub fn hole(name: &str) -> bool {\n'
                      '    std::env::var("ANNALS_HOLE").is_ok_and(|hole| hole == name)\n}\n')
    # Nothing else of the tests is needed.
    (copy / "tests/it/main.rs").write_text(
        '#![allow(dead_code, missing_docs)]\nmod control {\n    #[path = "desk.rs"]\n    pub mod desk;\n}\n'
        'mod player;\nmod program;\nmod support;\n')
    program = copy / "tests/it/program.rs"
    program.write_text(program.read_text().replace(
        ".env_clear();", '.env_clear();\n        command.env("ANNALS_HOLE", std::env::var("ANNALS_HOLE").unwrap_or_default());', 1))


def copied(target):
    copy = Path(tempfile.mkdtemp(prefix="annals-players-"))
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    for name in filter(None, files.decode().split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    # Fast enough, and built in a few minutes; what must not overflow is checked.
    os.environ |= {"CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_RELEASE_LTO": "off",
                   "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1", "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS": "true"}
    return copy


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--commands", type=int, default=100_000)
    arguments.add_argument("--processes", type=int, default=3_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--holes", nargs="*")
    arguments.add_argument("--target", type=Path, default=ROOT / "target" / "players")
    options = arguments.parse_args()
    wrong = 0
    game = {"ANNALS_PLAYER_COMMANDS": str(options.commands), "ANNALS_PLAYER_PROCESSES": str(options.processes),
            "ANNALS_PLAYER_SEED": str(options.seed)}
    names = options.holes if options.holes else list(HOLES)
    copy = copied(options.target)
    try:
        patched(copy, HOLES)
        print("building", flush=True)
        built = subprocess.run(["cargo", "test", "--locked", "--release", "--test", "it", "--no-run"], cwd=copy,
                               text=True, stderr=subprocess.PIPE)
        if built.returncode:
            sys.exit(f"it does not build: {built.stderr[-3000:]}")
        for family in [] if options.holes else [*FAMILIES, PROCESSES]:
            begun = time.time()
            code, said = run_player(copy, family, game)
            line = next((line for line in said.splitlines() if "nothing found" in line), None)
            wrong += code != 0
            print(f"{family}: {line or said[-3000:]} ({time.time() - begun:.0f} s)", flush=True)
        found = 0
        for name in names:
            family = HOLES[name][0]
            code, said = run_player(copy, family, {**game, "ANNALS_HOLE": name})
            why = re.search(r"(?:seed \d+, game \d+: )([^\n]*)", said)
            found += code != 0 and why is not None
            wrong += code == 0 or why is None
            print(f"hole {name}: {'found: ' + why[1][:110] if code and why else 'NOT FOUND ' + said[-1500:]}", flush=True)
        print(f"{found} of {len(names)} holes found")
    finally:
        shutil.rmtree(copy)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
