//! Whose a key is: a list in the form of git's `gpg.ssh.allowedSignersFile` (ssh-keygen(1), ALLOWED SIGNERS).
//!
//! Reads the text. Does not know where it comes from: what a repository brings is a proposal, and no list.

use std::collections::BTreeSet;

use super::signature::NAMESPACE;
use super::{BadKey, Fingerprint, PublicKey};
use crate::time::Timestamp;

/// A name, and a key that speaks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// One name or several with commas between them, as they stand there.
    pub name: Box<str>,
    /// The key.
    pub key: PublicKey,
    /// Signatures before this time do not count.
    pub after: Option<Timestamp>,
    /// Signatures from this time on do not count.
    pub before: Option<Timestamp>,
    /// The line, from 1.
    pub line: usize,
    /// The line as it stands there.
    pub text: Box<str>,
}

/// A line that names nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub why: NotASigner,
}

/// Why a line names nobody whose signature counts here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotASigner {
    /// The key cannot be used.
    #[error(transparent)]
    Key(#[from] BadKey),
    /// Names, options and key are not all there.
    #[error("it is no line of allowed signers: write NAME ssh-ed25519 AAAA…")]
    Shape,
    /// Names are shown, and what is shown must not steer a terminal.
    #[error("its name has letters that cannot be shown")]
    Name,
    /// The key is for other things.
    #[error("its key may sign {0}, not {NAMESPACE}")]
    Namespaces(Box<str>),
    /// Certificates are not looked at.
    #[error("a certificate authority signs no heads: name the keys themselves")]
    Authority,
    /// An option that is not known could narrow what the key may do.
    #[error("the option {0} is not known")]
    Option(Box<str>),
    /// A time that cannot be read.
    #[error("{0} is no time: write it as 20261121 or 20261121031000Z")]
    Time(Box<str>),
}

/// A list of keys and their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signers {
    /// Those that count.
    pub signers: Vec<Signer>,
    /// Lines that name nobody.
    pub passed_over: Vec<PassedOver>,
}

/// What a list says of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// The key is that of somebody.
    Named(Box<str>),
    /// It was, at another time.
    Expired(Box<str>),
    /// Nobody named it.
    Unknown,
}

impl Signers {
    /// Reads a list; what cannot be used is passed over, and said.
    pub fn parse(text: &str) -> Self {
        let mut list = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match signer(line, text) {
                Ok(signer) => list.signers.push(signer),
                Err(why) => list.passed_over.push(PassedOver { line, why }),
            }
        }
        list
    }

    /// Whose signature one of a time is.
    pub fn trust(&self, key: &PublicKey, at: Timestamp) -> Trust {
        let (now, then): (Vec<_>, Vec<_>) =
            self.signers.iter().filter(|signer| signer.key == *key).partition(|signer| signer.counts_at(at));
        match (now.first(), then.first()) {
            (Some(signer), _) => Trust::Named(signer.name.clone()),
            (None, Some(signer)) => Trust::Expired(signer.name.clone()),
            (None, None) => Trust::Unknown,
        }
    }

    /// The names that all of some keys have in common: it is one person who has them.
    pub fn is_one_person(&self, keys: &[PublicKey]) -> bool {
        let names = |key: &PublicKey| {
            let own = self.signers.iter().filter(|signer| signer.key == *key);
            own.map(|signer| &*signer.name).collect::<BTreeSet<_>>()
        };
        let shared = keys.iter().map(names).reduce(|left, right| &left & &right);
        shared.is_some_and(|names| !names.is_empty())
    }
}

impl Signer {
    /// A name that speaks through a key, for ever.
    pub fn new(name: &str, key: PublicKey, comment: &str) -> Self {
        let text = format!("{name} {key} {comment}");
        Self { name: name.into(), key, after: None, before: None, line: 0, text: text.trim_end().into() }
    }

    /// The key by its hash.
    pub fn fingerprint(&self) -> Fingerprint {
        self.key.fingerprint()
    }

    fn counts_at(&self, at: Timestamp) -> bool {
        self.after.is_none_or(|after| at >= after) && self.before.is_none_or(|before| at < before)
    }
}

fn signer(line: usize, text: &str) -> Result<Signer, NotASigner> {
    let words = split(text, |letter| letter == ' ' || letter == '\t');
    let (name, rest) = words.split_first().ok_or(NotASigner::Shape)?;
    let name = name.trim_matches('"');
    if !is_name(name) {
        return Err(NotASigner::Name);
    }
    let (options, rest) = match rest {
        [options, kind, ..] if !is_kind(options) && is_kind(kind) => (*options, &rest[1..]),
        _ => ("", rest),
    };
    let [kind, key, ..] = rest else { return Err(NotASigner::Shape) };
    if !is_kind(kind) {
        return Err(NotASigner::Shape);
    }
    let key = PublicKey::from_words(kind, key)?;
    let mut signer = Signer { line, text: text.into(), ..Signer::new(name, key, "") };
    for option in split(options, |letter| letter == ',') {
        signer.option(option)?;
    }
    Ok(signer)
}

/// Whether a text may stand for somebody, in a list and on a screen.
pub fn is_name(text: &str) -> bool {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    !text.is_empty() && !text.starts_with('#') && !text.contains('"') && !text.chars().any(is_hidden)
}

fn is_kind(word: &str) -> bool {
    ["ssh-", "ecdsa-", "sk-"].iter().any(|kind| word.starts_with(kind))
}

impl Signer {
    fn option(&mut self, option: &str) -> Result<(), NotASigner> {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let value = value.trim_matches('"');
        match name.to_ascii_lowercase().as_str() {
            "namespaces" if is_in_list(NAMESPACE, value) => Ok(()),
            "namespaces" => Err(NotASigner::Namespaces(value.into())),
            "valid-after" => time(value).map(|time| self.after = Some(time)),
            "valid-before" => time(value).map(|time| self.before = Some(time)),
            "cert-authority" => Err(NotASigner::Authority),
            _ => Err(NotASigner::Option(name.into())),
        }
    }
}

/// Parts between separators that stand outside of quotes.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(move |letter| {
        is_quoted ^= letter == '"';
        !is_quoted && is_separator(letter)
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// A list of patterns, where one with `!` takes back what another allows.
fn is_in_list(name: &str, patterns: &str) -> bool {
    let (mut no, yes): (Vec<_>, Vec<_>) = patterns.split(',').partition(|pattern| pattern.starts_with('!'));
    yes.iter().any(|pattern| fits(name.as_bytes(), pattern.as_bytes()))
        && !no.drain(..).any(|pattern| fits(name.as_bytes(), &pattern.as_bytes()[1..]))
}

/// Whether a pattern with `*` and `?` fits, in a time that does not grow with what the pattern could mean.
fn fits(name: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut next, mut star) = (0, 0, None);
    while at < name.len() {
        match (pattern.get(next), star) {
            (Some(b'*'), _) => {
                star = Some((next, at));
                next += 1;
            }
            (Some(letter), _) if *letter == b'?' || *letter == name[at] => (at, next) = (at + 1, next + 1),
            (_, Some((begin, from))) => {
                (at, next) = (from + 1, begin + 1);
                star = Some((begin, from + 1));
            }
            (_, None) => return false,
        }
    }
    pattern[next..].iter().all(|letter| *letter == b'*')
}

/// `YYYYMMDD`, with or without `HHMM`, `SS` and `Z`. All of it is read as UTC, so that it means the same everywhere.
fn time(text: &str) -> Result<Timestamp, NotASigner> {
    let bad = || NotASigner::Time(text.chars().take(40).collect());
    let digits = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) || ![8, 12, 14].contains(&digits.len()) {
        return Err(bad());
    }
    let digits = format!("{digits:0<14}");
    let part = |range: std::ops::Range<usize>| &digits[range];
    let (year, month, day) = (part(0..4), part(4..6), part(6..8));
    let text = format!("{year}-{month}-{day}T{}:{}:{}.000Z", part(8..10), part(10..12), part(12..14));
    Timestamp::parse_canonical(text.as_bytes()).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGyjNRzwGZCDNHwjpDAvegU18A2Kz/4hLJI7dcASejW5";

    fn read(line: &str) -> Result<Signer, NotASigner> {
        let mut list = Signers::parse(line);
        match (list.signers.pop(), list.passed_over.pop()) {
            (Some(signer), None) => Ok(signer),
            (None, Some(passed_over)) => Err(passed_over.why),
            other => panic!("{other:?}"),
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn names_options_and_comments_stand_around_a_key() {
        let key = KEY.parse().expect("a key");
        let plain = |name: &str, text: &str| Signer { line: 1, text: text.into(), ..Signer::new(name, key, "") };
        for (text, name, after, before) in [
            (format!("ann@example.org {KEY}"), "ann@example.org", None, None),
            (format!("  ann,bob\t{KEY} a comment, \"quoted"), "ann,bob", None, None),
            (format!("\"ann lee\" {KEY}"), "ann lee", None, None),
            (format!("ann namespaces=\"git,annals-*\" {KEY}"), "ann", None, None),
            (
                format!("ann valid-after=\"20261121\",VALID-BEFORE=202612010930Z {KEY}"),
                "ann",
                Some(at("2026-11-21T00:00:00Z")),
                Some(at("2026-12-01T09:30:00Z")),
            ),
        ] {
            assert_eq!(read(&text), Ok(Signer { after, before, ..plain(name, text.trim()) }), "{text}");
        }
    }

    #[test]
    fn what_narrows_a_key_is_honoured_or_said() {
        for (text, why) in [
            (format!("ann namespaces=\"git\" {KEY}"), NotASigner::Namespaces("git".into())),
            (format!("ann namespaces=\"*,!annals-*\" {KEY}"), NotASigner::Namespaces("*,!annals-*".into())),
            (format!("ann cert-authority {KEY}"), NotASigner::Authority),
            (format!("ann verify-required {KEY}"), NotASigner::Option("verify-required".into())),
            (format!("ann valid-before=tomorrow {KEY}"), NotASigner::Time("tomorrow".into())),
            (format!("ann valid-before=20261345 {KEY}"), NotASigner::Time("20261345".into())),
            ("ann ssh-rsa AAAAB3NzaC1yc2E=".to_owned(), NotASigner::Key(BadKey::Kind("ssh-rsa".into()))),
            (format!("ann {}", &KEY[..40]), NotASigner::Key(BadKey::Damaged)),
            (KEY.to_owned(), NotASigner::Shape),
            (format!("a\u{1b}[31mnn {KEY}"), NotASigner::Name),
            (format!("\u{202e}nna {KEY}"), NotASigner::Name),
            ("ann".to_owned(), NotASigner::Shape),
            ("ann key".to_owned(), NotASigner::Shape),
        ] {
            assert_eq!(read(&text), Err(why), "{text}");
        }
    }

    #[test]
    fn a_key_counts_from_one_time_to_the_other() {
        let key = KEY.parse().expect("a key");
        let text = format!("# people\n\nann valid-after=20261121,valid-before=20261122 {KEY}\n");
        let list = Signers::parse(&text);
        assert_eq!(list.signers[0].line, 3);
        for (time, trust) in [
            ("2026-11-20T23:59:59Z", Trust::Expired("ann".into())),
            ("2026-11-21T00:00:00Z", Trust::Named("ann".into())),
            ("2026-11-22T00:00:00Z", Trust::Expired("ann".into())),
        ] {
            assert_eq!(list.trust(&key, time.parse().expect("a time")), trust, "{time}");
        }
        let other = PublicKey(ed25519_dalek::SigningKey::from_bytes(&[5; 32]).verifying_key().to_bytes());
        assert_eq!(list.trust(&other, Timestamp::default()), Trust::Unknown);
    }

    #[test]
    fn a_pattern_of_many_stars_is_no_work() {
        assert!(!fits(&[b'a'; 4000], format!("{}b", "a*".repeat(4000)).as_bytes()));
        assert!(fits(b"annals-head-v1", b"a*-h??d-*") && !fits(b"annals", b"annals?"));
    }
}
