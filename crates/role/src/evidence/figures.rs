//! Figures that were put into a file and that no tool gave: a model made them up, or counted in its head.
//!
//! Told from the calls alone. What a program of the task writes into a file itself is not seen here, nor is a file that is
//! read back without its name.

use std::collections::BTreeMap;
use std::fmt;

use annals_kernel::call::{Act, acts};

use super::call::{input_text, is_good};
use super::quote::{bare, given};
use super::speech;
use crate::message::CallEvidence;
use crate::tool::{ToolCall, ToolName, ToolRequest};
use crate::wanted::file_name;

/// Files that hold data, by their endings; what has none is one.
const DATA: &[&str] = &["csv", "html", "json", "log", "md", "org", "rst", "toml", "tsv", "txt", "xml", "yaml", "yml"];

/// A figure that stands in a file and comes from nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntoldFigure {
    /// As it was written.
    pub figure: String,
    /// Which file.
    pub file: String,
}

impl fmt::Display for UntoldFigure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, file } = self;
        write!(to, "the figure {figure} in {file} stands in nothing that a tool gave: ")?;
        to.write_str("find it out with a command, and write what that prints")
    }
}

/// The first file that was written with figures of which none stands in the person's words or in what tools gave.
pub fn untold(words: &str, calls: &[&ToolCall], given_before: &[CallEvidence]) -> Option<UntoldFigure> {
    let mut known: Vec<String> = figures(words).collect();
    known.extend(given_before.iter().flat_map(|call| figures(&call.output)));
    let mut written: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for call in calls.iter().filter(|call| is_good(call)) {
        let writing = Writing::of(call);
        if writing.files.is_empty() {
            let read_back: Vec<_> = written.iter().filter(|(file, _)| may_read(&call.request, file)).collect();
            let is_own = |figure: &String| read_back.iter().any(|(_, own)| own.contains(figure));
            known.extend(figures(&bare(call.request.tool, &given(call))).filter(|figure| !is_own(figure)));
        }
        // What a program found out is told, whatever stood there before.
        let own: Vec<_> = writing.said.into_iter().flat_map(figures).collect();
        written.extend(writing.files.into_iter().map(|file| (file, own.clone())));
    }
    let is_untold = |own: &Vec<String>| !own.is_empty() && own.iter().all(|figure| !known.contains(figure));
    let (file, own) = written.into_iter().find(|(file, own)| holds_data(file) && is_untold(own))?;
    Some(UntoldFigure { figure: own.first()?.clone(), file })
}

/// What a call put into files.
struct Writing<'c> {
    files: Vec<String>,
    /// By the model's own words; nothing where a program found it out.
    said: Option<&'c str>,
}

impl<'c> Writing<'c> {
    fn of(call: &'c ToolCall) -> Self {
        let text = |name| input_text(&call.request, name);
        let path = || vec![text("path").to_owned()];
        match call.request.tool {
            ToolName::Write => Self { files: path(), said: Some(text("content")) },
            ToolName::Edit => Self { files: path(), said: Some(text("new")) },
            ToolName::Shell => {
                let command = text("command");
                let is_file = |file: &&str| !file.starts_with("/dev/") && !file.starts_with('&');
                let outputs = |act: &Act<'_>| act.outputs().filter(is_file).map(str::to_owned).collect::<Vec<_>>();
                let files = acts(command).iter().flat_map(outputs).collect();
                let computes = speech::tells(command) || command.contains("$(") || command.contains('`');
                Self { files, said: Some(command).filter(|_| !computes) }
            }
            ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Fetch => {
                Self { files: Vec::new(), said: None }
            }
        }
    }
}

/// Whether a call may show what stands in a file: what a model put there is not found out by reading it back.
fn may_read(request: &ToolRequest, file: &str) -> bool {
    let name = file_name(file);
    match request.tool {
        ToolName::Read => input_text(request, "path").ends_with(name),
        ToolName::Search => true,
        ToolName::Shell => {
            let command = input_text(request, "command");
            command.contains(name) || command.contains(['*', '?']) || command.split_whitespace().any(|word| word == ".")
        }
        ToolName::Find | ToolName::Glob | ToolName::Write | ToolName::Edit | ToolName::Fetch => false,
    }
}

fn holds_data(file: &str) -> bool {
    file_name(file).rsplit_once('.').is_none_or(|(_, ending)| DATA.contains(&ending.to_lowercase().as_str()))
}

/// The numbers of a text, in one form: `1,200` and `1200.0` are the same. What goes on with letters is a name.
fn figures(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '.' | ',' | '_')));
    words.filter_map(|word| {
        let word = word.trim_matches(['.', ',', '_']);
        let is_figure =
            !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || ".,_".contains(letter));
        let plain = word.replace([',', '_'], "");
        let plain = plain.split_once('.').map_or(plain.as_str(), |(whole, rest)| {
            if rest.bytes().all(|digit| digit == b'0') { whole } else { plain.as_str() }
        });
        is_figure.then(|| plain.to_owned())
    })
}
