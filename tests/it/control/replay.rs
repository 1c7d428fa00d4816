//! What would have been stopped under another configuration (DESIGN 1): `replay --set sanity.preset=strict`.

use annals::kernel::settings::Settings;
use annals::world::replay::{Overlay, Under, Verdict};
use serde_json::json;

use super::desk::{Desk, rule};

#[test]
fn a_stricter_preset_stops_more() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for actor in ["critic", "writer", "critic"] {
        assert_eq!(rule(&desk.comment(actor, &issue)), None);
    }
    let mut strict = Settings::default();
    strict.set("sanity.preset", Some(json!("strict")));
    let mut refused = Vec::new();
    desk.replay(&Overlay(strict), |verdict, _| match verdict {
        Verdict::Matched => refused.push(None),
        Verdict::Differed(difference) => {
            assert_eq!(difference.under, Under::TheOverlay);
            let refusal = difference.replayed.and_then(|outcome| outcome.refusal);
            refused.push(refusal.map(|refusal| refusal.rule.to_string()));
        }
        Verdict::PassedOver(reason) => panic!("{reason:?}"),
    });
    let last = refused.pop().expect("a line");
    assert_eq!(last.as_deref(), Some("breakers.comment-budget-exceeded"), "the second comment of one agent");
    assert!(refused.iter().all(Option::is_none), "{refused:?}");
}
