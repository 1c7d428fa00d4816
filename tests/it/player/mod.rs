//! Random players that are paid for walking around the rules: one family of rules each, with every command of it, under
//! every name, at every time. What a player must not reach is said by its family, from what it saw itself, and not by the
//! code that decides. `tests/players.py` plays long, and with each hole put back in turn; here a short part is played.
//!
//! `ANNALS_PLAYER_COMMANDS` and `ANNALS_PLAYER_SEED` say how many commands, and which ones.

#![expect(clippy::wildcard_enum_match_arm, reason = "a player looks at what it is paid for, and at nothing else")]

mod chance;
mod council;
mod credit;
mod debate;
mod identity;
mod oversight;
mod table;
mod time;

use std::collections::BTreeMap;

use annals::domain::roster::Event as Roster;
use annals::domain::{Event, RoomsDecided};

use self::chance::Chance;
use self::table::{Move, Table};
use crate::control::desk::rule;

/// So many commands a game has.
const GAME: usize = 250;

/// A family of rules, and what must not happen.
trait Family: Sized {
    /// Sets a game up.
    fn begin(chance: &mut Chance) -> (Table, Self);
    /// What is tried next.
    fn next(&mut self, table: &Table, chance: &mut Chance) -> Move;
    /// Looks at the table before the move.
    fn look(&mut self, _: &Table, _: &Move) {}
    /// Whether what came of it is as promised.
    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String>;
    /// Whether the game ended as promised.
    fn end(&mut self, _: &mut Table) -> Result<(), String> {
        Ok(())
    }
}

/// What was played: how often which rule said no, and how often none did.
type Played = BTreeMap<String, usize>;

/// Plays a family: the seed and the number of the game bring a find back.
fn play<F: Family>(family: &str) -> Played {
    let (commands, seed) = (number("ANNALS_PLAYER_COMMANDS", 1500), number("ANNALS_PLAYER_SEED", 1));
    let mut played = Played::new();
    for game in 0..commands.div_ceil(GAME as u64) {
        if let Err(found) = one_game::<F>(&mut Chance::of(seed, game), &mut played) {
            panic!("{family}, seed {seed}, game {game}: {found}");
        }
    }
    let total: usize = played.values().sum();
    self::played(family, total, played["-"], played.len() - 1);
    assert!(played["-"] * 20 > total, "{family} does nothing: {played:?}");
    played
}

/// A number of the environment.
#[expect(clippy::disallowed_methods, reason = "a long game is asked for by whoever starts the tests")]
fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
}

/// For the long player: what was played without a find.
#[expect(clippy::print_stderr, reason = "the script reads it")]
fn played(family: &str, commands: usize, through: usize, rules: usize) {
    eprintln!("played {family}: {commands} commands, {through} let through, {rules} rules said no, nothing found");
}

fn one_game<F: Family>(chance: &mut Chance, played: &mut Played) -> Result<(), String> {
    let (mut table, mut family) = F::begin(chance);
    for _ in 0..GAME {
        let mv = family.next(&table, chance);
        family.look(&table, &mv);
        let decided = table.play(&mv);
        *played.entry(rule(&decided).unwrap_or("-").into()).or_default() += 1;
        let found = nobody_else(&mv, &decided).and_then(|()| family.judge(&table, &mv, &decided));
        if let Err(found) = found {
            std::mem::forget(table);
            return Err(format!("{found}\n{mv:#?}\n{decided:#?}"));
        }
    }
    family.end(&mut table)
}

/// Under a name of which it has no token nobody does anything but be seen trying.
fn nobody_else(mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
    let is_seen =
        |event: &Event| matches!(event, Event::Roster(Roster::Forged(_) | Roster::Barred(_)) | Event::Notice(_));
    let is_harmless = mv.is_own() || decided.refusal.is_some() && decided.events.iter().all(is_seen);
    if is_harmless { Ok(()) } else { Err(format!("{} acted as {}", mv.hand, mv.claims)) }
}

/// An error, where something is so.
fn never(is_so: bool, what: impl Into<String>) -> Result<(), String> {
    if is_so { Err(what.into()) } else { Ok(()) }
}

/// Plays a family, which meets these rules among others.
fn meets<F: Family>(family: &str, rules: &[&str]) {
    let played = play::<F>(family);
    let unheard: Vec<_> = rules.iter().filter(|rule| !played.contains_key(**rule)).collect();
    assert!(unheard.is_empty(), "nobody ran into {unheard:?}: {played:?}");
}

#[test]
fn councils() {
    meets::<council::Councils>(
        "councils",
        &["council.not_a_member", "council.voted", "council.too_early", "council.both_sides"],
    );
}

#[test]
fn debates() {
    meets::<debate::Debates>("debates", &["dialectic.not_the_user", "dialectic.not_allowed", "dialectic.both_sides"]);
}

#[test]
fn credits() {
    meets::<credit::Credits>("credits", &["credits.not_entitled", "issues.not_privileged", "credits.system_only"]);
}

#[test]
fn oversight() {
    meets::<oversight::Oversight>(
        "oversight",
        &["issues.reserved_tag", "moderation.contested", "blind.not_privileged"],
    );
}

#[test]
fn identity() {
    meets::<identity::Identity>(
        "identity",
        &["roster.not_proved", "roster.alike", "roster.reserved", "roster.not_a_lead"],
    );
}
