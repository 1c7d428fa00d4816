//! The JSON object in an answer, whatever stands around it.
//!
//! Of several the last complete one counts that has a wanted member; what was only thought counts for nothing.

use serde_json::{Map, Value};

use super::json::{JsonFlaw, JsonReader, MOST_DEPTH};
use super::signs::{loops, refusal};
use crate::prompt::BadAnswer;
use annals_kernel::cut::head;

/// An answer is not looked at further than this, in bytes.
pub const LOOKED_AT_BYTES: usize = 1 << 20;
/// JSON in a text of JSON is unpacked so many times.
const MOST_QUOTED: u8 = 3;
/// So much of what was said around objects is kept, in bytes.
const PROSE_BYTES: usize = 400;
/// What models that think put around it.
const THOUGHTS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// The last complete object of an answer that has one of the wanted members; any object where none is wanted.
pub fn object(raw: &str, wanted: &[&str]) -> Result<Map<String, Value>, BadAnswer> {
    let text = head(raw, LOOKED_AT_BYTES);
    let mut search = ObjectSearch::new(wanted);
    search.read(text);
    match search.found.take() {
        Some(found) => Ok(found),
        None => Err(search.problem(raw)),
    }
}

/// What was met so far.
#[derive(Default)]
struct ObjectSearch<'w> {
    wanted: &'w [&'w str],
    found: Option<Map<String, Value>>,
    /// What stands around objects, thoughts left out: the beginning.
    prose: String,
    /// Whether there was an object without a wanted member.
    has_other: bool,
    /// What was wrong with the last object that could not be read.
    flaw: Option<JsonFlaw>,
    /// Where a text begins that may hold JSON.
    quote: Option<usize>,
}

impl<'w> ObjectSearch<'w> {
    fn new(wanted: &'w [&'w str]) -> Self {
        Self { wanted, ..Self::default() }
    }

    fn read(&mut self, text: &str) {
        let mut unpacked = None;
        for _ in 0..=MOST_QUOTED {
            let text = unpacked.as_deref().unwrap_or(text);
            self.scan(text);
            let is_done = self.found.is_some() || self.has_other;
            let Some(quote) = self.quote.take().filter(|_| !is_done) else { return };
            match JsonReader::new(text, quote).string("a text") {
                Ok(inner) => unpacked = Some(inner),
                Err(flaw) => return self.flaw = Some(flaw),
            }
        }
    }

    /// Goes over a text once; of a broken object only what stands behind its last opening quote is read again.
    fn scan(&mut self, text: &str) {
        let folded = text.to_ascii_lowercase();
        let mut at = 0;
        while let Some(step) = text[at..].find(['{', '<']) {
            self.hear(&text[at..at + step]);
            at += step;
            at = if text[at..].starts_with('{') { self.try_object(text, at) } else { self.skip(&folded, at) };
        }
        self.hear(&text[at..]);
    }

    fn hear(&mut self, prose: &str) {
        let room = PROSE_BYTES.saturating_sub(self.prose.len());
        self.prose.push_str(head(prose.trim_start(), room));
    }

    /// Reads the object that begins here; where to go on.
    fn try_object(&mut self, text: &str, at: usize) -> usize {
        let mut reader = JsonReader::new(text, at);
        match reader.object(0) {
            Ok(found) => {
                self.take(found);
                reader.at()
            }
            Err(flaw) => {
                self.flaw = Some(flaw);
                self.quote = self.quote.or_else(|| opening_quote(&text[..at]));
                match flaw {
                    // What it holds is a part of it, and no answer.
                    JsonFlaw::Ends | JsonFlaw::Deep => text.len(),
                    JsonFlaw::Broken { resume, .. } => resume,
                }
            }
        }
    }

    fn take(&mut self, found: Map<String, Value>) {
        if self.wanted.is_empty() || self.wanted.iter().any(|name| found.contains_key(*name)) {
            self.found = Some(found);
        } else {
            self.has_other = true;
        }
    }

    /// Passes over thoughts. Where only their end is seen they began in the prompt, and all before was thought.
    fn skip(&mut self, folded: &str, at: usize) -> usize {
        let rest = &folded[at..];
        for (open, close) in THOUGHTS {
            if rest.starts_with(open) {
                return rest.find(close).map_or(folded.len(), |end| at + end + close.len());
            }
            if rest.starts_with(close) {
                *self = Self::new(self.wanted);
                return at + close.len();
            }
        }
        self.hear("<");
        at + 1
    }

    /// Why there is nothing to read.
    fn problem(&self, raw: &str) -> BadAnswer {
        let text = head(raw, LOOKED_AT_BYTES);
        if self.flaw == Some(JsonFlaw::Deep) {
            return BadAnswer::NotJson { reason: format!("it is nested deeper than {MOST_DEPTH} levels") };
        }
        let prose = self.prose.trim();
        if prose.is_empty() && self.flaw.is_none() && !self.has_other {
            return BadAnswer::Empty;
        }
        if loops(text) {
            return BadAnswer::Loops;
        }
        if text.len() < raw.len() || self.flaw == Some(JsonFlaw::Ends) {
            return BadAnswer::CutOff;
        }
        if let Some(name) = self.wanted.first().filter(|_| self.has_other) {
            return BadAnswer::Field { field: (*name).to_owned(), problem: "is missing".to_owned() };
        }
        refusal(prose).unwrap_or_else(|| BadAnswer::NotJson { reason: self.reason() })
    }

    fn reason(&self) -> String {
        match self.flaw {
            Some(JsonFlaw::Broken { expected, at, .. }) => format!("{expected} was expected at byte {at}"),
            Some(JsonFlaw::Ends | JsonFlaw::Deep) | None => "it has no object".to_owned(),
        }
    }
}

/// The outermost of the quotes that a text ends with; between them and behind may stand escaped line breaks.
fn opening_quote(before: &str) -> Option<usize> {
    let bare = before.trim_end_matches([' ', '\t', '\n', '\r', '\\', 'n', '"']).len();
    before[bare..].find('"').map(|at| bare + at)
}
