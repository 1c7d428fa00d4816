//! What each reference of a text would earn or cost, as `--check` says it.

use crate::cli::line::{Line, Style};
use crate::cli::shell::Shell;
use crate::engine::evidence::say::place;
use crate::kernel::credits::Credits;
use crate::kernel::grounding::Trigger;
use crate::policy::{FileForecast, Forecast, OtherForecast, Weight};
use crate::view::issue::markdown::finding;

pub(super) fn say(shell: &mut Shell, forecast: &Forecast) -> std::io::Result<()> {
    for file in &forecast.files {
        shell.out.styled(&file_line(file))?;
    }
    for other in &forecast.others {
        shell.out.styled(&other_line(other))?;
    }
    if forecast.trigger == Some(Trigger::Unprompted) {
        shell.out.line("nobody is shown to have asked: `--trigger WHY --trigger-ref ENTRY` names what it answers")?;
    }
    Ok(())
}

fn file_line(file: &FileForecast) -> Line {
    let (style, becomes) = match file.weight {
        Weight::Precise => (Style::Green, "evidence, to the letter"),
        Weight::Verified => (Style::Green, "evidence"),
        Weight::Repeated => (Style::Green, "evidence, cited on this issue before"),
        Weight::Surplus => (Style::Green, "evidence, one more than can earn"),
        Weight::Empty => (Style::Yellow, "no evidence"),
        Weight::False => (Style::Red, "no evidence"),
    };
    let earned = file.credits.map(earned).unwrap_or_default();
    let (what, found) = (place(&file.reference), finding(&file.checked));
    Line::of(style, format_args!("{:<7}", "cites")).then(format_args!(" {what}: {found}: {becomes}{earned}"))
}

fn earned(credits: Credits) -> String {
    if credits == Credits::ZERO {
        return "; earns nothing".to_owned();
    }
    let verb = if credits > Credits::ZERO { "earns" } else { "costs" };
    format!("; {verb} {}", credits.to_string().trim_start_matches('-'))
}

fn other_line(other: &OtherForecast) -> Line {
    let (style, becomes) =
        if other.is_evidence { (Style::Green, "evidence") } else { (Style::Yellow, "no evidence: it is this issue") };
    Line::of(style, format_args!("{:<7}", "cites")).then(format_args!(" {}: {becomes}", other.reference))
}
