//! One line in full: what it says, which call wrote it, for which prompt, and what came of that.

use crate::cli::line::{Line, Style};
use crate::cli::shell::{Shell, clean};
use crate::engine::Engine;
use crate::view::blame::{BlamedCall, BlamedFile};

pub(super) fn print(shell: &mut Shell, engine: &Engine, file: &BlamedFile) -> std::io::Result<()> {
    let Some(line) = file.lines.first() else { return Ok(()) };
    let place = format!("{}:{}", file.file, line.line);
    shell.out.styled(&Line::of(Style::Bold, place).then("  ").then(&line.text))?;
    match file.calls.first() {
        Some(call) => of_call(shell, engine, call),
        None => shell.out.line("  no recorded call wrote it: a person did, or a program whose effect is not recorded"),
    }
}

fn of_call(shell: &mut Shell, engine: &Engine, call: &BlamedCall) -> std::io::Result<()> {
    let at = shell.out.time(call.at);
    let agent = call.agent.as_ref().map(ToString::to_string);
    let facts = [
        ("call", Some(format!("{} {}", call.entry, call.tool))),
        ("did", Some(clean(engine, &call.did))),
        ("agent", agent),
        ("when", Some(at)),
        ("session", Some(call.session.to_string())),
        ("prompt", call.prompt.as_ref().map(|prompt| prompt.entry.to_string())),
    ];
    for (name, value) in facts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        shell
            .out
            .styled(&Line::plain("  ").and(Style::Dim, format_args!("{name:<9}")).then(format_args!(" {value}")))?;
    }
    let Some(prompt) = &call.prompt else { return Ok(()) };
    let text = clean(engine, &prompt.text);
    let quoted: String = text.lines().flat_map(|line| ["    ", line, "\n"]).collect();
    shell.out.page(&quoted)
}
