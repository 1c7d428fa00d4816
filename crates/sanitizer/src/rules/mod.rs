//! The shapes of well-known tokens, as tables, a file a family.
//!
//! A row says how the services themselves describe their tokens: how they begin, of which letters, how long.
//! A shape is only tried where one of its keywords stands.

mod chat;
mod cloud;
mod code;
mod model;
mod money;
mod operations;
mod platform;
mod snowflake;
mod vendor;

use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use super::class::Class;
pub(super) use vendor::VENDOR;

/// One shape.
#[derive(Debug)]
pub(super) struct Rule {
    /// What it is called in findings.
    pub name: &'static str,
    /// One of these, in lower case, is in every token of this shape.
    pub keywords: &'static [&'static str],
    /// The shape; where it has a group, only the group is secret.
    pub shape: &'static str,
    /// The least entropy, in hundredths of a bit for each byte: what has less is made up.
    pub entropy: u32,
    /// What it is.
    pub class: Class,
    /// Where in the shape the keyword stands.
    pub opening: Opening,
    /// How many more letters follow the keyword at least.
    pub least: usize,
    /// What has to stand around it.
    pub surroundings: Surroundings,
}

/// Where the keyword stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// At the beginning.
    Keyword,
    /// After so many bytes of a token.
    Before { least: usize, most: usize },
}

/// What has to stand around a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// Nothing: the shape is enough.
    Any,
    /// A sign or a quote, because such keys are often public.
    Assigned,
    /// Nothing, but words with numbers also have this shape.
    Random,
}

impl Rule {
    const fn new(
        name: &'static str,
        keywords: &'static [&'static str],
        shape: &'static str,
        entropy: u32,
        class: Class,
    ) -> Self {
        let (opening, surroundings) = (Opening::Keyword, Surroundings::Any);
        Self { name, keywords, shape, entropy, class, opening, least: 8, surroundings }
    }

    /// The keyword stands after so many bytes.
    const fn after(mut self, least: usize, most: usize) -> Self {
        self.opening = Opening::Before { least, most };
        self
    }

    const fn least(mut self, letters: usize) -> Self {
        self.least = letters;
        self
    }

    const fn around(mut self, surroundings: Surroundings) -> Self {
        self.surroundings = surroundings;
        self
    }
}

/// Every rule.
pub(super) static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let families = [
        cloud::RULES,
        code::RULES,
        model::RULES,
        platform::RULES,
        money::RULES,
        chat::RULES,
        operations::RULES,
        vendor::RULES,
    ];
    families.into_iter().flatten().collect()
});

/// Expressions are compiled when the first of their keywords is met: most never are.
static COMPILED: LazyLock<Vec<OnceLock<Regex>>> = LazyLock::new(|| RULES.iter().map(|_| OnceLock::new()).collect());

/// The expression of a rule.
pub(super) fn compiled(rule: usize) -> &'static Regex {
    COMPILED[rule].get_or_init(|| compile(RULES[rule]).expect("BUG: a built-in shape does not compile"))
}

fn compile(rule: &Rule) -> Result<Regex, regex::Error> {
    let shape = match rule.opening {
        Opening::Keyword => format!(r"\A(?:{})", rule.shape),
        Opening::Before { .. } => rule.shape.to_owned(),
    };
    RegexBuilder::new(&shape).unicode(false).build()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_shape_compiles_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for rule in RULES.iter() {
            assert!(compile(rule).is_ok(), "{}", rule.name);
            assert!(names.insert(rule.name), "{} is there twice", rule.name);
            let is_lower = |word: &&str| word.bytes().all(|byte| !byte.is_ascii_uppercase());
            assert!(!rule.keywords.is_empty() && rule.keywords.iter().all(is_lower), "{}", rule.name);
        }
    }
}
