//! A claim: something that is said of somebody, in a form that can be compared (decision 19).
//!
//! Does not find claims in texts; `claims` does.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What has no more to it than that it is there: "Seryn has a scar".
pub(crate) const THERE: &str = "yes";
/// What is not there: "Seryn has no scar".
pub const NONE: &str = "none";

/// Subject, attribute, value: `Seryn`, `eyes`, `amber`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Of whom or what.
    pub subject: Box<str>,
    /// Which side of it.
    pub attribute: Box<str>,
    /// What it is.
    pub value: Box<str>,
    /// The sentence that says so.
    pub said: Option<Box<str>>,
}

impl Claim {
    /// A claim that no sentence stands behind.
    pub fn new(subject: &str, attribute: &str, value: &str) -> Self {
        Self { subject: subject.into(), attribute: attribute.into(), value: value.into(), said: None }
    }

    /// Reads `Seryn | eyes | amber`.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('|').map(str::trim);
        let (subject, attribute, value) = (parts.next()?, parts.next()?, parts.next()?);
        let claim = Self::new(subject, attribute, value);
        (parts.next().is_none() && claim.is_whole()).then_some(claim)
    }

    /// Whether every part says something.
    pub fn is_whole(&self) -> bool {
        [&self.subject, &self.attribute, &self.value].iter().all(|part| !normal(part).is_empty())
    }

    /// What it is about: the same for all that must agree.
    pub fn fact(&self) -> String {
        format!("{}|{}", normal(&self.subject), singular(&normal(&self.attribute)))
    }

    /// Whether it says the same of the same.
    pub(crate) fn agrees_to_the_letter(&self, other: &Self) -> bool {
        self.fact() == other.fact() && normal(&self.value) == normal(&other.value)
    }
}

/// Whether two values cannot both hold of one fact.
pub fn differ(left: &str, right: &str) -> bool {
    let (left, right) = (normal(left), normal(right));
    if left == right {
        return false;
    }
    match (left.strip_prefix("not "), right.strip_prefix("not ")) {
        (Some(_), Some(_)) => false,
        (Some(left), None) => left == right,
        (None, Some(right)) => left == right,
        // That something is there contradicts only that it is not.
        (None, None) => (left != THERE && right != THERE) || left == NONE || right == NONE,
    }
}

/// A text as it is compared: lower case, without articles and punctuation, numbers in figures.
pub fn normal(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let words = lower.split(|letter: char| letter.is_whitespace() || "|,;:!?\"“”()[]*`_".contains(letter));
    let words = words.map(|word| word.trim_matches(|letter| ".'-".contains(letter)));
    let all: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let telling: Vec<_> = all.iter().copied().filter(|word| !["a", "an", "the"].contains(word)).collect();
    // What is called "A" keeps its name.
    let words = if telling.is_empty() { all } else { telling };
    words.into_iter().map(figure).collect::<Vec<_>>().join(" ")
}

/// A number word up to ninety-nine, or an ordinal in figures, as a number; any other word as it is.
fn figure(word: &str) -> String {
    const SMALL: [&str; 20] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let small = |word: &str| SMALL.iter().position(|name| *name == word);
    let tens = |word: &str| TENS.iter().position(|name| *name == word).map(|place| (place + 2) * 10);
    let joined = || {
        let (ten, one) = word.split_once('-')?;
        Some(tens(ten)? + small(one).filter(|one| (1..10).contains(one))?)
    };
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    let ordinal = ordinal.filter(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
    match small(word).or_else(|| tens(word)).or_else(joined) {
        Some(number) => number.to_string(),
        None => ordinal.unwrap_or(word).to_owned(),
    }
}

/// "eyes" and "eye" are the same side of somebody.
fn singular(attribute: &str) -> String {
    let keeps = ["ss", "us", "is"].iter().any(|end| attribute.ends_with(end)) || attribute.len() < 4;
    attribute.strip_suffix('s').filter(|_| !keeps).unwrap_or(attribute).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_read_and_compared_without_its_dress() {
        let claim = Claim::read("the  Gate of Ash| Colour |A deep Red.").expect("a claim");
        assert_eq!((claim.fact().as_str(), normal(&claim.value).as_str()), ("gate of ash|colour", "deep red"));
        assert_eq!(Claim::new("Seryn", "eyes", "x").fact(), Claim::new("seryn", "Eye", "y").fact());
        for bad in ["", "a|b", "a|b|", "a|b|c|d", "\"?\"|b|c", "|b|c"] {
            assert_eq!(Claim::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_what_cannot_both_hold_differs() {
        for (left, right, expected) in [
            ("amber", "Amber.", false),
            ("amber", "green", true),
            ("forty-seven", "47", false),
            ("the 3rd", "3", false),
            ("day 47", "Day 48", true),
            ("not green", "amber", false),
            ("not green", "green", true),
            ("not green", "not amber", false),
            ("yes", "none", true),
            ("yes", "long", false),
            ("none", "long", true),
            ("ß", "ss", true),
            ("琥珀", "緑", true),
        ] {
            assert_eq!((differ(left, right), differ(right, left)), (expected, expected), "{left} {right}");
        }
    }
}
