//! `annals sanitize`: takes secrets out of what comes on stdin, and says on stderr what it took out.
//!
//! JSON Lines pass line by line as they come; anything else is read to its end first, because a key can span lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};

use super::models::rules;
use super::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Key, Text};
use crate::sanitizer::{Cleaned, Context, Finding, Sanitizer, Source};

/// Arguments of `annals sanitize`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file that it comes from: in a `.env` file, say, every value is secret
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
    /// Print what would be taken out instead, and exit with 1 if there is anything
    #[arg(long)]
    check: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let sanitizer = rules(shell)?;
    let context = Context { file_path: arguments.file.as_deref(), ..Context::of(Source::Output) };
    let mut filter = InputFilter { sanitizer: &sanitizer, context, findings: Vec::new() };
    let mut input = std::io::stdin().lock();
    let (mut first, mut is_lines) = (Vec::new(), true);
    while is_lines && input.read_until(b'\n', &mut first)? > 0 {
        is_lines = is_object(&first);
        if is_lines {
            print(shell, arguments, &filter.clean(&first))?;
            first.clear();
        }
    }
    input.read_to_end(&mut first)?;
    print(shell, arguments, &filter.clean(&first))?;
    if arguments.check { check(shell, &filter.findings) } else { say(shell, &filter.findings) }
}

/// Whether a line is all of a JSON object.
fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{') && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// A line is out before the next one is read: a reader at the other end may wait for it.
fn print(shell: &mut Shell, arguments: &Arguments, bytes: &[u8]) -> std::io::Result<()> {
    if arguments.check {
        return Ok(());
    }
    shell.out.raw(bytes)?;
    shell.out.flush()
}

struct InputFilter<'f> {
    sanitizer: &'f Sanitizer,
    context: Context<'f>,
    findings: Vec<Finding>,
}

impl InputFilter<'_> {
    /// Bytes that are not UTF-8 stay as they are.
    fn clean(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut cleaned = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            cleaned.extend_from_slice(self.text(chunk.valid()).as_bytes());
            cleaned.extend_from_slice(chunk.invalid());
        }
        cleaned
    }

    fn text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let Cleaned { text, findings } = self.sanitizer.sanitize_text(text, &self.context);
        self.findings.extend(findings);
        text
    }
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FoundSecrets<'f> {
    findings: &'f [Finding],
}

fn check(shell: &mut Shell, findings: &[Finding]) -> Done {
    if shell.wants_json() {
        shell.out.answer(&FoundSecrets { findings })?;
    } else {
        let row = |finding: &Finding| vec![finding.rule.to_string(), finding.path.clone()];
        let rows: Vec<_> = findings.iter().map(row).collect();
        shell.out.table(&[Key("rule"), Text("where")], &rows)?;
    }
    Ok(if findings.is_empty() { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn say(shell: &mut Shell, findings: &[Finding]) -> Done {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in findings {
        *counts.entry(&finding.rule).or_default() += 1;
    }
    let rules: Vec<_> = counts.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    if !rules.is_empty() {
        shell.out.say(format_args!("taken out: {}", rules.join(", ")))?;
    }
    Ok(CommandOutcome::Done)
}
