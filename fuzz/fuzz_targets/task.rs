//! Tasks, errors, phrases, stakes: a canonical text is its own canonical text.
#![no_main]

use annals::domain::dialectic::command::Facts;
use annals::domain::dialectic::stakes::{at_stake, bypass};
use annals::domain::dialectic::{fingerprint, identity, phrases};
use annals::kernel::settings::Settings;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let canonical = identity::canonical(text);
    assert_eq!(identity::canonical(&canonical), canonical);
    let (settings, facts) = (Settings::default(), Facts::default());
    let at_stake = at_stake(&[text], &facts, &settings);
    let _ = bypass(&[text], at_stake, &facts, &settings);
    let _ = (fingerprint::of(text), fingerprint::telling_line(text));
    let _ = (phrases::reset_by(text, &settings), phrases::goes_on(text));
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let _ = identity::common_words(&text[..half], &text[half..]);
});
