//! `annals credit award`: what the user, the moderator and agents may give each other (control-room 11.5, 11.6).

use super::signed;
use crate::cli::shell::{Done, Shell};
use crate::domain::{Command, Event, credit};
use crate::engine::{Answer, Engine};
use crate::kernel::credits::Credits;
use crate::kernel::json::Json;

/// Decides, and says what it gave.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| out.line(line(answer)))
}

fn line(answer: &Answer) -> String {
    let awarded = answer.events.iter().find_map(|event| {
        let Event::Credit(credit::Event::Awarded(awarded)) = event else { return None };
        let weight = awarded.weight.map(|weight| {
            let weight = Credits::thousandths(weight.into());
            format!(": the word of {} weighs {weight}, as its tier has it", awarded.by)
        });
        Some(format!("{} for {}{}", signed(awarded.amount), awarded.agent, weight.unwrap_or_default()))
    });
    awarded.unwrap_or_default()
}
