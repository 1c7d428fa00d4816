//! What happens in the golden log of the minds: every command of their rooms, allowed and refused, and every policy.
//!
//! Each part is one writer at one time. Says what is asked, not what comes of it.

mod cognition;
mod council;
mod dialectic;
mod hivemind;
mod knowledge;
mod memory;
mod resident;
mod task;
mod voice;

use serde_json::json;

use super::control::{add, set};
use super::story::Step;

/// Who is there.
fn people() -> Vec<Step> {
    vec![
        add("mod", "moderator", json!({})),
        add("explore", "writer", json!({})),
        add("critic", "critic", json!({})),
        add("general", "writer", json!({})),
        add("ggs", "solver", json!({})),
        set(json!({ "sanity.preset": "light" })),
    ]
}

/// The first writer: the whole first day.
pub fn first_day() -> Vec<Step> {
    let parts = [
        people(),
        hivemind::first_day(),
        council::first_day(),
        dialectic::first_day(),
        memory::first_day(),
        knowledge::first_day(),
        cognition::first_day(),
    ];
    parts.into_iter().flatten().collect()
}

/// The second writer, who starts from a copy and does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    let parts = [
        vec![add("there", "writer", json!({}))],
        hivemind::elsewhere(),
        council::elsewhere(),
        dialectic::elsewhere(),
        memory::elsewhere(),
        knowledge::elsewhere(),
        cognition::elsewhere(),
    ];
    parts.into_iter().flatten().collect()
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    let parts = [
        vec![add("here", "writer", json!({}))],
        hivemind::meanwhile(),
        council::meanwhile(),
        dialectic::meanwhile(),
        memory::meanwhile(),
        knowledge::meanwhile(),
        cognition::meanwhile(),
    ];
    parts.into_iter().flatten().collect()
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    let parts = [
        vec![add("both", "writer", json!({}))],
        hivemind::afterwards(),
        council::afterwards(),
        dialectic::afterwards(),
        memory::afterwards(),
        knowledge::afterwards(),
        cognition::afterwards(),
        voice::told(),
        task::whole(),
        resident::whole(),
        cognition::judged(),
        knowledge::settled(),
    ];
    parts.into_iter().flatten().collect()
}
