//! `annals memory plot`: how a pair of tags fades, in the terminal or as SVG.

use std::path::PathBuf;

use anyhow::Context as _;

use super::tags::Tags;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::view::memory::decay;
use crate::view::plot::{lines, svg};

/// Arguments of `annals memory plot`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tags: Tags,
    /// The number of days ahead
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Print an SVG picture
    #[arg(long)]
    svg: bool,
    /// Write an SVG picture to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    const WIDTH: usize = 80;
    let engine = shell.engine()?;
    let (space, entity) = arguments.tags.pair(&engine)?;
    let now = shell.now(&engine)?;
    let plot = shell.ask(&engine, |world| decay(&world.rooms, &space, &entity, now, arguments.days))?;
    if let Some(file) = &arguments.output {
        let path = shell.environment.directory.join(file);
        std::fs::write(&path, svg(&plot)).with_context(|| format!("cannot write {}", file.display()))?;
        shell.out.line(format_args!("wrote {}", file.display()))?;
    } else if shell.wants_json() {
        shell.out.answer(&plot)?;
    } else if arguments.svg {
        shell.out.page(&svg(&plot))?;
    } else {
        let width = shell.out.width().min(WIDTH);
        lines(&plot, width).iter().try_for_each(|line| shell.out.line(line))?;
    }
    Ok(CommandOutcome::Done)
}
