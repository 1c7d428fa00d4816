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
        let mut last = ("", true);
        edits.retain(|edit| {
            let Some(seen) = lens.meaning(&edit.range) else { return true };
            // The same value stands often one after the other.
            if seen != last.0 {
                last = (seen, is_placeholder(seen.as_bytes()));
            }
            !last.1
        });
        lens.sharpen(&mut edits, &seen);
        edits.extend(seen);
    }
    edits
}
