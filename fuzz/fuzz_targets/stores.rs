//! Project groups, triggers of a project's own, and what a state file of another program is.
#![no_main]

use annals::domain::cognition::custom::Custom;
use annals::domain::cognition::load::part_of;
use annals::engine::shared::groups::ProjectGroups;
use annals::kernel::json::Json;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = ProjectGroups::read(text);
    let _ = serde_json::from_str::<Vec<Custom>>(text);
    if let Ok(state) = Json::from_text(text.to_owned()) {
        let _ = part_of(&state);
    }
});
