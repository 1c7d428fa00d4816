//! `annals session show`: a session as one reads it.

use std::io;

use anyhow::anyhow;
use serde::Serialize;

use super::list::looker;
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::domain::session::Session;
use crate::domain::session::command::Summary;
use crate::engine::Engine;
use crate::engine::query::filter::{Children, Filter};
use crate::engine::settings::PRICES;
use crate::kernel::counted;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::time::Timestamp;
use crate::view::escape;
use crate::view::gist::{count, duration, fold, short_id};
use crate::view::info::{SessionInfo, SummaryInfo};
use crate::view::price::Cost;
use crate::view::story::{self, Piece, Step, StoryMark, StoryVoice};
use crate::view::summary::summarize;
use crate::view::width::cut;

/// Arguments of `annals session show`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, the beginning or end of it, or the id of its own tool; @, last and -1 are the latest, -2 is the one before
    /// [default: the latest]
    #[arg(allow_negative_numbers = true)]
    session: Option<String>,
    /// Every step, not only how many there were behind each prompt
    #[arg(long)]
    steps: bool,
    /// Every step, with texts in full
    #[arg(long)]
    full: bool,
    /// Only what was asked, done, and how it ended
    #[arg(long)]
    summary: bool,
}

/// Lines of a message that are shown.
const MESSAGE_LINES: usize = 4;

/// A session, those below it, and its entries.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ToldSession {
    #[serde(rename = "session")]
    info: SessionInfo,
    #[serde(skip)]
    session: Session,
    children: Vec<SessionInfo>,
    entries: Vec<HistoryEntry>,
}

impl ToldSession {
    /// Its id.
    pub(super) fn id(&self) -> &SessionId {
        &self.info.id
    }

    /// Its entries, and those of the sessions below it.
    pub(super) fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let id = named_or_latest(shell, &engine, arguments.session.as_deref())?;
    let told = tell(shell, &engine, &id)?;
    if shell.wants_json() {
        shell.out.answer(&told)?;
    } else if arguments.summary {
        summary(shell, &engine, &told)?;
    } else {
        header(shell, &engine, &told)?;
        if let Some((_, lost)) = crate::cli::doctor::lost(shell, engine.place().context()) {
            shell.out.say(format_args!("{}", lost.told()))?;
        }
        if arguments.steps || arguments.full {
            steps(shell, &engine, &told, if arguments.full { usize::MAX } else { MESSAGE_LINES })?;
        } else {
            folded(shell, &engine, &told)?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// The session that a text names; without one the latest.
pub(in crate::cli) fn named_or_latest(shell: &Shell, engine: &Engine, text: Option<&str>) -> anyhow::Result<SessionId> {
    text.map_or_else(|| latest(shell, engine), |text| shell.find_session(engine, text))
}

fn latest(shell: &Shell, engine: &Engine) -> anyhow::Result<SessionId> {
    let latest = shell
        .ask(engine, |world| world.rooms.session.sessions.first_by_rank(1).first().map(|(id, _)| (*id).clone()))?;
    latest.ok_or_else(|| {
        anyhow!(Usage("there is no session yet; `annals import --discover` brings those that agents kept".to_owned()))
    })
}

pub(super) fn tell(shell: &mut Shell, engine: &Engine, id: &SessionId) -> anyhow::Result<ToldSession> {
    let until = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
    let filter = Filter { session: Some(id.clone()), children: Children::Begun, until, ..Filter::default() };
    let mut reader = engine.reader()?;
    let mut entries = reader.joined(&filter)?;
    shell.say_noticed(&reader.notices)?;
    story::in_reading_order(&mut entries);
    let looker = looker(shell, engine)?;
    let others: Vec<_> = entries.iter().filter(|entry| entry.session_id != *id).collect();
    let told = shell.ask(engine, |world| {
        let sessions = &world.rooms.session;
        let look = |id: &SessionId| sessions.session(id).map(|session| looker.look(world, id, session));
        let children = others.iter().filter_map(|entry| look(&entry.session_id)).collect::<Vec<_>>();
        Some((look(id)?, sessions.session(id)?.clone(), children))
    })?;
    let (info, session, children) = told.ok_or_else(|| anyhow!(Usage(format!("there is no session {id}"))))?;
    let mut told = ToldSession { info, session, children, entries };
    // Of an imported session nobody recorded one: it is made of the entries whenever it is read.
    if told.info.summary.is_none() {
        let Summary { title, body, .. } = summary_of(&told);
        told.info.summary = Some(SummaryInfo { title, body });
    }
    Ok(told)
}

/// What was done and how it ended, and behind each prompt in a line what followed it.
fn folded(shell: &mut Shell, engine: &Engine, told: &ToldSession) -> io::Result<()> {
    let body = clean(engine, &summary_of(told).body);
    if !body.trim().is_empty() {
        shell.out.line("")?;
        shell.out.page(&body)?;
    }
    let turns = turns(&story::steps(told.info.id.as_str(), &told.entries));
    if turns.is_empty() {
        return Ok(());
    }
    shell.out.line("")?;
    for turn in &turns {
        let time = shell.out.time(turn.at);
        let asked = if turn.asked.is_empty() { "(before the first prompt)" } else { &turn.asked };
        let failed = if turn.failed == 0 { String::new() } else { format!(", {} failed", turn.failed) };
        let steps = format!(" {:<20} ", format!("{}{failed}", counted::count(turn.steps, "step", "steps")));
        let style = if turn.failed == 0 { Style::Dim } else { Style::Red };
        let line = Line::of(Style::Dim, time).and(style, steps).and(Style::Bold, fold(&clean(engine, asked)));
        shell.out.cut(&line)?;
    }
    shell.out.styled(&Line::of(Style::Dim, "--steps shows every step, --full with whole texts"))
}

/// A prompt, and what followed it up to the next one.
#[derive(Debug, PartialEq, Eq)]
struct Turn {
    at: Timestamp,
    asked: String,
    steps: u64,
    failed: u64,
}

fn turns(steps: &[Step]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for step in steps {
        if let Piece::Words { voice: StoryVoice::Person, text } = &step.piece {
            turns.push(Turn { at: step.at, asked: text.clone(), steps: 0, failed: 0 });
            continue;
        }
        if turns.is_empty() {
            turns.push(Turn { at: step.at, asked: String::new(), steps: 0, failed: 0 });
        }
        let turn = turns.last_mut().expect("BUG: there is one");
        turn.steps += 1;
        turn.failed += u64::from(matches!(&step.piece, Piece::Call { outcome: Err(_), .. }));
    }
    turns
}

pub(super) fn summary_of(told: &ToldSession) -> Summary {
    let own: Vec<_> = told.entries.iter().filter(|entry| entry.session_id == told.info.id).cloned().collect();
    told.session.summary.clone().unwrap_or_else(|| summarize(&told.session, &own))
}

fn summary(shell: &mut Shell, engine: &Engine, told: &ToldSession) -> io::Result<()> {
    let summary = summary_of(told);
    let text = clean(engine, &format!("# {}\n\n{}", summary.title, summary.body));
    shell.out.page(&text)
}

fn header(shell: &mut Shell, engine: &Engine, told: &ToldSession) -> io::Result<()> {
    let (info, more) = (&told.info, &told.info.extensions.annals);
    let title = clean(engine, more.title.as_deref().unwrap_or("A session without a title"));
    shell.out.styled(&Line::of(Style::Bold, fold(&title)))?;
    let native = more.native_id.as_ref().map(|native| format!(" ({native})")).unwrap_or_default();
    let reason = more.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    fact(shell, "session", &format!("{}, {}{reason}", info.id, info.status))?;
    if !info.tool().is_empty() {
        fact(shell, "tool", &format!("{}{native}", info.tool()))?;
    }
    let (start, end) = (shell.out.time(info.created_at), shell.out.time(info.updated_at));
    let busy = duration(info.stats.duration_ms);
    fact(shell, "time", &format!("{start} to {end}, {busy} of it busy"))?;
    if let Some(parent) = &info.parent_session_id {
        fact(shell, "parent", parent.as_str())?;
    }
    fact(shell, "steps", &counts(info))?;
    let cost = Cost::of(&more.usage, &engine.settings().get(&PRICES));
    if info.tokens() > 0 {
        let cost = cost.map(|cost| format!(", {}", cost.text())).unwrap_or_default();
        fact(shell, "tokens", &format!("{}{cost}", count(info.tokens())))?;
    }
    Ok(())
}

fn fact(shell: &mut Shell, name: &str, text: &str) -> io::Result<()> {
    shell.out.styled(&Line::of(Style::Dim, format_args!("{name:<8}")).then(format_args!(" {}", fold(text))))
}

fn counts(info: &SessionInfo) -> String {
    let more = &info.extensions.annals;
    let counts = [
        (info.stats.operation_count, "entry", "entries"),
        (more.prompts, "prompt", "prompts"),
        (more.messages, "message", "messages"),
        (more.calls, "call", "calls"),
        (more.failed_calls, "failed", "failed"),
        (more.rejections, "rejected", "rejected"),
        (more.interrupts, "interrupt", "interrupts"),
        (more.compactions, "compaction", "compactions"),
    ];
    let counts =
        counts.iter().filter(|(number, ..)| *number > 0).map(|(number, one, many)| counted::count(*number, one, many));
    counts.collect::<Vec<_>>().join(", ")
}

fn steps(shell: &mut Shell, engine: &Engine, told: &ToldSession, most: usize) -> io::Result<()> {
    let mut day = String::new();
    for step in story::steps(told.info.id.as_str(), &told.entries) {
        let (today, clock) = shell.out.day_and_clock(step.at);
        if today != day {
            day = today;
            shell.out.line("")?;
            shell.out.styled(&Line::of(Style::Dim, &day))?;
        }
        let time = Line::of(Style::Dim, clock);
        match &step.piece {
            Piece::Words { voice, text } => words(shell, engine, &time, *voice, text, most)?,
            Piece::Call { .. } | Piece::Mark { .. } | Piece::Child { .. } => {
                let line = one_line(shell.out.width(), engine, told, &step);
                shell.out.cut(&time.then(" ").join(line))?;
            }
        }
    }
    Ok(())
}

/// What somebody said: the first lines, and how many there are more.
fn words(
    shell: &mut Shell,
    engine: &Engine,
    time: &Line,
    voice: StoryVoice,
    text: &str,
    most: usize,
) -> io::Result<()> {
    let (sign, style, most) = match voice {
        StoryVoice::Person => ("▶", Style::Bold, most),
        StoryVoice::Agent => ("●", Style::Green, most),
        StoryVoice::Thought => ("∙", Style::Dim, if most == usize::MAX { most } else { 1 }),
    };
    let text = clean(engine, text.trim());
    let lines: Vec<_> = text.lines().filter(|line| most == usize::MAX || !line.trim().is_empty()).collect();
    let width = if most == usize::MAX { usize::MAX } else { shell.out.width().min(400).saturating_sub(11) };
    let words_style = if style == Style::Green { Style::Plain } else { style };
    for (number, line) in lines.iter().take(most).enumerate() {
        let before = if number == 0 { time.clone().then(" ").and(style, sign) } else { Line::plain(" ".repeat(10)) };
        shell.out.styled(&before.then(" ").and(words_style, cut(&escape::line(line), width)))?;
    }
    if lines.len() > most {
        let more = lines.len() - most;
        let word = if more == 1 { "line" } else { "lines" };
        shell.out.styled(&Line::of(Style::Dim, format_args!("{:10} … {more} more {word}", "")))?;
    }
    Ok(())
}

fn one_line(width: usize, engine: &Engine, told: &ToldSession, step: &Step) -> Line {
    let width = width.min(300);
    let share = |text: &str, share: usize| cut(&clean(engine, text), width * share / 100).into_owned();
    match &step.piece {
        Piece::Call { name, input, outcome, duration_ms } => {
            let took = duration_ms.map(duration).map(|took| format!(" {took}")).unwrap_or_default();
            let (sign, style, text, text_style) = match outcome {
                Ok(text) => (" ", Style::Cyan, text, Style::Dim),
                Err(text) => ("✗", Style::Red, text, Style::Red),
            };
            let call = Line::of(style, sign).then("   ").and(style, fold(name));
            let asked = call.then(format_args!(" {}", share(input, 45))).and(Style::Dim, took);
            asked.then("  ").and(text_style, share(text, 35))
        }
        Piece::Mark { mark, name, text } => {
            let (sign, style) = match mark {
                StoryMark::Stop => ("■", Style::Yellow),
                StoryMark::Failure => ("✗", Style::Red),
                StoryMark::Note => ("·", Style::Dim),
            };
            let mark = Line::of(style, format_args!("{sign} {}", fold(name)));
            mark.then(format_args!(" {}", share(text, 75)))
        }
        Piece::Child { session } => child(engine, told, session),
        Piece::Words { .. } => Line::default(),
    }
}

/// A session that was begun below this one, in a line.
fn child(engine: &Engine, told: &ToldSession, session: &str) -> Line {
    let info = told.children.iter().find(|child| child.id.as_str() == session);
    let what = info.map(|info| {
        let title = info.extensions.annals.title.as_deref().map(str::to_owned);
        let title = clean(engine, &title.unwrap_or_else(|| kind_of_agent(told, session)));
        format!("{} ({}, {})", cut(&fold(&title), 80), counts(info), duration(info.stats.duration_ms))
    });
    let name = Line::of(Style::Cyan, format_args!("└ session {}", short_id(session)));
    name.then(format_args!(" {}", what.unwrap_or_default()))
}

/// What kind of agent works in a session below this one, as far as its beginning says.
fn kind_of_agent(told: &ToldSession, session: &str) -> String {
    let begun = told.entries.iter().find(|entry| entry.session_id.as_str() == session);
    let kind = begun.and_then(|entry| entry.operation.input.value().get("agent_type")?.as_str().map(str::to_owned));
    kind.unwrap_or_default()
}
