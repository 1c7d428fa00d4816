//! All rules on a JSON value as it is written: every string, and every key, at any depth.
//!
//! Walks without recursion and builds no tree. Strings without a keyword are passed over undecoded.

use std::ops::Range;

use memchr::memchr2;

use super::bytes::is_word;
use super::edit::Edit;
use super::escape::{Places, decode, encode};
use super::judge::{Manner, is_secret};
use super::name::{Kind, kind_of, kind_of_label};
use super::probe::{Hit, hits_in_json};
use super::scene::Scene;
use super::{assignment, text};

/// How often JSON may stand in a string of JSON; each time its writing grows, so that more is not to be met.
const MOST_NESTED: usize = 8;

/// How many keys of a path are kept, the last ones.
const LONGEST_PATH: usize = 12;

/// Keys whose values are sealed for their makers and must come back as they were.
const SEALED: &[&[u8]] = &[
    b"signature", b"encrypted_content", b"encryptedContent", b"reasoningOpaque", b"thinkingSignature",
    b"thought_signature", b"thoughtSignature", b"redacted_thinking",
];

/// What is to be replaced in a JSON text, in order; `None` if it is not one JSON value.
pub(super) fn scan(text: &str, scene: &Scene<'_>) -> Option<Vec<Edit>> {
    nested(text, scene, 0)
}

/// As `scan`, but only for objects and arrays: a text that happens to be a number is a text.
pub(super) fn scan_inner(text: &str, scene: &Scene<'_>) -> Option<Vec<Edit>> {
    inner(text, scene, 0)
}

fn inner(text: &str, scene: &Scene<'_>, depth: usize) -> Option<Vec<Edit>> {
    let may_be = matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'['));
    (may_be && depth < MOST_NESTED).then(|| nested(text, scene, depth)).flatten()
}

fn nested(text: &str, scene: &Scene<'_>, depth: usize) -> Option<Vec<Edit>> {
    let hits = hits_in_json(text.as_bytes());
    if hits.is_empty() && !scene.looks_everywhere() {
        return Some(Vec::new());
    }
    let mut walk = Walk { text, at: 0, frames: Vec::new(), hits, next_hit: 0, edits: Vec::new(), scene, depth };
    walk.document()?;
    Some(walk.edits)
}

/// An object or array that is still open.
#[derive(Debug, Clone)]
struct Frame {
    container: Container,
    /// The key of the value that is being read, as it is written.
    key: Range<usize>,
    /// What a member of that key says of another one.
    role: Role,
    /// What that key says; in an array, what the key of the array says.
    kind: Option<Kind>,
    /// What a member called `name`, or the key of the object, says of one called `value`.
    label: Option<Kind>,
    /// What a member that points at a field says of the one that holds what is typed.
    field: Option<Kind>,
    /// The member called `value`, where it stands before the one called `name`.
    unnamed: Option<Range<usize>>,
    /// What the word before says of this one, in a list of words: `["--password", "x"]`.
    option: Option<Kind>,
    index: usize,
}

/// What a member says of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It names what another holds.
    Names,
    /// It says which field of a page is meant, as agents with a browser write it.
    Points,
    /// It holds what another names.
    Holds,
    /// It holds what is typed into a field.
    Types,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Object,
    Array,
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    frames: Vec<Frame>,
    hits: Vec<Hit>,
    next_hit: usize,
    edits: Vec<Edit>,
    scene: &'a Scene<'a>,
    depth: usize,
}

impl Walk<'_> {
    fn document(&mut self) -> Option<()> {
        let mut next = Next::Value;
        loop {
            self.skip_blanks();
            if next == Next::CommaOrEnd && self.frames.is_empty() {
                return (self.at == self.text.len()).then_some(());
            }
            next = match next {
                Next::Value | Next::ValueOrEnd => self.value(next)?,
                Next::Key | Next::KeyOrEnd => self.key(next)?,
                Next::CommaOrEnd => self.comma_or_end()?,
            };
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, next: Next) -> Option<Next> {
        match self.peek()? {
            b'"' => {
                let inside = self.string()?;
                self.found_value(inside);
                Some(Next::CommaOrEnd)
            }
            b'{' => Some(self.open(Container::Object)),
            b'[' => Some(self.open(Container::Array)),
            b']' if next == Next::ValueOrEnd => self.close(Container::Array),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                self.at += self.text.as_bytes()[self.at..].iter().take_while(is_inside).count();
                Some(Next::CommaOrEnd)
            }
            _ => None,
        }
    }

    fn key(&mut self, next: Next) -> Option<Next> {
        if next == Next::KeyOrEnd && self.peek()? == b'}' {
            return self.close(Container::Object);
        }
        if self.peek()? != b'"' {
            return None;
        }
        let inside = self.string()?;
        self.found_key(inside)?;
        self.skip_blanks();
        (self.peek()? == b':').then(|| self.at += 1)?;
        Some(Next::Value)
    }

    fn comma_or_end(&mut self) -> Option<Next> {
        let container = self.frames.last_mut().map(|frame| {
            frame.index += 1;
            frame.container
        })?;
        match (self.peek()?, container) {
            (b',', Container::Object) => {
                self.at += 1;
                Some(Next::Key)
            }
            (b',', Container::Array) => {
                self.at += 1;
                Some(Next::Value)
            }
            (b'}', Container::Object) | (b']', Container::Array) => self.close(container),
            _ => None,
        }
    }

    fn open(&mut self, container: Container) -> Next {
        self.at += 1;
        let kind = if container == Container::Array { self.kind() } else { None };
        // `"db_password": {"sensitive": true, "value": "x"}`, as `terraform output` writes it.
        let label = self.kind().filter(|kind| matches!(kind, Kind::Password | Kind::Secret));
        let label = label.filter(|_| container == Container::Object);
        self.frames.push(Frame {
            container,
            key: 0..0,
            role: Role::Nothing,
            kind,
            label,
            field: None,
            unnamed: None,
            option: None,
            index: 0,
        });
        if container == Container::Object { Next::KeyOrEnd } else { Next::ValueOrEnd }
    }

    fn close(&mut self, container: Container) -> Option<Next> {
        let frame = self.frames.pop()?;
        self.at += 1;
        (frame.container == container).then_some(Next::CommaOrEnd)
    }

    /// The inside of the string that begins here.
    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            let found = at + memchr2(b'"', b'\\', self.text.as_bytes().get(at..)?)?;
            if self.text.as_bytes()[found] == b'"' {
                self.at = found + 1;
                return Some(start..found);
            }
            at = found + 2;
        }
    }

    /// What the keys say of the value that is being read.
    fn kind(&self) -> Option<Kind> {
        self.frames.last().and_then(|frame| frame.kind)
    }

    fn found_key(&mut self, inside: Range<usize>) -> Option<()> {
        // Decoded before it is compared: `"contrase\u00f1a"` kept its value while names were compared as they are
        // written.
        let name = decode(&self.text[inside.clone()])?;
        let kind = kind_of_label(name.as_bytes());
        let role = role_of(name.as_bytes());
        self.scan_string(&inside);
        let frame = self.frames.last_mut()?;
        let label = frame.label.filter(|_| role == Role::Holds);
        let field = frame.field.filter(|_| matches!(role, Role::Holds | Role::Types));
        frame.kind = kind.or(label).or(field);
        frame.key = inside;
        frame.role = role;
        Some(())
    }

    fn found_value(&mut self, inside: Range<usize>) {
        let written = &self.text[inside.clone()];
        let key = self.frames.last().map(|frame| &self.text.as_bytes()[frame.key.clone()]).unwrap_or_default();
        // The letters are asked for as well: whoever names a member `signature` must not get a password past the
        // rules.
        if SEALED.contains(&key) && is_opaque(written.as_bytes()) {
            return;
        }
        match self.frames.last().map_or(Role::Nothing, |frame| frame.role) {
            Role::Names => self.found_label(decode(written).and_then(|label| kind_of_label(label.as_bytes()))),
            Role::Points => {
                let field = decode(written).and_then(|text| kind_of_field(text.as_bytes()));
                let frame = self.frames.last_mut().expect("BUG: a key without an object");
                frame.field = frame.field.or(field);
            }
            Role::Holds if self.kind().is_none() => {
                self.frames.last_mut().expect("BUG: a key without an object").unnamed = Some(inside.clone());
            }
            Role::Holds | Role::Types | Role::Nothing => {}
        }
        let kind = self.kind().filter(|_| !self.is_told_of_a_field(written));
        let named = kind.and_then(|kind| self.named(kind, inside.clone(), Manner::Whole));
        if let Some(edit) = named.or_else(|| self.argument(&inside)) {
            return self.edits.push(edit);
        }
        self.scan_string(&inside);
    }

    /// `{"label": "Password", "text": "Choose a new password"}`: a page's words on a field, not what is typed into it.
    fn is_told_of_a_field(&self, written: &str) -> bool {
        let is_of_field = |frame: &Frame| {
            frame.field.is_some() && matches!(frame.role, Role::Holds | Role::Types) && frame.label.is_none()
        };
        self.frames.last().is_some_and(is_of_field) && written.contains(' ')
    }

    /// The edit for a word of a list that is the argument of the one before it.
    fn argument(&mut self, inside: &Range<usize>) -> Option<Edit> {
        let frame = self.frames.last_mut().filter(|frame| frame.container == Container::Array)?;
        let written = &self.text[inside.clone()];
        // A hyphen may be written as an escape.
        let word = written.starts_with(['-', '\\']).then(|| decode(written)).flatten().unwrap_or_default();
        let kind = frame.option.take().filter(|_| !word.starts_with('-'));
        frame.option = word.strip_prefix("--").and_then(|name| kind_of_label(name.as_bytes()));
        self.named(kind?, inside.clone(), Manner::Argument)
    }

    /// What a member called `name` says of the one called `value`, also of one that stood before it.
    fn found_label(&mut self, label: Option<Kind>) {
        let frame = self.frames.last_mut().expect("BUG: a key without an object");
        frame.label = label;
        let Some((kind, inside)) = label.zip(frame.unnamed.take()) else { return };
        let is_password = matches!(kind, Kind::Password | Kind::Secret);
        if let Some(edit) = is_password.then(|| self.named(kind, inside, Manner::Whole)).flatten() {
            self.edits.retain(|other| other.range.end <= edit.range.start || edit.range.end <= other.range.start);
            self.edits.push(edit);
            self.edits.sort_by_key(|edit| edit.range.start);
        }
    }

    /// The edit for a string that is the value of a name.
    fn named(&self, kind: Kind, inside: Range<usize>, manner: Manner) -> Option<Edit> {
        let value = decode(&self.text[inside.clone()])?;
        let is_secret = is_secret(kind, value.as_bytes(), manner);
        let edit = is_secret.then(|| Edit::new(inside.clone(), assignment::rule(kind), kind.class()));
        edit.filter(|edit| self.scene.wants(edit)).map(|edit| edit.within(inside, self.path(), encode))
    }

    /// Scans a key or value for what may stand anywhere.
    fn scan_string(&mut self, inside: &Range<usize>) {
        while self.hits.get(self.next_hit).is_some_and(|hit| hit.range.start < inside.start) {
            self.next_hit += 1;
        }
        let has_hit = self.hits.get(self.next_hit).is_some_and(|hit| hit.range.start < inside.end);
        if !has_hit && !self.scene.looks_everywhere() {
            return;
        }
        let written = &self.text[inside.clone()];
        let Some(decoded) = decode(written) else { return };
        let inner = inner(&decoded, self.scene, self.depth + 1).unwrap_or_else(|| text::scan(&decoded, self.scene));
        let mut places = Places::new(written);
        for edit in inner {
            let place = places.find(edit.range.clone());
            let range = inside.start + place.start..inside.start + place.end;
            self.edits.push(edit.within(range, self.path(), encode));
        }
    }

    /// The keys and places that lead to the value.
    fn path(&self) -> String {
        let from = self.frames.len().saturating_sub(LONGEST_PATH);
        let parts = self.frames[from..].iter().map(|frame| match frame.container {
            Container::Object => self.text[frame.key.clone()].to_owned(),
            Container::Array => frame.index.to_string(),
        });
        parts.collect::<Vec<_>>().join(".")
    }
}

fn role_of(key: &[u8]) -> Role {
    match key {
        b"name" | b"Name" | b"key" | b"Key" | b"ParameterKey" | b"parameterKey" | b"OptionName" => Role::Names,
        b"value" | b"Value" | b"ParameterValue" | b"parameterValue" => Role::Holds,
        b"element" | b"field" | b"id" | b"label" | b"locator" | b"placeholder" | b"selector" => Role::Points,
        b"text" => Role::Types,
        _ => Role::Nothing,
    }
}

/// What a field is for, by how a page calls it: `Password field`, `#password`, `input[name="password"]`.
fn kind_of_field(text: &[u8]) -> Option<Kind> {
    const LONGEST: usize = 200;
    let words = text.get(..LONGEST).unwrap_or(text).split(|byte| !is_word(*byte) && *byte != b'-');
    words.filter_map(kind_of).find(|kind| *kind == Kind::Password)
}

/// Letters of base64 only.
fn is_opaque(written: &[u8]) -> bool {
    written.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte))
}
