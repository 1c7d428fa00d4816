//! How a `.context` folder is: what is well, what wants a look, what is wrong, and what to do about it.
//!
//! Looks, and writes nothing but a file that it removes at once. Hooks are the business of `hook`, and judged by the command line.

mod disk;
mod times;

use std::collections::BTreeSet;
use std::fmt::Display;

use annals_sparse::sparse;
use serde::Serialize;

use super::consent::{Held, Holding, Waiting};
use super::query::filter::Filter;
use super::settings::{self, RETENTION_DAYS};
use super::verify::Terms;
use super::{Engine, EngineError};
use annals_kernel::id::{AgentId, EntryId};
use annals_log::LogError;
use annals_log::disk::Listed;
use annals_log::folders::LeftOut;
use annals_log::order::LineAt;
use annals_log::read::Flow;
use annals_log::rescue::Stray;
use annals_log::taken::Protection;
use annals_log::verify::{LineStanding, Settled};

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HealthVerdict {
    /// As it should be.
    Good,
    /// Not there, and it need not be.
    Absent,
    /// Worth a look.
    Note,
    /// Wrong.
    Bad,
}

/// One thing that was looked at.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Check {
    /// What.
    pub about: &'static str,
    /// How it is.
    pub verdict: HealthVerdict,
    /// What was seen.
    pub says: String,
    /// What to do about it.
    pub advice: Option<&'static str>,
}

impl Check {
    /// All is well.
    pub fn good(about: &'static str, says: impl Display) -> Self {
        Self { about, verdict: HealthVerdict::Good, says: says.to_string(), advice: None }
    }

    /// Not there, and it need not be.
    pub fn absent(about: &'static str, says: impl Display) -> Self {
        Self { about, verdict: HealthVerdict::Absent, says: says.to_string(), advice: None }
    }

    /// Worth a look.
    pub fn note(about: &'static str, says: impl Display, advice: &'static str) -> Self {
        Self { about, verdict: HealthVerdict::Note, says: says.to_string(), advice: Some(advice) }
    }

    /// Wrong.
    pub fn bad(about: &'static str, says: impl Display, advice: &'static str) -> Self {
        Self { about, verdict: HealthVerdict::Bad, says: says.to_string(), advice: Some(advice) }
    }
}

type Checks = Result<Vec<Check>, EngineError>;

impl Engine {
    /// Everything about the folder; what cannot be looked at is the first error.
    pub fn examine(&self) -> Checks {
        let mut checks = vec![self.examine_git()?, self.examine_config()?];
        checks.extend(self.examine_second_names());
        checks.extend(self.examine_consent()?);
        checks.extend(self.examine_tokens()?);
        checks.push(disk::examine(self));
        checks.extend(disk::examine_local(self)?);
        checks.extend(disk::examine_modes(self)?);
        checks.extend(self.examine_log()?);
        checks.push(self.examine_world()?);
        checks.extend(times::examine(self)?);
        checks.extend(self.examine_ids()?);
        checks.extend(self.examine_mends()?);
        checks.push(self.examine_checkpoint()?);
        checks.extend(self.examine_left_behind()?);
        checks.extend(self.examine_retention()?);
        Ok(checks)
    }

    /// Without these lines two branches do not merge, or one clone takes another's place.
    fn examine_git(&self) -> Result<Check, EngineError> {
        const ADVICE: &str = "`annals init` writes the file where it is missing; where it is there, add the line";
        let read = |name: &str| {
            let path = self.place().context().join(name);
            let bytes = self.disk().read_at_most(&path, 1 << 20).map_err(LogError::at("read", &path))?;
            Ok::<_, EngineError>(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
        };
        // Git reads its own files where a sparse checkout leaves them out.
        let left_out = self.log().left_out_files().unwrap_or_default();
        let attributes = read(".gitattributes")?;
        let merges = left_out.contains(".gitattributes") || attributes.lines().any(|line| line.contains("merge=union"));
        let hides = attributes.lines().any(|line| line.split_whitespace().any(|word| word == "-diff"));
        let ignores = left_out.contains(".gitignore")
            || read(".gitignore")?.lines().any(|line| line.trim_matches('/') == "local");
        Ok(match (merges, ignores) {
            (true, true) if hides => Check::note(
                GIT,
                ".gitattributes says `-diff`: nobody sees what is pushed",
                "`history/*.jsonl merge=union text eol=lf -filter linguist-generated` is the line; `annals init` writes it over its own older one",
            ),
            (true, true) => filtered(&self.log().filters()).unwrap_or_else(|| goes_in(self.log().left_out())),
            (false, _) => Check::bad(GIT, ".gitattributes does not say `history/*.jsonl merge=union`", ADVICE),
            (true, false) => Check::bad(GIT, ".gitignore does not say `/local/`", ADVICE),
        })
    }

    /// Whether what git takes away can be put back (decision 42).
    fn examine_second_names(&self) -> Option<Check> {
        const ABOUT: &str = "second names";
        const ADVICE: &str = "recording goes on; commit often, or let annals write below the git directory";
        Some(match self.log().protection()? {
            Protection::Given => {
                self.examine_strays().unwrap_or_else(|| Check::good(ABOUT, "what git takes away is put back"))
            }
            Protection::Waiting => Check::note(
                ABOUT,
                "nothing is put back while git holds its index (index.lock)",
                "where no git runs, it was left by one that was killed: remove it, as git says",
            ),
            Protection::Unreadable => Check::note(ABOUT, "the git repository cannot be read", ADVICE),
            Protection::Refused(error) => Check::note(ABOUT, format_args!("cannot be made: {error}"), ADVICE),
        })
    }

    /// What folders left behind that are gone, where nobody can tell which folder each is now.
    fn examine_strays(&self) -> Option<Check> {
        const ABOUT: &str = "second names";
        const ADVICE: &str = "where it was moved: move it back, run `annals init` and any command there, and move it again; \
                              where it was removed: remove that, too";
        let strays = match self.log().strays_at_risk() {
            Ok(strays) => strays,
            Err(error) => {
                let says = format_args!("what folders left behind that are gone cannot be told: {error}");
                return Some(Check::note(ABOUT, says, "`git fsck` looks into the repository"));
            }
        };
        let Some(Stray { context, root }) = strays.first() else { return self.examine_halves() };
        let (gone, kept) = (context.display(), root.display());
        let is_taken = self.disk().look(context).is_ok_and(|look| look.is_some());
        let fate = if is_taken { "made room for another folder" } else { "is gone" };
        let says =
            format_args!("what was {gone} {fate}, and nobody can tell where it is now: no branch holds all of {kept}");
        Some(Check::note(ABOUT, says, ADVICE))
    }

    /// Where git followed a rename and left what it does not track.
    fn examine_halves(&self) -> Option<Check> {
        const ADVICE: &str = "where the folder is another one now, move what is left of its history/ there: no name is used twice; \
                              else `annals init` makes it whole";
        let halves = self.log().halves().ok()?;
        let says = format_args!("{} has a history and nothing else", halves.first()?.display());
        Some(Check::note("folders", says, ADVICE))
    }

    fn examine_config(&self) -> Result<Check, EngineError> {
        const ABOUT: &str = "config";
        let file = settings::load(&**self.disk(), &self.place().context().join("config.toml"))?;
        let count = file.settings.iter().count();
        if self.log().left_out_files().is_some_and(|paths| paths.contains("config.toml")) {
            return Ok(Check::note(
                ABOUT,
                "a sparse checkout leaves config.toml out: every setting has its default",
                "`git sparse-checkout add .context` brings it",
            ));
        }
        if let Some(flaw) = file.flaws.first() {
            let advice =
                if flaw.is_of_one_value() { "`annals config set KEY VALUE` sets it right" } else { "correct the file" };
            return Ok(Check::bad(ABOUT, flaw, advice));
        }
        Ok(match file.unknown.as_slice() {
            [] => Check::good(ABOUT, format_args!("{count} set, the others have their defaults")),
            unknown => Check::note(
                ABOUT,
                format_args!("nobody reads {}", unknown.join(", ")),
                "`annals config list` shows every key",
            ),
        })
    }

    /// What a file asks for in vain, and what protects the project less than it could.
    fn examine_consent(&self) -> Checks {
        const WAITS: &str = "`annals config accept KEY` lets it hold in this clone";
        const HELD: &str = "`annals config set KEY --default` takes it back";
        const UNFOUNDED: &str =
            "its entry is on another branch, or it was forged: `annals config set KEY --default` takes it back";
        let waiting = self.waiting_settings();
        let waiting = waiting.iter().map(|Waiting { key, asked, .. }| format!("{key} = {asked}")).collect::<Vec<_>>();
        let Holding { entered, unfounded } = self.held_settings()?;
        let said =
            |held: &[Held]| held.iter().map(|Held { key, value }| format!("{key} = {value}")).collect::<Vec<_>>();
        let lists = [
            ("config.toml asks for", waiting, "; not in force", WAITS),
            ("in force because the user entered it here:", said(&entered), "", HELD),
            ("in force by local/settings, though no entry here says so:", said(&unfounded), "", UNFOUNDED),
        ];
        let lists = lists.into_iter().filter(|(_, list, ..)| !list.is_empty());
        let check = |(says, list, then, advice): (_, Vec<_>, _, _)| {
            Check::note("consent", format!("{says} {}{then}", list.join(", ")), advice)
        };
        Ok(lists.map(check).collect())
    }

    /// Tokens of which a merge brought others than count here.
    fn examine_tokens(&self) -> Checks {
        const ADVICE: &str =
            "`annals agent token ID --accept` lets it count here, `annals agent token ID` makes a new one";
        let waiting = self.waiting_tokens()?;
        let names: Vec<_> = waiting.iter().map(AgentId::as_str).collect();
        let says = format!("the log has another token than counts in this clone: {}", names.join(", "));
        let check = (!names.is_empty()).then(|| Check::note("tokens", says, ADVICE));
        Ok(check.into_iter().collect())
    }

    /// Size, chains, and whatever else `verify` finds.
    fn examine_log(&self) -> Checks {
        let verification = self.verify(&Terms::default())?;
        let (report, totals) = (&verification.report, &verification.report.totals);
        let size = format!("files {}, lines {}, bytes {}", totals.segments, totals.lines, totals.bytes);
        let chains = match (report.findings.as_slice(), totals.chained) {
            ([], 0) if totals.lines > 0 => Check::note(
                "chains",
                "no line has a link",
                "lines of other tools prove nothing; those that annals records do",
            ),
            ([], _) if verification.is_in_part() => Check::note(
                "chains",
                "what is here holds; a sparse checkout or a partial clone has not everything here",
                "`annals verify` names what was not checked",
            ),
            ([], chained) => {
                Check::good("chains", format_args!("all hold: lines {chained}, writers {}", report.writers.len()))
            }
            ([first, ..], _) => Check::bad(
                "chains",
                format_args!("findings {}; the first: {}", report.findings.len(), first.what),
                "`annals verify` names all of them",
            ),
        };
        let mut checks = vec![Check::good("log", size), chains];
        checks.extend(settlements(&report.settled));
        checks.extend(scrubbed_by_others(&report.scrubbed.by_others));
        Ok(checks)
    }

    fn examine_world(&self) -> Result<Check, EngineError> {
        const ABOUT: &str = "oddities";
        let oddities = self.ask(|world| world.oddities.clone())?;
        Ok(match oddities.first.as_slice() {
            [] => Check::good(ABOUT, "none"),
            [first, ..] => Check::note(
                ABOUT,
                format_args!("{}; the first: {} ({})", oddities.count, first.what, first.entry),
                "`annals show ENTRY` shows the line; nothing is lost",
            ),
        })
    }

    /// Ids that move no clock, because they lie too far ahead of this machine's.
    fn examine_ids(&self) -> Checks {
        let bound = EntryId::last_believed(self.clock().now());
        let Some(since) = bound.next().filter(|_| self.ask(|world| world.last > bound).unwrap_or(true)) else {
            return Ok(Vec::new());
        };
        let (mut count, mut first) = (0u64, None);
        self.reader()?.each(&Filter { since, ..Filter::default() }, &mut |found| {
            count += 1;
            first.get_or_insert((found.entry.id, found.at));
            Flow::More
        })?;
        let says = |(id, at): (EntryId, LineAt)| {
            format!("more than a day ahead of this clock: {count}; the first: {id} ({at})")
        };
        let advice =
            "they count where they claim to be and move no clock; `annals history mend-clock` says how to mend them";
        Ok(first.map(|first| Check::note("ids", says(first), advice)).into_iter().collect())
    }

    /// Lines that count as of another time than they say.
    fn examine_mends(&self) -> Checks {
        if self.mends()?.is_empty() {
            return Ok(Vec::new());
        }
        let count = self.reader()?.mended()?;
        Ok(vec![Check::good("clocks", format_args!("mended; lines that count as of the right time: {count}"))])
    }

    fn examine_checkpoint(&self) -> Result<Check, EngineError> {
        const ABOUT: &str = "checkpoint";
        let files = self.files_of("local/checkpoint")?;
        let bytes: u64 = files.iter().map(|file| file.look.len).sum();
        Ok(match files.len() {
            0 => Check::note(ABOUT, "none yet", "the next command that reads writes one when it is worth it"),
            count => Check::good(ABOUT, format_args!("files {count}, bytes {bytes}")),
        })
    }

    /// What crashes and killed agents leave behind.
    fn examine_left_behind(&self) -> Checks {
        let mut checks = Vec::new();
        let torn = self.files_of("history/.torn")?.len();
        if torn > 0 {
            let says = format!("pieces of lines that a crash cut short, in history/.torn: {torn}");
            checks.push(Check::note("crashes", says, "no acknowledged line is among them; look, then delete them"));
        }
        let open = self.open_calls()?.len();
        if open > 0 {
            let says = format!("begun and not ended: {open}");
            checks.push(Check::note(
                "calls",
                says,
                "they are recorded as failed when their session ends or a day later",
            ));
        }
        Ok(checks)
    }

    fn files_of(&self, folder: &str) -> Result<Vec<Listed>, EngineError> {
        let path = self.place().context().join(folder);
        Ok(self.disk().list(&path).map_err(LogError::at("list", &path))?)
    }

    fn examine_retention(&self) -> Checks {
        let days = self.settings().get(&RETENTION_DAYS);
        if days == 0 {
            return Ok(Vec::new());
        }
        let before = self.clock().now().day().minus(days);
        Ok(vec![match self.unpacked(before)?.len() {
            0 => Check::good("retention", format_args!("days before {before} are packed")),
            due => Check::note(
                "retention",
                format_args!("files from before {before} that are not packed: {due}"),
                "`annals archive`",
            ),
        }])
    }
}

/// Lines of this clone that another writer says were scrubbed; one is named.
fn scrubbed_by_others(all: &[(LineStanding, LineStanding)]) -> Option<Check> {
    let (line, by) = all.first()?;
    let says = format!("this clone's lines that another writer scrubbed: {}; the first: {line}, by {by}", all.len());
    Some(Check::note("scrubs", says, "where nobody of yours did, git has the lines as they were"))
}

const GIT: &str = "git";

/// What a filter does to a history: git holds something else than its lines, and a clone without the filter has none of them.
fn filtered(filters: &BTreeSet<String>) -> Option<Check> {
    let first = filters.first()?;
    Some(Check::note(
        GIT,
        format_args!("the filter {first} is set for files of the history: git holds something else than their lines"),
        "`annals init` writes `-filter` into its own older .gitattributes; else add it there, or where the filter is set; then `git add --renormalize .context`",
    ))
}

/// What goes into git where all is set up.
fn goes_in(which: LeftOut) -> Check {
    match which {
        LeftOut::No => Check::good(GIT, "branches merge line by line; local/ stays out"),
        LeftOut::Here => Check::good(GIT, "nothing of the history goes into it"),
        LeftOut::ByCommit => Check::note(
            GIT,
            "history/.gitignore came with a commit: no new line goes into git",
            "where that is not wanted, `git rm .context/history/.gitignore`, then commit",
        ),
    }
}

/// Where people said which of several lines with one id counts; one is named.
fn settlements(all: &[Settled]) -> Option<Check> {
    let first = all.first()?;
    Some(Check::good("settled", format_args!("{}; the first: {first}", all.len())))
}
