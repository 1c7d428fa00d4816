//! `annals history mend-clock`: lines of a clock that was wrong, and from when on they count as of another time.

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::history::command::{MendClock, Observed};
use crate::engine::Engine;
use crate::engine::mend::{Ahead, Run, minted};
use crate::engine::query::filter::Filter;
use crate::kernel::id::{EntryId, WriterId};

/// Arguments of `annals history mend-clock`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Whose clock was wrong
    #[arg(long, requires_all = ["from", "to", "shift"])]
    writer: Option<String>,
    /// The first of its lines with a wrong time: its entry, or its count
    #[arg(long, value_name = "LINE", requires = "writer")]
    from: Option<String>,
    /// The last of them
    #[arg(long, value_name = "LINE", requires = "writer")]
    to: Option<String>,
    /// How much later they count than they say, as in 2h30m, or -1096d where the clock was ahead; 0s takes it back
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true, requires = "writer")]
    shift: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: Arguments) -> Done {
    let Arguments { writer: Some(writer), from: Some(from), to: Some(to), shift: Some(shift) } = arguments else {
        return propose(shell);
    };
    let engine = shell.engine()?;
    let shift =
        millis_of(&shift).ok_or_else(|| Usage(format!("--shift {shift}: give a duration, as in 2h30m or -1096d")))?;
    let writer = WriterId::from(writer);
    let (from, to) = (count_of(&engine, &writer, &from)?, count_of(&engine, &writer, &to)?);
    super::decide(shell, MendClock { writer, from, to, shift }.into(), &Observed::default())
}

/// The count of a line: given, or that of an entry.
fn count_of(engine: &Engine, writer: &WriterId, text: &str) -> anyhow::Result<u64> {
    if let Ok(count) = text.parse() {
        return Ok(count);
    }
    let Ok(id) = text.to_ascii_uppercase().parse::<EntryId>() else {
        return Err(Usage(format!("{text}: give an entry, or the count of a line")).into());
    };
    let found = engine.reader()?.all(&Filter { named: Some((id, id)), ..Filter::default() })?;
    let line = found.first().and_then(minted).filter(|(of, _)| *of == writer);
    let none = || Usage(format!("writer {writer} has no line {id} with a time of its own clock"));
    Ok(line.ok_or_else(none)?.1)
}

fn propose(shell: &mut Shell) -> Done {
    let ahead = shell.engine()?.ahead()?;
    if shell.wants_json() {
        shell.out.answer(&ahead)?;
        return Ok(CommandOutcome::Done);
    }
    let Ahead { runs, others } = ahead;
    if runs.is_empty() {
        shell.out.line("no line of a writer lies more than a day ahead of this clock")?;
    }
    for run in &runs {
        let Run { writer, from, to, first, last, shift } = run;
        let (first, last) = (first.time(), last.time());
        shell.out.line(format_args!("writer {writer}: lines {from} to {to} say {first} to {last}"))?;
        shell.out.line(format_args!(
            "  annals history mend-clock --writer {writer} --from {from} --to {to} --shift {}",
            text_of(*shift)
        ))?;
    }
    if !runs.is_empty() {
        shell.out.say("so they would count as written just before what came next; if you know by how much the clock was wrong, say that")?;
    }
    if others > 0 {
        shell.out.say(format_args!("ahead, but of no writer's clock, so that nothing mends them: {others}"))?;
    }
    Ok(CommandOutcome::Done)
}

const UNITS: [(&str, i64); 6] =
    [("w", 7 * 86_400_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// `-1d2h3m4s5ms` in milliseconds.
fn millis_of(text: &str) -> Option<i64> {
    let (sign, mut rest) = text.strip_prefix('-').map_or((1, text.trim_start_matches('+')), |rest| (-1, rest));
    let mut sum = (!rest.is_empty()).then_some(0i64)?;
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|letter: char| !letter.is_ascii_digit())?);
        let (name, behind) =
            behind.split_at(behind.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(behind.len()));
        let (_, unit) = UNITS.iter().find(|(unit, _)| *unit == name)?;
        sum = sum.checked_add(number.parse::<i64>().ok()?.checked_mul(*unit)?)?;
        rest = behind;
    }
    Some(sign * sum)
}

/// The same the other way round.
fn text_of(millis: i64) -> String {
    let mut rest = millis.unsigned_abs();
    let mut texts = Vec::new();
    for (name, unit) in &UNITS[1..] {
        let unit = unit.unsigned_abs();
        if rest >= unit {
            texts.push(format!("{}{name}", rest / unit));
            rest %= unit;
        }
    }
    let sign = if millis < 0 { "-" } else { "" };
    if texts.is_empty() { "0s".to_owned() } else { format!("{sign}{}", texts.concat()) }
}

/// `1d2h earlier`.
pub(in crate::cli) fn moved_by(millis: i64) -> String {
    let direction = if millis < 0 { "earlier" } else { "later" };
    format!("{} {direction}", text_of(millis).trim_start_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_as_it_is_written() {
        for millis in [0, 1, -1, 1000, -94_694_400_000, 93_784_005, i64::MAX, -i64::MAX] {
            assert_eq!(millis_of(&text_of(millis)), Some(millis), "{}", text_of(millis));
        }
        assert_eq!(text_of(-93_784_005), "-1d2h3m4s5ms");
        assert_eq!(millis_of("2w"), Some(14 * 86_400_000));
        for text in ["", "-", "5", "h", "5y", "1d2", "99999999999999999999d", "9223372036854775807w"] {
            assert_eq!(millis_of(text), None, "{text}");
        }
    }
}
