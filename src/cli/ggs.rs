//! `annals ggs explain`: what the goal-gradient solver makes of a round (artoo R7). Records nothing, and needs no project.

use super::line::{Line, Style};
use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell};
use crate::role::ggs::{ExplainQuery, GgsLimits, Gradient, Measures, Reading, Since, explain};

/// Commands about the solver.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Tell loss, gradient, cell, state and urgency of a round, and why
    "explain" => Runs(&With(run)),
};

/// Arguments of `annals ggs explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// D: how far the result is from what was wanted, 0 to 1
    #[arg(long, value_name = "D", value_parser = reading)]
    d: Reading,
    /// P: how wrong the approach is, 0 to 1; 0 is the environment's fault
    #[arg(long, value_name = "P", value_parser = reading)]
    p: Reading,
    /// Omega: how much of the budget is used, 0 to 1
    #[arg(long, value_name = "OMEGA", value_parser = reading)]
    omega: Reading,
    /// How the loss moved since the round before, -1 to 1 [default: 0, the first round]
    #[arg(long, value_name = "G", value_parser = moved, allow_negative_numbers = true, conflicts_with = "previous_l")]
    gradient: Option<Gradient>,
    /// The loss of the round before, 0 to 1
    #[arg(long, value_name = "L", value_parser = reading)]
    previous_l: Option<Reading>,
    /// How many rounds in a row got worse, this one among them
    #[arg(long, value_name = "N", default_value_t = 0)]
    worsening: u32,
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "not a number".to_owned())
}

fn reading(text: &str) -> Result<Reading, String> {
    Reading::of(number(text)?).map_err(|error| error.to_string())
}

fn moved(text: &str) -> Result<Gradient, String> {
    Gradient::of(number(text)?).map_err(|error| error.to_string())
}

fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let since = match (arguments.gradient, arguments.previous_l) {
        (Some(gradient), _) => Since::Gradient(gradient),
        (None, Some(previous)) => Since::PreviousLoss(previous),
        (None, None) => Since::First,
    };
    let Arguments { d, p, omega, worsening, .. } = *arguments;
    let query = ExplainQuery { measures: Measures { d, p, omega }, since, worsening };
    let found = explain(&query, &GgsLimits::default());
    if shell.wants_json() {
        shell.out.answer(&found)?;
        return Ok(CommandOutcome::Done);
    }
    shell.out.styled(&Line::of(Style::Bold, &found.why))?;
    shell.out.line(format_args!("loss {} (D {d}, P {p}, Omega {omega})", found.loss))?;
    shell.out.line(format_args!("gradient {} ({}), cell {} of 24", found.gradient, found.label, found.cell))?;
    let share = found.budget_share;
    shell.out.line(format_args!("urgency {}: alternatives {}, budget {share}", found.urgency, found.alternatives))?;
    Ok(CommandOutcome::Done)
}
