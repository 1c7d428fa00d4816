//! The breaker against echo: a text that only repeats its thread, or agrees and brings little (decision 58).

use super::gist::Gist;
use super::judge::{Draft, Ground, check};
use super::limits::Limits;
use super::rule::{BreakerRule, Check, Echoes, Found, ViolationSeverity};
use super::thread::Thread;
use annals_kernel::grounding::Stance;

/// Holds a text against its thread; nothing where the breaker is off.
pub(super) fn echo(draft: &Draft<'_>, known: &Thread, limits: &Limits) -> Option<Check> {
    if !limits.echo {
        return None;
    }
    let gist = Gist::of(draft.body);
    let novelty = known.novelty(&gist);
    // One at least, because a short text of which nothing is new is an echo, too.
    let least = (gist.units.len() * limits.echo_novelty_percent as usize).div_ceil(100).max(1);
    let needed = limits.echo_new_words as usize;
    let needed = needed.max(gist.agreeing * limits.echo_new_words_per_agreement as usize);
    let (echoes, value, limit) = if novelty.units >= least && agrees(draft, &gist, limits) {
        (Echoes::Agreement, novelty.words, needed)
    } else {
        (Echoes::Restatement, novelty.units, least)
    };
    // The first times are rejected, the third in a thread freezes (decision 58).
    let is_last = known.echoes + 1 >= limits.echo_freezes_at;
    let severity = if is_last { ViolationSeverity::Freeze } else { ViolationSeverity::Reject };
    // New evidence in old words is no echo: the place in the file is what the thread did not have.
    let is_violated = value < limit && draft.ground == Ground::Known;
    let found = Found { echoes: Some(echoes), ..Found::default() };
    Some(check(BreakerRule::Echo, value, limit, is_violated.then_some(severity), found))
}

/// Whether a text supports: it says so, or so much of it is agreement and praise.
fn agrees(draft: &Draft<'_>, gist: &Gist, limits: &Limits) -> bool {
    let is_praise = gist.agreeing > 0 && gist.agreeing * 100 >= gist.length * limits.echo_agreement_percent as usize;
    draft.stance == Stance::Support || is_praise
}
