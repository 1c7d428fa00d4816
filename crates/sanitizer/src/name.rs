//! Which names say that their value is secret: `DB_PASSWORD`, `apiKey`, `--auth-token`.
//!
//! Does not look at values; `judge` does.

mod english;
mod languages;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::bytes::{is_word, run_before};
use super::class::Class;
pub(super) use english::KEYWORDS;
use english::{ENDINGS, HARMLESS, ORDINARY_KEYS, OWNERS, TRAILERS, WORDS};

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Chosen by a person: may be short.
    Password,
    /// Made by a machine, or a person.
    Secret,
    /// The same under a name that means much else, too: `auth`, `credentials`.
    Credential,
    /// Made by a machine, or put in its place by a person.
    ApiKey,
    /// The same.
    AccessToken,
    /// Made by a machine, and a word that programs use for much else.
    Token,
    /// Some key: of a service, or of a map.
    Key,
}

impl Kind {
    pub(super) fn class(self) -> Class {
        match self {
            Self::Password => Class::Password,
            Self::Secret | Self::Credential => Class::Secret,
            Self::ApiKey | Self::Key => Class::ApiKey,
            Self::AccessToken | Self::Token => Class::Token,
        }
    }
}

/// What has to be in a text for `kind_of` to find a name of another language. The prefilter looks for these.
pub(super) fn foreign_keywords() -> impl Iterator<Item = &'static str> {
    let words = languages::STEMS.iter().chain(languages::WORDS).map(|(word, _)| *word);
    languages::SPACED.iter().copied().chain(words)
}

/// Stems up to this length are no two words.
const SHORT_STEM: usize = 6;

/// How many letters of a case or a plural may follow a stem.
const LONGEST_INFLECTION: usize = 4;

/// Names longer than this are looked at from their end.
const LONGEST: usize = 96;

/// The language of a name. Most are English, and need not be held against all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    Other,
}

/// What a name says of its value, in whatever language.
pub(super) fn kind_of(name: &[u8]) -> Option<Kind> {
    kind_in(Tongue::Other, name)
}

/// What a name says of its value, in a language.
pub(super) fn kind_in(tongue: Tongue, name: &[u8]) -> Option<Kind> {
    let name = &name[name.len().saturating_sub(LONGEST)..];
    if is_plural(name) {
        return None;
    }
    let mut words = NameWords::default();
    words.split(name);
    words.drop_trailers();
    let joined = words.joined();
    let is_harmless = HARMLESS.iter().any(|harmless| ends_with(joined, harmless));
    if is_harmless || words.iter().any(|word| matches!(word, b"public" | b"publishable" | b"redacted")) {
        return None;
    }
    let last = words.iter().next_back()?;
    let is_ordinary = |word: &[u8]| ORDINARY_KEYS.iter().any(|key| key.as_bytes() == word);
    if last == b"key" && words.iter().rev().nth(1).is_none_or(is_ordinary) {
        return None;
    }
    let by_word = WORDS.iter().chain(languages::WORDS).find(|(word, _)| word.as_bytes() == last);
    let ends = |(ending, _): &&(&str, Kind)| ends_with(joined, ending);
    let longest = ENDINGS.iter().filter(ends).max_by_key(|(ending, _)| ending.len());
    let foreign = || (tongue == Tongue::Other).then(|| by_stem(&words)).flatten();
    let owned = || is_owned(last).then_some(Kind::Password);
    by_word.or(longest).or_else(foreign).map(|(_, kind)| *kind).or_else(owned)
}

/// `adminpass`, `dbpw`: whose password it is, in the same word.
fn is_owned(word: &[u8]) -> bool {
    let endings = [&b"pass"[..], b"pwd", b"pw"];
    let owner = endings.iter().find_map(|ending| word.strip_suffix(*ending));
    owner.is_some_and(|owner| OWNERS.iter().any(|other| other.as_bytes() == owner))
}

/// A word of another language near the end of a name.
fn by_stem(words: &NameWords) -> Option<&'static (&'static str, Kind)> {
    let joined = words.joined();
    // A letter outside of ASCII takes up to four bytes.
    let longest = if joined.is_ascii() { LONGEST_INFLECTION } else { 4 * LONGEST_INFLECTION };
    let ends = (0..=longest).filter_map(|tail| joined.len().checked_sub(tail)).filter(|end| *end > 0);
    let fits = |stem: &str, end: usize| joined[..end].ends_with(stem.as_bytes()) && words.may_be_one(stem, end);
    let stems = ends.filter_map(|end| {
        let stems = &STEMS_BY_END[usize::from(joined[end - 1])];
        stems.iter().copied().find(|stem| fits(languages::STEMS[*stem].0, end))
    });
    stems.min().map(|stem| &languages::STEMS[stem])
}

/// Which stems end in a byte, so that a name is not held against all of them.
static STEMS_BY_END: LazyLock<[Vec<usize>; 256]> = LazyLock::new(|| {
    let mut stems = [const { Vec::new() }; 256];
    for (stem, (letters, _)) in languages::STEMS.iter().enumerate() {
        stems[usize::from(letters.as_bytes()[letters.len() - 1])].push(stem);
    }
    stems
});

/// Whether letters without separators are the name of a secret and nothing more: `password`, `apikey`, `contraseña`.
pub(super) fn is_bare_name(joined: &[u8]) -> bool {
    BARE_NAMES.contains(joined)
}

static BARE_NAMES: LazyLock<BTreeSet<&[u8]>> = LazyLock::new(|| {
    let own = ENDINGS.iter().chain(WORDS).chain(languages::STEMS).chain(languages::WORDS);
    let others = ["accesstoken", "authtoken", "clientsecret", "passwords", "secrets"];
    own.map(|(word, _)| *word).chain(others).map(str::as_bytes).collect()
});

/// What a label says of its value: `Database password`, `API Key`. Its last word counts, or its last two.
pub(super) fn kind_of_label(label: &[u8]) -> Option<Kind> {
    let is_inside = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.') || byte >= 0x80;
    let start = label.len() - run_before(label, label.len(), LONGEST, is_inside);
    let two_words =
        ["api key", "access key", "private key", "mot de passe", "kata sandi", "mật khẩu"].into_iter().find(|words| {
            let end = label.len().checked_sub(words.len()).map(|at| &label[at..]);
            end.is_some_and(|end| end.eq_ignore_ascii_case(words.as_bytes()))
        });
    let ends_in_a_word = label.last().is_some_and(|byte| is_word(*byte) || *byte >= 0x80);
    ends_in_a_word.then(|| kind_of(two_words.map_or(&label[start..], str::as_bytes))).flatten()
}

/// `tokens`, `keys`, `secrets` count or list things; `pass`, `creds` and `credentials` do not.
fn is_plural(name: &[u8]) -> bool {
    let [.., before, b's' | b'S'] = name else { return false };
    !matches!(before.to_ascii_lowercase(), b's' | b'd' | b'l')
}

/// Most endings are told apart by their last letter.
fn ends_with(joined: &[u8], ending: &str) -> bool {
    joined.last() == ending.as_bytes().last() && joined.ends_with(ending.as_bytes())
}

/// The words of a name, in lower case; none where it is longer than a name.
pub(super) fn words(name: &[u8]) -> Vec<Vec<u8>> {
    let mut words = NameWords::default();
    if name.len() <= LONGEST {
        words.split(name);
    }
    words.iter().map(<[u8]>::to_vec).collect()
}

/// A name in lower case without separators, and where its words begin.
struct NameWords {
    letters: [u8; LONGEST],
    length: usize,
    starts: [u8; LONGEST],
    count: usize,
}

impl Default for NameWords {
    fn default() -> Self {
        Self { letters: [0; LONGEST], length: 0, starts: [0; LONGEST], count: 0 }
    }
}

impl NameWords {
    /// Bytes of letters outside of ASCII count as small letters.
    fn split(&mut self, name: &[u8]) {
        let mut previous = 0u8;
        for (at, &byte) in name.iter().enumerate() {
            let byte_is_letter = byte.is_ascii_alphanumeric() || byte >= 0x80;
            if byte_is_letter {
                let after = name.get(at + 1).copied().unwrap_or(0);
                if begins_word(previous, byte, after) {
                    self.begin_word();
                }
                self.push(byte);
            }
            previous = byte;
        }
    }

    fn begin_word(&mut self) {
        self.starts[self.count] = u8::try_from(self.length).expect("BUG: a name longer than the longest");
        self.count += 1;
    }

    fn push(&mut self, byte: u8) {
        self.letters[self.length] = byte.to_ascii_lowercase();
        self.length += 1;
    }

    fn drop_trailers(&mut self) {
        while self.count > 1 {
            let start = usize::from(self.starts[self.count - 1]);
            let word = &self.letters[start..self.length];
            if !word.iter().all(u8::is_ascii_digit) && !TRAILERS.iter().any(|trailer| trailer.as_bytes() == word) {
                break;
            }
            self.length = start;
            self.count -= 1;
        }
    }

    fn joined(&self) -> &[u8] {
        &self.letters[..self.length]
    }

    /// A short stem is one word, or ends one: `haslo`, not `hasLoc`.
    fn may_be_one(&self, stem: &str, end: usize) -> bool {
        let inner = end - stem.len() + 1..end;
        stem.len() > SHORT_STEM || !self.starts[..self.count].iter().any(|start| inner.contains(&usize::from(*start)))
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        (0..self.count).map(|index| {
            let end = if index + 1 < self.count { usize::from(self.starts[index + 1]) } else { self.length };
            &self.letters[usize::from(self.starts[index])..end]
        })
    }
}

/// `fooBar`, `foo_bar`, `APIKey` and `key2` have two words each.
fn begins_word(previous: u8, byte: u8, after: u8) -> bool {
    let is_letter = previous.is_ascii_alphanumeric() || previous >= 0x80;
    if !is_letter || previous.is_ascii_digit() != byte.is_ascii_digit() {
        return true;
    }
    byte.is_ascii_uppercase()
        && (previous.is_ascii_lowercase() || previous.is_ascii_uppercase() && after.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefilter_sees_every_name_that_counts() {
        for (name, _) in ENDINGS.iter().chain(WORDS) {
            for sign in ["=", ":", "\"", "_"].map(|sign| format!("my_{name}{sign}")) {
                let is_seen = KEYWORDS.iter().any(|keyword| sign.contains(&keyword.replace(' ', "")));
                assert!(is_seen || sign.ends_with('_'), "{sign}");
            }
        }
    }

    #[test]
    fn names_say_what_their_values_are() {
        let cases: &[(&str, Option<Kind>)] = &[
            ("password", Some(Kind::Password)),
            ("DB_PASS", Some(Kind::Password)),
            ("mysqlPwd", Some(Kind::Password)),
            ("spring.datasource.password", Some(Kind::Password)),
            ("compass", None),
            ("bypass2", None),
            ("pass1", Some(Kind::Password)),
            ("pass_word", Some(Kind::Password)),
            ("adminpass", Some(Kind::Password)),
            ("DBPW", Some(Kind::Password)),
            ("passwordConfirmation", Some(Kind::Password)),
            ("contraseña_confirm", Some(Kind::Password)),
            ("passwordHint", None),
            ("clientSecret", Some(Kind::Secret)),
            ("AWS_SECRET_ACCESS_KEY", Some(Kind::Secret)),
            ("contraseña", Some(Kind::Password)),
            ("DB_CONTRASEÑA", Some(Kind::Password)),
            ("пароль", Some(Kind::Password)),
            ("数据库密码", Some(Kind::Password)),
            ("mot de passe", Some(Kind::Password)),
            ("enclave", None),
            ("SECRET_KEY_BASE", Some(Kind::Secret)),
            ("APIKey", Some(Kind::ApiKey)),
            ("x-api-key", Some(Kind::ApiKey)),
            ("API_KEY_V2", Some(Kind::ApiKey)),
            ("token3", Some(Kind::Token)),
            ("access_token", Some(Kind::AccessToken)),
            ("GH_PAT", Some(Kind::Token)),
            ("input_tokens", None),
            ("csrf-token", None),
            ("next_page_token", None),
            ("publicToken", None),
            ("secretName", None),
            ("token_type", None),
            ("kms_key_id", None),
            ("schemaKey", None),
            ("POSTMARK_KEY", Some(Kind::Key)),
            ("cache_key", None),
            ("key", None),
            ("[REDACTED_TOKEN", None),
            ("", None),
            ("___", None),
        ];
        for (name, expected) in cases {
            assert_eq!(kind_of(name.as_bytes()), *expected, "{name}");
        }
        assert_eq!(kind_of(&[b'a'; 5_000]), None);
        let labels =
            [("API Key", Some(Kind::ApiKey)), ("Database password", Some(Kind::Password)), ("password hint", None)];
        for (label, expected) in labels {
            assert_eq!(kind_of_label(label.as_bytes()), expected, "{label}");
        }
    }
}
