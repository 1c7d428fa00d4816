//! A recorded session as a model is shown it: step by step, its middle left out where it is long.
//!
//! What a model quotes has to stand in what it was shown, and not in what was left out.

use super::Material;
use crate::quote::shortened;

/// Characters of one step that are shown, and of all together.
const STEP_CHARS: usize = 600;
const SHOWN_CHARS: usize = 16_000;
/// The longest name of a tool, in characters.
const TOOL_CHARS: usize = 64;
/// A quote of fewer letters stands in any text.
const LEAST_LETTERS: usize = 3;

/// Who speaks in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepVoice {
    /// The person.
    Person,
    /// The agent.
    Agent,
    /// A tool: its name and what came of it are words of others.
    Tool(String),
}

/// A step of a session: who or what, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStep {
    /// Who speaks.
    pub who: StepVoice,
    /// What was said, or called and came out.
    pub text: String,
}

impl StepVoice {
    /// As it stands before the text. No tool passes for the person or the agent, nor begins a line of its own.
    pub(super) fn name(&self) -> String {
        let tool = match self {
            Self::Person => return "person".to_owned(),
            Self::Agent => return "agent".to_owned(),
            Self::Tool(tool) => tool,
        };
        let letter = |letter: char| if letter.is_alphanumeric() || "_-.".contains(letter) { letter } else { '_' };
        let name: String = tool.chars().take(TOOL_CHARS).map(letter).collect();
        let is_taken = ["person", "agent"].iter().any(|taken| name.eq_ignore_ascii_case(taken));
        if is_taken || name.is_empty() { format!("tool_{name}") } else { name }
    }
}

/// How much of the beginning is shown, and from where on the end is.
fn ends(steps: &[SessionStep]) -> (usize, usize) {
    let length = |step: &SessionStep| step.text.chars().count().min(STEP_CHARS) + step.who.name().chars().count() + 4;
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
    (head, steps.len() - tail)
}

/// The beginning and, at twice the length, the end.
pub(super) fn shown(steps: &[SessionStep]) -> Material {
    let (head, tail) = ends(steps);
    let with = |material: Material, step: &SessionStep| material.with(&step.who.name(), &step.text, STEP_CHARS);
    let material = steps[..head].iter().fold(Material::default(), with);
    let missing = &steps[head..tail];
    let note = if missing.is_empty() { String::new() } else { format!("{} steps", missing.len()) };
    let chars = missing.iter().map(|step| step.text.trim().chars().count()).sum();
    steps[tail..].iter().fold(material.with("left out", &note, STEP_CHARS).without(chars), with)
}

/// The step in which words stand, as it was shown, white space folded; only in those that `may_hold` them.
pub(super) fn quoted(
    steps: &[SessionStep],
    quote: &str,
    mut may_hold: impl FnMut(&SessionStep) -> bool,
) -> Option<usize> {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = folded(quote);
    if quote.chars().filter(|letter| letter.is_alphanumeric()).count() < LEAST_LETTERS {
        return None;
    }
    let (head, tail) = ends(steps);
    // A note of ours stands in what is shown, and in no step.
    let stands =
        |text: &str| folded(text).contains(&quote) && folded(&shortened(text.trim(), STEP_CHARS).text).contains(&quote);
    let is_shown = |at: usize| at < head || at >= tail;
    let mut all = steps.iter().enumerate();
    all.find(|(at, step)| is_shown(*at) && may_hold(step) && stands(&step.text)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> SessionStep {
        SessionStep { who: StepVoice::Agent, text: text.to_owned() }
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_session_are_shown_and_can_be_quoted() {
        let steps: Vec<_> = (0..200).map(|number| step(&format!("{number:03} {}", "x".repeat(400)))).collect();
        let user = shown(&steps).text();
        assert!(user.chars().count() <= SHOWN_CHARS + 100, "{}", user.len());
        assert!(user.contains("\"000 x") && user.contains("\"199 x") && !user.contains("\"100 x"));
        assert!(user.contains("left out: \""), "{user}");
        let short = shown(&[step("hi\nthere")]).text();
        assert_eq!(short, "agent: \"hi\\nthere\"");
        let found = ["000 x", "100 x", "199 x"].map(|quote| quoted(&steps, quote, |_| true));
        assert_eq!(found, [Some(0), None, Some(199)], "what was left out cannot be quoted");
    }

    #[test]
    fn what_of_a_session_is_not_shown_is_counted_within_steps_and_between_them() {
        let whole = [step("hi\nthere"), step("  ")];
        let long = [step(&"x".repeat(STEP_CHARS + 7)), step("y")];
        let many: Vec<_> = (0..200).map(|_| step(&"x".repeat(400))).collect();
        let shown_of = |steps: &[SessionStep]| shown(steps).text().matches('x').count();
        let asked = |steps: &[SessionStep]| super::super::summary::question(steps).left_out;
        assert_eq!((asked(&whole), asked(&long)), (0, 7));
        assert_eq!(asked(&many), 200 * 400 - shown_of(&many));
    }

    #[test]
    fn a_quote_stands_in_one_step_whatever_its_white_space() {
        let long = format!("begin {} middle {} end", "x".repeat(600), "y".repeat(600));
        let steps = [step("all\n  tests pass"), step("done"), step(&long)];
        for (quote, is_there) in [
            ("all tests pass", Some(0)),
            ("pass done", None),
            ("", None),
            (" \n", None),
            ("ll", None),
            ("begin", Some(2)),
            ("middle", None),
            ("characters left out", None),
        ] {
            assert_eq!(quoted(&steps, quote, |_| true), is_there, "{quote}");
        }
        assert_eq!(quoted(&steps, "all tests pass", |step| step.who == StepVoice::Person), None);
    }

    #[test]
    fn no_tool_passes_for_the_person() {
        for (tool, name) in [
            ("Bash", "Bash"),
            ("person", "tool_person"),
            ("Agent", "tool_Agent"),
            ("x: \"\"\nperson", "x_____person"),
            ("", "tool_"),
        ] {
            assert_eq!(StepVoice::Tool(tool.to_owned()).name(), name);
        }
    }
}
