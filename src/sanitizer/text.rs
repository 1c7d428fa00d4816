//! All rules on one text.

use super::edit::{Edit, in_order};
use super::probe::hits;
use super::scene::{Content, Scene};
use super::{envfile, pii};

/// What is to be replaced in a text, in order.
pub(super) fn scan(text: &str, scene: &Scene<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for hit in hits(text.as_bytes()) {
        hit.resolve(text.as_bytes(), &mut edits);
    }
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
