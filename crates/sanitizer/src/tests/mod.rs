//! What the sanitizer takes out, what it leaves, and laws that hold for any input.

mod configuration;
mod corpus;
mod examples;
mod forms;
mod generated;
mod held_out;
mod json;
mod laws;
mod left_alone;
mod programs;
mod taken_out;
mod through;

use super::{Config, Context, Patterns, Sanitizer, Source};

/// Made-up secrets are written in two pieces, so that no scanner takes this source for a leak.
const SEAM: char = '¦';

fn joined(text: &str) -> String {
    text.replace(SEAM, "")
}

fn sanitizer() -> Sanitizer {
    Sanitizer::new(Config::default()).expect("a configuration")
}

fn with_pii() -> Sanitizer {
    let patterns = Patterns { pii: true, ..Patterns::default() };
    Sanitizer::new(Config { patterns, ..Config::default() }).expect("a configuration")
}

fn history() -> Context<'static> {
    Context::of(Source::History)
}

/// What becomes of a text.
fn cleaned(text: &str) -> String {
    sanitizer().sanitize_text(text, &history()).text.into_owned()
}
