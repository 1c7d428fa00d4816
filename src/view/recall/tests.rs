//! The order of texts by a question.

use super::rank::rank;
use super::texts::RecallText;
use super::{RecallKind, Recalled};
use crate::kernel::time::Timestamp;

fn text(id: &str, said: &str, weight: f64) -> RecallText {
    let at = Timestamp::from_millis(0);
    let recalled = Recalled {
        kind: RecallKind::Experience,
        id: id.into(),
        text: said.into(),
        about: "tool:shell env:local".into(),
        score: 0,
        at,
        quoted: None,
    };
    RecallText { recalled, weight, error: None }
}

fn ids(question: &str, texts: &[RecallText]) -> Vec<String> {
    rank(question, texts, 5).into_iter().map(|(at, _)| texts[at].recalled.id.to_string()).collect()
}

#[test]
fn what_covers_more_of_a_question_comes_first() {
    let texts = [
        text("one", "the login page has a new color and a login form and a login button", 1.0),
        text("two", "a login test failed because of the clock; it worked after freezing it", 1.0),
        text("three", "cargo build failed: no linker", 1.0),
    ];
    assert_eq!(ids("fix the failing login tests", &texts), ["two", "one", "three"]);
    assert_eq!(ids("quantum chromodynamics", &texts), Vec::<String>::new());
    assert_eq!(ids("", &texts), Vec::<String>::new());
}

#[test]
fn what_weighs_more_comes_first_and_the_same_comes_once() {
    let texts = [
        text("old", "pytest failed: no module named flask. It worked after pip install flask", 0.6),
        text("new", "pytest failed: no module named flask. It worked after pip install flask", 1.0),
        text("other", "use poetry, not pip, in this project", 1.0),
    ];
    assert_eq!(ids("pip flask", &texts), ["new", "other"]);
}

#[test]
fn the_order_of_texts_changes_nothing() {
    let mut texts: Vec<RecallText> = (0..30)
        .map(|number| text(&format!("t{number:02}"), &format!("word{number} alpha beta{}", number % 3), 1.0))
        .collect();
    let before = ids("alpha beta1 beta2", &texts);
    texts.reverse();
    assert_eq!(ids("alpha beta1 beta2", &texts), before);
}
