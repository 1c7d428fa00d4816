//! A recorded session as a model is shown it: step by step, its middle left out where it is long.

use super::Material;

/// Characters of one step that are shown, and of all together.
const STEP_CHARS: usize = 600;
const SHOWN_CHARS: usize = 16_000;

/// A step of a session: who or what, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStep {
    /// `person`, `agent`, or the tool.
    pub who: String,
    /// What was said, or called and came out.
    pub text: String,
}

/// The beginning and, at twice the length, the end.
pub(super) fn shown(steps: &[SessionStep]) -> Material {
    let length = |step: &SessionStep| step.text.chars().count().min(STEP_CHARS) + step.who.chars().count() + 4;
    let fits = |most: usize| {
        let mut left = most;
        move |step: &&SessionStep| {
            let fits = length(step) <= left;
            left = left.saturating_sub(length(step));
            fits
        }
    };
    let head = steps.iter().take_while(fits(SHOWN_CHARS / 3)).count();
    let tail = steps[head..].iter().rev().take_while(fits(SHOWN_CHARS - SHOWN_CHARS / 3)).count();
    let with = |material: Material, step: &SessionStep| material.with(&step.who, &step.text, STEP_CHARS);
    let material = steps[..head].iter().fold(Material::default(), with);
    let missing = steps.len() - head - tail;
    let note = if missing == 0 { String::new() } else { format!("{missing} steps") };
    steps[steps.len() - tail..].iter().fold(material.with("left out", &note, STEP_CHARS), with)
}

/// Whether words stand in a step, white space folded.
pub(super) fn is_quoted(steps: &[SessionStep], quote: &str) -> bool {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = folded(quote);
    !quote.is_empty() && steps.iter().any(|step| folded(&step.text).contains(&quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(who: &str, text: &str) -> SessionStep {
        SessionStep { who: who.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_session_are_shown() {
        let steps: Vec<_> = (0..200).map(|number| step("agent", &format!("{number:03} {}", "x".repeat(400)))).collect();
        let user = shown(&steps).text();
        assert!(user.chars().count() <= SHOWN_CHARS + 100, "{}", user.len());
        assert!(user.contains("\"000 x") && user.contains("\"199 x") && !user.contains("\"100 x"));
        assert!(user.contains("left out: \""), "{user}");
        let short = shown(&[step("person", "hi\nthere")]).text();
        assert_eq!(short, "person: \"hi\\nthere\"");
    }

    #[test]
    fn a_quote_stands_in_one_step_whatever_its_white_space() {
        let steps = [step("agent", "all\n  tests pass"), step("agent", "done")];
        for (quote, is_there) in [("all tests pass", true), ("pass done", false), ("", false), (" \n", false)] {
            assert_eq!(is_quoted(&steps, quote), is_there, "{quote}");
        }
    }
}
