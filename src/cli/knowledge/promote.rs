//! `annals knowledge promote`: what held long enough is offered to the instruction files of the project, as a diff with its
//! sources (Galatea, Phase F; decision 70).
//!
//! Only the user's own words, or what they accepted, are offered, each with whose word it is; nothing is written before the
//! user says `--apply`.

mod origin;

use std::path::{Path, PathBuf};

use serde::Serialize;
use similar::TextDiff;

use self::origin::{PromotionOrigin, Retrievals, origins};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::domain::canon::claims;
use crate::domain::knowledge::KnowledgeEntry;
use crate::domain::knowledge::hazard::hazard;
use crate::domain::knowledge::promote::{PromotionStanding, Unpromoted, author, like_procedures, standings};
use crate::domain::knowledge::settings::PROMOTE_RETRIEVALS;
use crate::engine::Engine;
use crate::engine::own_word::OwnWords;
use crate::hook::setup::SettingsFile;
use crate::kernel::actor::USER;
use crate::kernel::id::{AgentId, EntryId};
use crate::kernel::time::Timestamp;
use crate::view::gist::fold;
use crate::world::World;

/// What stands above the lines in an instruction file.
const TITLE: &str = "## What holds here";
/// Where a skill lies.
const SKILLS: &str = ".agents/skills";
/// The longest name of a skill, in letters.
const NAME_CHARS: usize = 40;

/// Arguments of `annals knowledge promote`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The instruction file, within the project
    #[arg(long, value_name = "FILE", default_value = "AGENTS.md")]
    to: PathBuf,
    /// Write what is offered
    #[arg(long)]
    apply: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PromotedKnowledge {
    /// Files that would change, or were changed.
    files: Vec<PromotedFile>,
    /// What is not offered, and why.
    left: Vec<LeftKnowledge>,
    applied: bool,
}

/// A file, and what would come into it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PromotedFile {
    path: String,
    /// The entries of knowledge that it comes from.
    sources: Vec<EntryId>,
    /// Whose word each of them is, from what it was learnt, and to whom it came.
    origins: Vec<PromotionOrigin>,
    /// As `diff -u` has it.
    diff: String,
    #[serde(skip)]
    before: Option<String>,
    #[serde(skip)]
    after: String,
}

/// An entry that is not offered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LeftKnowledge {
    entry: EntryId,
    why: Unpromoted,
    /// The entry that says the opposite.
    opposed: Option<EntryId>,
    content: Box<str>,
}

/// An entry, and how it stands.
struct Weighed {
    standing: PromotionStanding,
    entry: KnowledgeEntry,
    /// Whose word it is.
    author: AgentId,
}

/// What is asked of the log and of this clone, before entries are weighed.
struct Grounds {
    own: OwnWords,
    retrievals: Retrievals,
    at: Timestamp,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    if arguments.apply && shell.actor().as_str() != USER {
        return Err(Usage("--apply: the user writes instruction files; ask them for it".to_owned()).into());
    }
    let retrievals = Retrievals::read(&engine, shell.until()?)?;
    let grounds = Grounds { own: engine.own_words()?, retrievals, at: shell.now(&engine)? };
    let (weighed, groups) = shell.ask(&engine, |world| weigh(world, &grounds))?;
    let mut answer = offer(shell, &engine, arguments, &weighed, &groups)?;
    for file in &mut answer.files {
        let from: Vec<_> = weighed.iter().filter(|one| file.sources.contains(&one.standing.entry)).collect();
        file.origins = origins(&engine, &grounds.retrievals, &from)?;
    }
    if arguments.apply {
        for file in &answer.files {
            in_project(shell, Path::new(&file.path))?.put(Some(&file.after), file.before.as_deref())?;
        }
    }
    if shell.wants_json() {
        shell.out.answer(&answer)?;
    } else {
        print(shell, &engine, &answer)?;
    }
    Ok(CommandOutcome::Done)
}

/// Whose words they are, and what canon says, beside what the room says.
fn weigh(world: &World, grounds: &Grounds) -> (Vec<Weighed>, Vec<Vec<EntryId>>) {
    let (room, settings) = (&world.rooms.knowledge, &world.rooms.config.settings);
    let weigh = |standing: PromotionStanding| {
        let entry = room.entry(standing.entry)?.clone();
        let author = author(room, standing.entry, &entry);
        let mut one = Weighed { standing, entry, author };
        one.standing.against = one.standing.against.or_else(|| guarded(world, grounds, &one));
        Some(one)
    };
    let weighed: Vec<_> = standings(room, settings, grounds.at).into_iter().filter_map(weigh).collect();
    let offered: Vec<_> = weighed.iter().filter(|one| one.standing.against.is_none()).collect();
    let ids: Vec<_> = offered.iter().map(|one| one.standing.entry).collect();
    let groups = like_procedures(room, &ids);
    (weighed, groups)
}

/// What came of a tool or a page is nobody's word here (decision 70). To accept a proposal is less than to say it: what would
/// have agents run things from the net, leave out checks, or take in files, has to be said. What it is about stands in a skill.
fn guarded(world: &World, grounds: &Grounds, one: &Weighed) -> Option<Unpromoted> {
    let Weighed { standing, entry, author } = one;
    if !grounds.own.has(standing.entry, std::slice::from_ref(&entry.said.content)) {
        return Some(Unpromoted::NotOwn);
    }
    let claims = claims::extract(&entry.said.content);
    if !world.rooms.canon.contradicted(&claims).is_empty() {
        return Some(Unpromoted::AgainstCanon);
    }
    let said = &entry.said;
    let mut texts = std::iter::once(&said.content).chain(&said.about).chain(&said.entities);
    let hazard = texts.find_map(|text| hazard(text)).filter(|_| author.as_str() != USER);
    let least = world.rooms.config.settings.get(&PROMOTE_RETRIEVALS);
    let came = grounds.retrievals.counted(standing.entry);
    hazard.map(Unpromoted::from).or_else(|| (came < least).then_some(Unpromoted::CameToOthers))
}

fn offer(
    shell: &Shell,
    engine: &Engine,
    arguments: &Arguments,
    weighed: &[Weighed],
    groups: &[Vec<EntryId>],
) -> anyhow::Result<PromotedKnowledge> {
    let in_skill = |id: &EntryId| groups.iter().flatten().any(|grouped| grouped == id);
    let offered = weighed.iter().filter(|one| one.standing.against.is_none());
    let (skilled, lines): (Vec<&Weighed>, Vec<&Weighed>) = offered.partition(|one| in_skill(&one.standing.entry));
    let mut files: Vec<_> = instructions(shell, engine, &arguments.to, &lines)?.into_iter().collect();
    for group in groups {
        let of_group: Vec<_> = skilled.iter().copied().filter(|one| group.contains(&one.standing.entry)).collect();
        files.extend(skill(shell, engine, &of_group)?);
    }
    let left = weighed.iter().filter_map(|one| {
        let PromotionStanding { entry, against, opposed } = one.standing.clone();
        let content = clean(engine, &one.entry.said.content).into();
        Some(LeftKnowledge { entry, why: against?, opposed, content })
    });
    Ok(PromotedKnowledge { files, left: left.collect(), applied: arguments.apply })
}

/// The lines that the file does not hold yet, below a title of their own.
fn instructions(
    shell: &Shell,
    engine: &Engine,
    path: &Path,
    lines: &[&Weighed],
) -> anyhow::Result<Option<PromotedFile>> {
    let before = in_project(shell, path)?.text()?;
    let held = before.clone().unwrap_or_default();
    let (new, added) = new_lines(engine, &held, lines);
    if new.is_empty() {
        return Ok(None);
    }
    Ok(Some(promoted(path, before, with_lines(&held, &added), &new)))
}

/// The file with lines below the title, in its own line ends.
fn with_lines(held: &str, added: &str) -> String {
    let end = line_end(held);
    let added = added.replace('\n', end);
    let trimmed = |text: &str| text.trim_start_matches(['\r', '\n']).to_owned();
    match behind_title(held) {
        Some(at) => {
            let (head, tail) = (held[..at].trim_end_matches(['\r', '\n']), trimmed(&held[at..]));
            format!("{head}{end}{end}{added}{tail}")
        }
        None if held.is_empty() => format!("{TITLE}{end}{end}{added}"),
        None => format!("{}{end}{end}{TITLE}{end}{end}{added}", held.trim_end_matches(['\r', '\n'])),
    }
}

/// Where the line of the title ends.
fn behind_title(held: &str) -> Option<usize> {
    let mut at = 0;
    held.split_inclusive('\n').find_map(|line| {
        at += line.len();
        (line.trim_end() == TITLE).then_some(at)
    })
}

/// How most lines of a text end.
fn line_end(text: &str) -> &'static str {
    let both = text.matches("\r\n").count();
    if both * 2 > text.matches('\n').count() { "\r\n" } else { "\n" }
}

/// Procedures that belong together, as a page that agents find by what it is about. What stands there already stays.
fn skill(shell: &Shell, engine: &Engine, group: &[&Weighed]) -> anyhow::Result<Option<PromotedFile>> {
    let subject = fold(&clean(engine, &subject_of(group))).replace(": ", " ");
    let name = name_of(&subject);
    let path = Path::new(SKILLS).join(&name).join("SKILL.md");
    let before = in_project(shell, &path)?.text()?;
    let head = format!(
        "---\nname: {name}\ndescription: What holds for {subject} in this project. Use it for any task about {subject}.\n---\n\n# \
         {subject}\n\n"
    );
    let held = before.clone().unwrap_or(head);
    let end = line_end(&held);
    let steps = new_lines(engine, &held, group).1.replace('\n', end);
    let after = if held.ends_with('\n') { format!("{held}{steps}") } else { format!("{held}{end}{steps}") };
    Ok((!steps.is_empty()).then(|| promoted(&path, before, after, group)))
}

/// Those of which the text does not say already what they say, and their lines.
fn new_lines<'w>(engine: &Engine, held: &str, from: &[&'w Weighed]) -> (Vec<&'w Weighed>, String) {
    let said = |one: &Weighed| fold(&clean(engine, &one.entry.said.content));
    let new: Vec<_> = from.iter().filter(|one| !held.contains(&*said(one))).copied().collect();
    let lines: Vec<_> = new.iter().map(|one| format!("- {}\n", said(one))).collect();
    (new, lines.concat())
}

/// What they have in common: what they are about, or a name.
fn subject_of(group: &[&Weighed]) -> String {
    let first = group.first().map(|one| &one.entry.said);
    let about = first.and_then(|said| said.about.as_deref());
    let named = first.and_then(|said| {
        said.entities.iter().find(|name| group.iter().all(|one| one.entry.said.entities.contains(name)))
    });
    about.or(named.map(|name| &**name)).unwrap_or("this").to_owned()
}

fn name_of(subject: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let name: String = subject.chars().map(letter).take(NAME_CHARS).collect();
    let parts: Vec<_> = name.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "learnt".to_owned() } else { parts.join("-") }
}

fn promoted(path: &Path, before: Option<String>, after: String, from: &[&Weighed]) -> PromotedFile {
    let path = path.display().to_string();
    let old = before.as_deref().unwrap_or_default();
    let diff = TextDiff::from_lines(old, &after).unified_diff().header(&path, &path).to_string();
    let sources = from.iter().map(|one| one.standing.entry).collect();
    PromotedFile { path, sources, origins: Vec::new(), diff, before, after }
}

/// Whether agents read it as instructions: what git or this program reads from is nothing of the kind.
fn is_instruction_file(path: &Path) -> bool {
    let is_within = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let is_kept_out = path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        name == ".git" || name == ".context"
    });
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    is_within && !is_kept_out && ending.is_some_and(|ending| ["md", "mdc", "markdown"].contains(&&*ending))
}

fn in_project(shell: &Shell, path: &Path) -> anyhow::Result<SettingsFile> {
    if !is_instruction_file(path) {
        let words = "it is to be a Markdown file within the project, and not below .git or .context";
        return Err(Usage(format!("--to {}: {words}", path.display())).into());
    }
    let context = shell.context()?;
    let project = context.parent().unwrap_or(Path::new("."));
    Ok(SettingsFile::in_project(project, path))
}

fn print(shell: &mut Shell, engine: &Engine, answer: &PromotedKnowledge) -> std::io::Result<()> {
    for file in &answer.files {
        shell.out.line(format_args!("{}, from", file.path))?;
        let origins = file.origins.iter().map(|origin| format!("  {}", fold(&clean(engine, &origin.in_words()))));
        origins.collect::<Vec<_>>().iter().try_for_each(|line| shell.out.line(line))?;
        file.diff.lines().try_for_each(|line| shell.out.line(clean(engine, line)))?;
    }
    for left in &answer.left {
        let opposed = left.opposed.map(|id| format!(" by {id}")).unwrap_or_default();
        let why = left.why.as_str().replace('_', " ");
        shell.out.line(format_args!("not offered: {} {why}{opposed}: {}", left.entry, fold(&left.content)))?;
    }
    let hazards = [Unpromoted::RunsFromNet, Unpromoted::LeavesOutChecks, Unpromoted::ImportsFile];
    let is_held = |left: &LeftKnowledge| hazards.contains(&left.why);
    if answer.left.iter().any(is_held) {
        shell.out.say(
            "what an agent proposed and is held back is offered where you say it yourself: `annals knowledge add`",
        )?;
    }
    if answer.files.is_empty() {
        shell.out.say("nothing new has held long enough")?;
    } else if !answer.applied {
        shell.out.say("nothing is written: `annals knowledge promote --apply` writes it")?;
    }
    let contradicted = answer.left.iter().any(|left| left.why == Unpromoted::Contradicted);
    if contradicted {
        shell.out.say("`annals knowledge settle` says what settles what contradicts")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_line_ends_and_what_stands_in_it() {
        let with = |held: &str| with_lines(held, "- new\n- newer\n");
        for (held, expected) in [
            ("", "## What holds here\n\n- new\n- newer\n"),
            ("# A\n", "# A\n\n## What holds here\n\n- new\n- newer\n"),
            ("# A\n\n## What holds here\n\n- old\n", "# A\n\n## What holds here\n\n- new\n- newer\n- old\n"),
            ("# A\r\n", "# A\r\n\r\n## What holds here\r\n\r\n- new\r\n- newer\r\n"),
            (
                "# A\r\n\r\n## What holds here\r\n\r\n- old\r\n",
                "# A\r\n\r\n## What holds here\r\n\r\n- new\r\n- newer\r\n- old\r\n",
            ),
            // Of several kinds, what is there stays, and what comes is as most of it.
            ("# A\r\nb\r\nc\n", "# A\r\nb\r\nc\r\n\r\n## What holds here\r\n\r\n- new\r\n- newer\r\n"),
            ("# A\r\nb\nc\n", "# A\r\nb\nc\n\n## What holds here\n\n- new\n- newer\n"),
            ("## What holds here", "## What holds here\n\n- new\n- newer\n"),
            ("### What holds here\n", "### What holds here\n\n## What holds here\n\n- new\n- newer\n"),
            ("\u{feff}# A\r\n", "\u{feff}# A\r\n\r\n## What holds here\r\n\r\n- new\r\n- newer\r\n"),
        ] {
            assert_eq!(with(held), expected, "{held:?}");
        }
    }
}
