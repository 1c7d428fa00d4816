//! `annals credit board`: who leads, what the team achieved, and its goals (control-room 11.10, 15.3).

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::kernel::period::Period;
use crate::view::credit::board::{AchievementInfo, Board, PlaceInfo};
use crate::view::credit::words::achieved;

/// Arguments of `annals credit board`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// session, chapter or act [default: all time]
    #[arg(long)]
    period: Option<Period>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let board = shell.ask(&engine, |world| Board::of(&world.rooms, arguments.period, engine.settings()))?;
    if shell.wants_json() {
        shell.out.answer(&board)?;
        return Ok(CommandOutcome::Done);
    }
    if board.period != "lifetime" && board.name.is_none() {
        let hint = format!("no {0} has begun yet; `annals milestone begin {0} NAME` begins one", board.period);
        shell.out.say(hint)?;
    }
    let rows: Vec<_> = board.entries.iter().map(cells).collect();
    shell.out.table(
        &[Key("rank"), Key("agent"), Key("credits"), Goes(2, "tier"), Goes(1, "streak"), Text("most for")],
        &rows,
    )?;
    say_team(shell, &board)?;
    Ok(CommandOutcome::Done)
}

fn cells(place: &PlaceInfo) -> Vec<String> {
    vec![
        place.rank.to_string(),
        place.agent.to_string(),
        place.credits.to_string(),
        place.tier.to_string(),
        place.streak.to_string(),
        place.top_contribution.clone().unwrap_or_else(|| "-".to_owned()),
    ]
}

fn say_team(shell: &mut Shell, board: &Board) -> std::io::Result<()> {
    let period = board.name.as_ref().map_or_else(|| board.period.to_owned(), |name| format!("{} {name}", board.period));
    let line = format!("{period}: {} credits of agents, {} of the team", board.team_total, board.team_credits);
    shell.out.line(line)?;
    let named = [("most valuable", &board.mvp), ("most improved", &board.most_improved)];
    for (title, agent) in named {
        if let Some(agent) = agent {
            shell.out.line(format_args!("{title}: {agent}"))?;
        }
    }
    for event in &board.team_events {
        shell.out.line(achievement_line(event))?;
    }
    for goal in board.active_goals.iter().chain(&board.achieved_goals) {
        shell.out.line(goal.line())?;
    }
    Ok(())
}

fn achievement_line(event: &AchievementInfo) -> String {
    let about = if event.about.is_empty() { String::new() } else { format!(" ({})", event.about) };
    format!("{} for the team: {}{about}", super::signed(event.credits), achieved(event.reason))
}
