//! Scripts of `sed` (and `perl -pe 's/…/…/'`) as far as their effect is plain: `s`, `d`, `i`, `a`, `c`, with addresses.
//!
//! A script with anything else is no script here: what it does to a file is not known then.

mod pattern;
mod read;

use std::rc::Rc;

use regex::Regex;

/// A script.
#[derive(Debug, Clone)]
pub struct Script(Vec<Step>);

impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl Eq for Script {}

#[derive(Debug, Clone)]
struct Step {
    from: Option<Address>,
    to: Option<Address>,
    does: Does,
}

#[derive(Debug, Clone)]
enum Address {
    Number(usize),
    Last,
    Match(Regex),
}

#[derive(Debug, Clone)]
enum Does {
    Substitute(Regex, String, Often),
    Delete,
    Insert(String),
    Append(String),
    Change(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Often {
    Once,
    Always,
}

/// How a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `sed`
    Basic,
    /// `sed -E`
    Extended,
    /// `perl`
    Perl,
}

impl Script {
    /// Reads a script; `None` where its effect is not plain.
    pub(crate) fn read(text: &str, dialect: Dialect) -> Option<Self> {
        read::steps(text, dialect).map(Self)
    }

    /// Several scripts, one behind the other.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Whether it names lines by their numbers.
    pub(crate) fn has_numbers(&self) -> bool {
        let addresses = self.0.iter().flat_map(|step| step.from.iter().chain(&step.to));
        addresses.into_iter().any(|address| matches!(address, Address::Number(_)))
    }

    /// The same for lines that stand further below; `None` where one would stand above the first.
    pub(crate) fn shifted(&self, by: isize) -> Option<Self> {
        let shift = |address: &Option<Address>| match address {
            Some(Address::Number(number)) => {
                number.checked_add_signed(by).filter(|number| *number > 0).map(|number| Some(Address::Number(number)))
            }
            Some(Address::Last | Address::Match(_)) | None => Some(address.clone()),
        };
        let step = |step: &Step| Some(Step { from: shift(&step.from)?, to: shift(&step.to)?, does: step.does.clone() });
        self.0.iter().map(step).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The lines behind it: each with the line that it was, where it was one.
    pub(crate) fn run(&self, lines: &[Rc<str>]) -> Vec<(Rc<str>, Option<usize>)> {
        let mut open = vec![false; self.0.len()];
        let mut after = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let place = LinePlace { number: at + 1, last: lines.len() };
            self.line(line, place, &mut open, &mut after);
        }
        after
    }

    fn line(&self, line: &Rc<str>, place: LinePlace, open: &mut [bool], after: &mut Vec<(Rc<str>, Option<usize>)>) {
        let (mut now, mut behind) = (line.to_string(), Vec::new());
        for (step, open) in self.0.iter().zip(open) {
            if !step.is_for(&now, place, open) {
                continue;
            }
            match &step.does {
                Does::Substitute(pattern, with, Often::Once) => now = pattern.replace(&now, with).into_owned(),
                Does::Substitute(pattern, with, Often::Always) => now = pattern.replace_all(&now, with).into_owned(),
                Does::Insert(text) => after.extend(text.split('\n').map(|line| (Rc::from(line), None))),
                Does::Append(text) => behind.push(text),
                Does::Delete => return after.extend(told(&behind)),
                Does::Change(text) => {
                    // Of a range one text stands for all of its lines, behind the last.
                    if step.to.is_none() || !*open {
                        after.extend(told(&[text]));
                    }
                    return after.extend(told(&behind));
                }
            }
        }
        let origin = Some(place.number - 1);
        let mut parts = now.split('\n').map(Rc::from);
        after.extend(parts.next().map(|part: Rc<str>| (part, origin)));
        after.extend(parts.map(|part| (part, None)));
        after.extend(told(&behind));
    }
}

fn told(texts: &[&String]) -> Vec<(Rc<str>, Option<usize>)> {
    texts.iter().flat_map(|text| text.split('\n')).map(|line| (Rc::from(line), None)).collect()
}

#[derive(Clone, Copy)]
struct LinePlace {
    number: usize,
    last: usize,
}

impl Address {
    fn is(&self, line: &str, place: LinePlace) -> bool {
        match self {
            Self::Number(number) => *number == place.number,
            Self::Last => place.number == place.last,
            Self::Match(pattern) => pattern.is_match(line),
        }
    }

    /// Whether a range that began before ends here.
    fn ends(&self, line: &str, place: LinePlace) -> bool {
        match self {
            Self::Number(number) => *number <= place.number,
            Self::Last | Self::Match(_) => self.is(line, place),
        }
    }
}

impl Step {
    fn is_for(&self, line: &str, place: LinePlace, open: &mut bool) -> bool {
        match (&self.from, &self.to) {
            (None, _) => true,
            (Some(from), None) => from.is(line, place),
            (Some(_), Some(to)) if *open => {
                *open = !to.ends(line, place);
                true
            }
            (Some(from), Some(to)) => {
                let begins = from.is(line, place);
                let ends_at_once = matches!(to, Address::Number(number) if *number <= place.number)
                    || matches!(to, Address::Last) && place.number == place.last;
                *open = begins && !ends_at_once;
                begins
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, text: &str) -> Option<String> {
        let script = Script::read(script, Dialect::Basic)?;
        let lines: Vec<Rc<str>> = text.split(' ').map(Rc::from).collect();
        Some(script.run(&lines).into_iter().map(|(line, _)| line.to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_script_does_what_sed_does() {
        let cases = [
            ("s/a/b/", "aa ca", Some("ba cb")),
            ("s/a/b/g", "aa ca", Some("bb cb")),
            ("s|/x|/y|", "/x/x", Some("/y/x")),
            ("s/\\(a\\)(b)/\\1-&/", "a(b)", Some("a-a(b)")),
            ("2d", "a b c", Some("a c")),
            ("2,$d", "a b c", Some("a")),
            ("/b/,/d/d", "a b c d e", Some("a e")),
            ("2i\\x", "a b", Some("a x b")),
            ("1a x", "a b", Some("a x b")),
            ("$ a x", "a b", Some("a b x")),
            ("2c\\x", "a b c", Some("a x c")),
            ("1,2c\\x", "a b c", Some("x c")),
            ("s/[./]/_/g; s/c$/d/", "a.b/c", Some("a_b_d")),
            ("s/x*/y/", "b", Some("yb")),
            ("s/$/;/", "a b", Some("a; b;")),
            ("s/\\bfoo\\b/bar/", "foo food", Some("bar food")),
            ("y/a/b/", "a", None),
            ("s/a/\\U&/", "a", None),
            ("/a/{d}", "a", None),
            ("2!d", "a", None),
            ("s/a/b", "a", None),
        ];
        for (script, text, expected) in cases {
            assert_eq!(run(script, text).as_deref(), expected, "{script}");
        }
    }
}
