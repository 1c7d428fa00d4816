//! `annals archive`: packs old days. They stay readable, in every command.

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::archive::{PackMode, Packed};
use crate::engine::settings::RETENTION_DAYS;
use crate::kernel::counted::counted;
use crate::kernel::time::Day;

/// Arguments of `annals archive`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Pack days before this one [default: by the setting `history.retention_days`]
    #[arg(long, value_name = "DAY")]
    before: Option<Day>,
    /// Only say what would be packed
    #[arg(long)]
    dry_run: bool,
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Archived {
    /// Days before this one are meant.
    before: String,
    packed: Vec<Packed>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let days = engine.settings().get(&RETENTION_DAYS);
    let before = match (arguments.before, days) {
        (Some(day), _) => day,
        (None, 0) => return Err(Usage("give --before DAY, or set history.retention_days".to_owned()).into()),
        (None, days) => engine.clock().now().day().minus(days),
    };
    let mode = if arguments.dry_run { PackMode::DryRun } else { PackMode::Pack };
    let packed = engine.archive(before, mode)?;
    if shell.wants_json() {
        shell.out.answer(&Archived { before: before.to_string(), packed })?;
        return Ok(CommandOutcome::Done);
    }
    for segment in &packed {
        let to =
            if mode == PackMode::DryRun { "would be packed".to_owned() } else { format!("history/{}", segment.to) };
        let from = match segment.from.as_slice() {
            [one] => format!("history/{one}"),
            [first, rest @ ..] => format!("history/{first} and {} more", rest.len()),
            [] => String::new(),
        };
        shell.out.line(format_args!("{from} ({})  {to}", counted(segment.bytes, "byte")))?;
    }
    shell.out.line(format_args!("{} before {before}", counted(packed.len() as u64, "day")))?;
    Ok(CommandOutcome::Done)
}
