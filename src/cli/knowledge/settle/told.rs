//! How contradictions read: both texts with their sources, then the rule that settles it, or the question.

use super::found::{FoundContradiction, KnownSide, Standpoint};
use super::{ModelAdvice, SettledKnowledge, ToldContradiction};
use crate::cli::decided::Decided;
use crate::cli::line::{Line, Style};
use crate::cli::models::by;
use crate::cli::shell::{Shell, clean};
use crate::domain::knowledge::settle::{SettledBy, SettledPair, Unsettled};
use crate::engine::Engine;
use crate::kernel::actor::{SYSTEM, USER};
use crate::kernel::counted::{count, counted};
use crate::role::judged::contradiction::AdvisedSide;
use crate::view::gist::{fold, short_id};

/// Every contradiction, and what to do.
pub(super) fn print(shell: &mut Shell, engine: &Engine, answer: &SettledKnowledge) -> std::io::Result<()> {
    for one in &answer.contradictions {
        for side in [&one.found.first, &one.found.second] {
            let line =
                Line::of(Style::Cyan, side.entry).then(format_args!("  {}", fold(&clean(engine, &side.content))));
            shell.out.styled(&line)?;
            shell.out.styled(&Line::of(Style::Dim, format_args!("  {}", clean(engine, &origin(side)))))?;
        }
        shell.out.line(format_args!("  {}", clean(engine, &says(one))))?;
        if let Some(advice) = &one.advice {
            advised(shell, engine, advice)?;
        }
    }
    end(shell, answer)
}

/// Who says it, since when, from where, and what became of it.
fn origin(side: &KnownSide) -> String {
    let mut parts = vec![format!("{} by {} on {}", side.kind, side.by, side.at.day())];
    parts.push(whose(side));
    if side.word.sessions > 0 {
        parts.push(format!("said in {}", counted(side.word.sessions.into(), "session")));
    }
    let sources: Vec<_> = side.source.entries.iter().take(3).map(ToString::to_string).collect();
    if !sources.is_empty() {
        parts.push(format!("from {}", sources.join(" ")));
    }
    parts.push(format!("strength {:.3}", side.strength));
    if side.helpful + side.harmful > 0 {
        parts.push(format!("{} helpful, {} harmful", side.helpful, side.harmful));
    }
    parts.extend(side.canon.as_ref().map(|canon| format!("canon says {canon}")));
    parts.join("; ")
}

/// Whose word it is: what an agent proposed is that agent's, whoever accepted it.
fn whose(side: &KnownSide) -> String {
    match (side.word.own, side.author.as_str()) {
        (false, _) => "no word of yours".to_owned(),
        (true, USER) => "your own word".to_owned(),
        (true, SYSTEM) => "found by a rule, accepted by you".to_owned(),
        (true, agent) => format!("proposed by {agent}, accepted by you"),
    }
}

/// The rule, or the question.
fn says(one: &ToldContradiction) -> String {
    let was = match &one.decided {
        Some(Decided::Done { .. }) => "decided: ",
        Some(Decided::Refused { .. }) => "refused: ",
        None => "",
    };
    let names = one.found.entries().map(|id| id.to_string());
    let [first, second] = names.each_ref().map(|id| short_id(id));
    match &one.found.verdict {
        Standpoint::Settled(SettledPair { holds, because, .. }) => format!("{was}{holds} holds: {}", rule(*because)),
        Standpoint::AgainstCanon { ends, canon } => format!("{was}{ends} goes: canon says otherwise, {canon}"),
        Standpoint::Open(why) => {
            let why = match why {
                Unsettled::NobodysWord => "you neither said nor accepted either",
                Unsettled::BothOwn => "you said or accepted both",
            };
            let (one, other) = (format!("supersede {second} {first}"), format!("supersede {first} {second}"));
            format!(
                "which holds? {why}: `annals knowledge {one}` keeps the first, `annals knowledge {other}` the second"
            )
        }
    }
}

fn rule(because: SettledBy) -> &'static str {
    match because {
        SettledBy::OwnWord => "you said or accepted it, and not the other",
        SettledBy::Correction => "you said or accepted both, and it is the later one and a correction",
        SettledBy::Agreement => "you said or accepted both, and it is the later one and was said in more sessions",
    }
}

fn advised(shell: &mut Shell, engine: &Engine, advice: &ModelAdvice) -> std::io::Result<()> {
    if let (Some(holds), Some(reason)) = (advice.holds, &advice.reason) {
        let side = match holds {
            AdvisedSide::First => "the first holds",
            AdvisedSide::Second => "the second holds",
            AdvisedSide::Both => "both can hold",
            AdvisedSide::Neither => "it cannot tell",
        };
        let reason = fold(&clean(engine, reason));
        shell.out.line(format_args!("  a model advises, and decides nothing: {side}: {reason}"))?;
    }
    if let Some(why) = &advice.unheard {
        shell.out.say(format_args!("no advice by a model: {why}"))?;
    }
    advice.word.as_ref().map_or(Ok(()), |word| shell.out.say(format_args!("{}", by(word))))
}

fn end(shell: &mut Shell, answer: &SettledKnowledge) -> std::io::Result<()> {
    let all = &answer.contradictions;
    if all.is_empty() {
        return shell.out.say("nothing that is known contradicts anything else, as far as words tell");
    }
    let open = all.iter().filter(|one| one.found.is_open()).count();
    if all.len() > open && !answer.applied {
        let ruled = count(all.len() - open, "contradiction", "contradictions");
        shell.out.say(format_args!("nothing is decided: `annals knowledge settle --apply` settles {ruled} by rule"))?;
    }
    if open > 0 {
        let asked = count(open, "contradiction is", "contradictions are");
        shell.out.say(format_args!("{asked} yours to settle: supersede one, or archive it"))?;
    }
    Ok(())
}

impl FoundContradiction {
    /// Whether no rule settles it.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.verdict, Standpoint::Open(_))
    }
}
