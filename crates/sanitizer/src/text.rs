//! All rules on one text.

use super::crowd::Looks;
use super::edit::{Edit, in_order};
use super::lens::Lens;
use super::placeholder::is_placeholder;
use super::probe::{Hit, hits};
use super::scene::{Content, Scene};
use super::{envfile, pii};

/// How often a text is seen through a lens: `%2522` stands for `%22`, and that for a quote.
const MOST_LENSES: usize = 3;

/// How many more places are looked at within the reach of one.
const MOST_HITS: usize = 32;

/// How many values are remembered.
const REMEMBERED: usize = 4;

/// What is to be replaced in a text, in order.
pub(super) fn scan(text: &str, scene: &Scene<'_>) -> Vec<Edit> {
    let mut edits = built_in(text, MOST_LENSES);
    if scene.content == Content::SecretFile {
        envfile::find(text.as_bytes(), &mut edits);
    }
    if scene.patterns.pii {
        pii::find(text.as_bytes(), &mut edits);
    }
    edits.retain(|edit| scene.wants(edit));
    for custom in scene.custom {
        custom.find(text, &mut edits);
    }
    in_order(edits)
}

/// What the built-in rules find in the text as it is written, and in what it means.
fn built_in(text: &str, lenses: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    let hits = hits(text.as_bytes());
    let mut looks = Looks::new(text.as_bytes(), hits.len());
    for (index, hit) in hits.iter().enumerate() {
        // What stands behind so many more names belongs to those.
        let end = hits.get(index + MOST_HITS).map_or(text.len(), |other| other.range.end);
        looks.resolve(hit, end.max(hit.range.end), &mut edits);
    }
    let is_clouded = hits.iter().any(Hit::clouds);
    let lens = (is_clouded && lenses > 0).then(|| Lens::of(text)).flatten();
    if let Some(lens) = lens {
        let mut seen = built_in(&lens.seen, lenses - 1);
        for edit in &mut seen {
            edit.range = lens.source(&edit.range);
        }
        seen.sort_by_key(|edit| edit.range.start);
        let mut placeholders = Placeholders::default();
        edits.retain(|edit| !lens.meaning(&edit.range).is_some_and(|seen| placeholders.contain(seen)));
        lens.sharpen(&mut edits, &seen);
        edits.extend(seen);
    }
    edits
}

/// The last values that were asked for, and whether they are placeholders: a text full of values repeats a few.
#[derive(Debug)]
struct Placeholders<'a> {
    last: [(&'a str, bool); REMEMBERED],
    next: usize,
}

impl Default for Placeholders<'_> {
    fn default() -> Self {
        Self { last: [("", true); REMEMBERED], next: 0 }
    }
}

impl<'a> Placeholders<'a> {
    fn contain(&mut self, value: &'a str) -> bool {
        if let Some((_, is_placeholder)) = self.last.iter().find(|(other, _)| *other == value) {
            return *is_placeholder;
        }
        let is_placeholder = is_placeholder(value.as_bytes());
        self.last[self.next % REMEMBERED] = (value, is_placeholder);
        self.next += 1;
        is_placeholder
    }
}
