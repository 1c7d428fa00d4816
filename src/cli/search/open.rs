//! `annals search --open N`: shows a hit of the last search and records that a person opened it, from which the weights of
//! the providers learn (AFS 8.3, `search.result.selected`).

use serde_json::json;

use super::measured;
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::show;
use crate::engine::Engine;
use crate::engine::given::{Defaults, Given, Partly};
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::search::metrics::{SelectedResult, ShownResult};

pub(super) fn run(shell: &mut Shell, engine: &Engine, number: usize) -> Done {
    let mut metrics = measured::read(engine).unwrap_or_default();
    let Some(query) = metrics.query(None) else {
        return Err(Usage("no search is kept to open a hit of: search first".to_owned()).into());
    };
    let (id, count) = (query.id.clone(), query.results.len());
    let Some(result) = number.checked_sub(1).and_then(|at| query.results.get(at)).cloned() else {
        let hits = if count == 1 { "1 hit".to_owned() } else { format!("{count} hits") };
        return Err(Usage(format!("the last search, for {:?}, has {hits}", query.query)).into());
    };
    let rank = number as u64;
    if !measured::looks_back(shell) {
        record(shell, engine, &id, &result, rank)?;
        metrics.selected(&id, SelectedResult { source: result.source.clone(), rank });
        measured::write(engine, &metrics);
    }
    if result.kind == "entry" {
        return show::run(shell, &show::Arguments::of(&result.id));
    }
    shell
        .out
        .styled(&Line::plain(format_args!("{} {}: ", result.kind, result.id)).and(Style::Bold, shown_by(&result)))?;
    Ok(CommandOutcome::Done)
}

fn record(shell: &Shell, engine: &Engine, query: &str, result: &ShownResult, rank: u64) -> anyhow::Result<()> {
    let session = shell.environment.session.clone().unwrap_or_else(|| NO_SESSION.to_owned());
    let defaults = Defaults {
        at: engine.clock().now(),
        session: Some(SessionId::from(session)),
        agent: Some(shell.actor()),
        giver: shell.actor(),
    };
    let input = json!({
        "query_id": query, "source": result.source, "rank": rank, "kind": result.kind, "id": result.id,
    });
    let entry = json!({
        "operation": { "type": "system_event", "name": "search.result.selected", "input": input, "success": true },
        "provenance": {}, "metadata": {},
    });
    let given = Given::read(1, &entry.to_string(), &defaults).map_err(|error| Usage(error.to_string()))?;
    engine.record_given(vec![given], Partly::AllOrNothing)?;
    Ok(())
}

/// The command that shows it.
fn shown_by(result: &ShownResult) -> String {
    let id = &result.id;
    match result.kind.as_str() {
        "session" => format!("annals session show {id}"),
        "issue" => format!("annals issue show {}", id.trim_start_matches('#')),
        "canon" => format!("annals canon show {id}"),
        "belief" => format!("annals hivemind show {id}"),
        "knowledge" => format!("annals knowledge show {id}"),
        "file" => format!("annals log --file {id}"),
        "memory" => "annals memory list".to_owned(),
        "tool" => format!("annals log --name {id}"),
        "agent" => format!("annals log --agent {id}"),
        _ => format!("annals log --text {id:?}"),
    }
}
