//! For the tests of importers: a sink that keeps what it gets, and where the real transcripts are.

use std::io::BufRead;
use std::path::PathBuf;

use super::{Draft, Given, ImportError, PassedOver, Sink, Unread};
use annals_kernel::annals::Usage;

/// Everything that an importer found.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Collected {
    /// Entries to be, in the order in which they came.
    pub drafts: Vec<Draft>,
    /// What made no entry, and its line.
    pub passed: Vec<(PassedOver, u64)>,
    /// Types that nobody knows, and the versions that wrote them; their records are entries, as where they are kept.
    pub unread: Vec<(Box<str>, Option<Box<str>>)>,
}

impl Sink for Collected {
    fn entry(&mut self, draft: Draft) -> Result<(), ImportError> {
        self.drafts.push(draft);
        Ok(())
    }

    fn unread(&mut self, unread: Unread) -> Result<(), ImportError> {
        let Unread { kind, version, whole, .. } = unread;
        self.unread.push((kind, version));
        self.entry(whole)
    }

    fn passed_over(&mut self, reason: PassedOver, line: u64) {
        self.passed.push((reason, line));
    }
}

/// An importer.
pub type Import = fn(&Given<'_>, &mut dyn BufRead, &mut dyn Sink) -> Result<(), ImportError>;

impl Collected {
    /// Runs an importer over a text.
    pub fn of(import: Import, file_name: &str, text: &str) -> Self {
        let mut sink = Self::default();
        import(&file_name.into(), &mut text.as_bytes(), &mut sink).expect("the source can be imported");
        sink
    }

    /// A line for each draft: seconds, who, type, name, outcome, input, what else there is.
    pub fn lines(&self) -> String {
        self.drafts.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The types that nobody knows, and how often each came.
    pub fn kinds(&self) -> Vec<String> {
        let mut counts = std::collections::BTreeMap::<_, u32>::new();
        self.unread.iter().for_each(|(kind, _)| *counts.entry(kind).or_default() += 1);
        counts.into_iter().map(|(kind, count)| format!("{kind} {count}")).collect()
    }

    /// How many records were passed over for this reason.
    pub fn passed(&self, reason: PassedOver) -> usize {
        self.passed.iter().filter(|(found, _)| *found == reason).count()
    }

    /// How many entries have this name.
    pub fn named(&self, name: &str) -> usize {
        self.drafts.iter().filter(|draft| &*draft.operation.name == name).count()
    }

    /// All tokens.
    pub fn usage(&self) -> Usage {
        self.drafts.iter().filter_map(|draft| draft.usage).fold(Usage::default(), |sum, usage| sum + usage)
    }
}

fn line(draft: &Draft) -> String {
    let operation = &draft.operation;
    let agent = draft.provenance.agent_id.as_ref().map_or("nobody", |agent| agent.as_str());
    let mut text = format!(
        "{} {agent} {} {} {}",
        &draft.at.to_string()[14..],
        operation.kind,
        operation.name,
        operation.input.text()
    );
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&[" ", name, "=", &value].concat());
        }
    };
    add("output", operation.output.as_ref().map(|output| output.text().to_owned()));
    add("ms", operation.duration_ms.map(|millis| millis.to_string()));
    add("error", operation.error.as_ref().map(ToString::to_string));
    add("failed", (!operation.success && operation.error.is_none()).then(String::new));
    add("model", draft.provenance.model_id.as_ref().map(ToString::to_string));
    add("files", draft.metadata.files_touched.as_ref().map(|files| files.join(",")));
    add("usage", draft.usage.map(|usage| serde_json::to_string(&usage).expect("BUG: a usage does not serialize")));
    text
}

/// The folder of real transcripts, where the environment names one.
pub fn transcripts() -> Option<PathBuf> {
    named_folder("ANNALS_TRANSCRIPTS")
}

/// A folder that the environment names.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests only: nothing else can say where the data is"
)]
pub(crate) fn named_folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: {variable} does not name the folder of transcripts");
    }
    folder
}
