//! `annals issue import beads FILE`: the issues of another tracker, opened here by whoever imports.
//!
//! They come as decisions like any other; a second import of the same file adds nothing.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use anyhow::Context as _;

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::issue::Event as Issue;
use crate::domain::{Command, Event};
use crate::engine::{Answer, By, Engine, EngineError};
use crate::import::beads::known::{BeadStanding, open, rest, standings};
use crate::import::beads::{Bead, Beads, Left, read};
use crate::kernel::counted::counted;
use crate::kernel::id::IssueId;
use crate::kernel::json::Json;
use crate::view::refusal::told;

/// Where issues can come from.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Import {
    /// The issues.jsonl of a .beads folder
    Beads(Arguments),
}

/// Arguments of `annals issue import beads`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file
    file: PathBuf,
    /// Only say what would come
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(shell: &mut Shell, import: &Import) -> Done {
    let Import::Beads(arguments) = import;
    let path = shell.environment.directory.join(&arguments.file);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let beads = read(&bytes).map_err(|error| Usage(format!("{}: {error}", arguments.file.display())))?;
    let engine = shell.engine()?;
    let standings = engine.ask(|world| standings(&beads, &world.rooms))?;
    let mut tally = Tally::before(&beads, &standings);
    if arguments.dry_run {
        tally.would_come(&beads, &standings);
    } else {
        bring(&engine, &shell.by_now(), &beads, &standings, &mut tally)?;
    }
    tally.show(shell, arguments, &beads)
}

/// So many issues come under one lock: others who write wait for no longer than that.
const TOGETHER: usize = 50;

fn bring(
    engine: &Engine,
    by: &By,
    beads: &Beads,
    standings: &[BeadStanding],
    tally: &mut Tally,
) -> Result<(), EngineError> {
    let all = || beads.issues.iter().zip(standings);
    let known = all().filter_map(|(bead, standing)| Some((bead.id.clone(), standing.issue()?.clone())));
    let mut known: BTreeMap<Box<str>, IssueId> = known.collect();
    let new: Vec<&Bead> = all().filter(|(_, standing)| **standing == BeadStanding::New).map(|(bead, _)| bead).collect();
    for some in new.chunks(TOGETHER) {
        let (mut beads, mut opening, mut next) = (some.iter(), None::<&Bead>, VecDeque::new());
        engine.decide_each(by, &Json::empty_object(), |answer| {
            if let Some(answer) = answer {
                tally.hear(answer);
                if let Some((bead, issue)) = opening.take().zip(answer.events.iter().find_map(opened)) {
                    known.insert(bead.id.clone(), issue.clone());
                    next.extend(rest(bead, issue, &known));
                }
            }
            let command = next.pop_front().or_else(|| {
                opening = beads.next().copied();
                opening.map(open)
            });
            command.map(Command::Issue)
        })?;
    }
    Ok(())
}

fn opened(event: &Event) -> Option<&IssueId> {
    if let Event::Issue(Issue::Opened(opened)) = event { Some(&opened.issue) } else { None }
}

/// What came, and what did not.
#[derive(Default)]
struct Tally {
    /// By what it is: issues, comments, links, …
    came: BTreeMap<&'static str, u64>,
    same: u64,
    differ: Vec<Box<str>>,
    /// By rule: how often, and what it said first.
    refused: BTreeMap<Box<str>, (u64, Box<str>)>,
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ImportedIssues<'c> {
    dry_run: bool,
    /// By what it is.
    came: &'c BTreeMap<&'static str, u64>,
    /// Issues that are here already.
    same: u64,
    /// Issues that are here and say something else.
    differ: &'c [Box<str>],
    /// What is not taken, and how often.
    not_taken: &'c Left,
    /// By rule.
    refused: BTreeMap<&'c str, RefusedIssues<'c>>,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RefusedIssues<'r> {
    count: u64,
    /// What was said the first time.
    first: &'r str,
}

impl Tally {
    fn before(beads: &Beads, standings: &[BeadStanding]) -> Self {
        let mut tally = Self::default();
        for (bead, standing) in beads.issues.iter().zip(standings) {
            match standing {
                BeadStanding::New => {}
                BeadStanding::Same(_) => tally.same += 1,
                BeadStanding::Differs(_) => tally.differ.push(bead.id.clone()),
            }
        }
        tally
    }

    fn would_come(&mut self, beads: &Beads, standings: &[BeadStanding]) {
        let stand_in = IssueId::default();
        let mut known: BTreeMap<_, _> = BTreeMap::new();
        for (bead, standing) in beads.issues.iter().zip(standings) {
            if *standing != BeadStanding::New {
                known.insert(bead.id.clone(), stand_in.clone());
            }
        }
        let new = beads.issues.iter().zip(standings).filter(|(_, standing)| **standing == BeadStanding::New);
        for (bead, _) in new {
            known.insert(bead.id.clone(), stand_in.clone());
            self.count("issues");
            for command in rest(bead, &stand_in, &known) {
                match command.name() {
                    "issues.comment.add" => self.count("comments"),
                    "issues.issue.link" => self.count("links"),
                    "issues.issue.start" => self.count("in progress"),
                    _ => self.count("closed"),
                }
            }
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.came.entry(what).or_default() += 1;
    }

    fn hear(&mut self, answer: &Answer) {
        if let Some(refusal) = &answer.refusal {
            let first = || (0, told(refusal).message.into());
            self.refused.entry(refusal.rule.clone()).or_insert_with(first).0 += 1;
            return;
        }
        for event in &answer.events {
            match event.name() {
                "issues.issue.opened" => self.count("issues"),
                "issues.comment.added" => self.count("comments"),
                "issues.issue.linked" => self.count("links"),
                "issues.issue.started" => self.count("in progress"),
                "issues.issue.closed" => self.count("closed"),
                _ => {}
            }
        }
    }

    fn show(&self, shell: &mut Shell, arguments: &Arguments, beads: &Beads) -> Done {
        if shell.wants_json() {
            let refused =
                self.refused.iter().map(|(rule, (count, first))| (&**rule, RefusedIssues { count: *count, first }));
            shell.out.answer(&ImportedIssues {
                dry_run: arguments.dry_run,
                came: &self.came,
                same: self.same,
                differ: &self.differ,
                not_taken: &beads.left,
                refused: refused.collect(),
            })?;
        } else {
            self.text(shell, arguments, beads)?;
        }
        let nothing_came = !self.came.contains_key("issues") && !self.refused.is_empty();
        Ok(if nothing_came { CommandOutcome::Refused } else { CommandOutcome::Done })
    }

    fn text(&self, shell: &mut Shell, arguments: &Arguments, beads: &Beads) -> std::io::Result<()> {
        const NAMED: usize = 10;
        let out = &mut shell.out;
        let verb = if arguments.dry_run { "would come" } else { "came" };
        let of = |what| self.came.get(what).copied().unwrap_or_default();
        let (begun, closed) = (of("in progress"), of("closed"));
        let (issues, comments) = (counted(of("issues"), "issue"), counted(of("comments"), "comment"));
        let links = counted(of("links"), "link");
        out.line(format_args!("{issues} {verb} ({begun} in progress, {closed} closed), with {comments} and {links}"))?;
        if self.same > 0 {
            out.line(format_args!("there already: {}", self.same))?;
        }
        if !self.differ.is_empty() {
            let named = self.differ.iter().take(NAMED).map(|id| &**id).collect::<Vec<_>>().join(", ");
            let more = if self.differ.len() > NAMED { ", …" } else { "" };
            let count = self.differ.len();
            out.line(format_args!("there, but different in the file, and left as they are: {count} ({named}{more})"))?;
        }
        for (what, count) in &beads.left {
            out.line(format_args!("not taken: {what}: {count}"))?;
        }
        for (rule, (count, message)) in &self.refused {
            out.line(format_args!("refused by {rule}: {count} (first: {message})"))?;
        }
        Ok(())
    }
}
