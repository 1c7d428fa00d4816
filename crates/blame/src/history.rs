//! From version to version of a file, as git has them: which line of each is of which call.
//!
//! A line that stood in a version before keeps its author. A new one is of a call that brought it since that version, if the
//! record shows that, and the call's line came into no version of another branch. All else is of nobody that is known.
//! Asks neither git nor the log: both are given.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;

use super::deed::Deed;
use super::files::Files;
use super::fit::{Trust, align};
use super::guess::Guesses;
use super::model::{By, Line, Model};
use super::text::Text;

/// A call that did something to the file, or to one of its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When it ended.
    pub at: Timestamp,
    /// Its entry.
    pub call: EntryId,
    /// What it did, in order.
    pub deeds: Vec<Deed>,
}

/// A version of the file: a commit that changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The commit.
    pub id: String,
    /// The versions before it, by their places in the list.
    pub parents: Vec<usize>,
    /// Who made it, and when: copies of a commit (a rebase, a cherry-pick) have the same.
    pub author: String,
    /// When it was first made, in seconds since 1970.
    pub authored: i64,
    /// When this copy of it was made.
    pub committed: i64,
    /// The commit that it takes back, as it says.
    pub reverts: Option<String>,
    /// Its name then.
    pub path: String,
    /// What it says; `None` where it is gone, or no text.
    pub text: Option<Text>,
}

/// The versions of a file, each behind its parents, and what calls did to it, in the order of time.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The versions.
    pub versions: Vec<Version>,
    /// The calls.
    pub events: Vec<Event>,
}

/// The text whose lines are asked for.
#[derive(Debug, Clone)]
pub enum Target {
    /// That of a version, by its place.
    Version(usize),
    /// One that stands behind a version, or behind none: in the work tree.
    Now {
        /// The version that is checked out.
        behind: Option<usize>,
        /// The name of the file.
        path: String,
        /// What it says.
        text: Text,
    },
}

/// The lines of a text, each with its call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blamed {
    /// A line has a call, or nobody is known to have written it.
    pub lines: Vec<Option<EntryId>>,
    /// What was not followed.
    pub passed: Passed,
}

/// Calls that could not be followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    /// Calls that changed the file in a way that the record does not show.
    pub opaque: BTreeSet<EntryId>,
}

/// Gives each line of a text to a call, or to nobody.
pub fn blame(history: &History, target: &Target) -> Blamed {
    let mut walk = Walk::new(history);
    // Of every branch: a line that another one had first is that branch's.
    for version in 0..history.versions.len() {
        let lines = walk.version(version);
        walk.lines.push(lines);
    }
    let lines = match target {
        Target::Version(version) => walk.lines.get(*version).cloned().flatten().unwrap_or_default(),
        Target::Now { behind, path, text } => Rc::new(walk.now(*behind, path, text)),
    };
    let call = |line: &Line| match line.by {
        By::Nobody | By::Standing => None,
        By::Old(call) | By::Fresh(call) => Some(call),
    };
    Blamed { lines: lines.iter().map(call).collect(), passed: walk.passed }
}

/// Whether a line stood in a version before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// In none of them.
    New,
    /// In one.
    Old,
}

/// Which lines of a version are new in it.
pub fn ages(history: &History, version: usize) -> Vec<Age> {
    let own = &history.versions[version];
    let Some(text) = &own.text else { return Vec::new() };
    let mut ages = vec![Age::New; text.lines.len()];
    let parents = own.parents.iter().filter_map(|parent| history.versions[*parent].text.as_ref());
    for parent in parents {
        let old: Vec<Line> = parent.lines.iter().map(|text| Line { text: text.clone(), by: By::Standing }).collect();
        let aligned = align(&old, &text.lines, By::Nobody, Trust::OneWay);
        for (age, line) in ages.iter_mut().zip(aligned) {
            if line.by == By::Standing {
                *age = Age::Old;
            }
        }
    }
    ages
}

/// Which copies of a commit took a line of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    author: String,
    authored: i64,
}

impl Stamp {
    fn of(version: &Version) -> Self {
        Self { author: version.author.clone(), authored: version.authored }
    }
}

struct Walk<'h> {
    history: &'h History,
    /// The lines of each version.
    lines: Vec<Option<Rc<Vec<Line>>>>,
    /// Which commit a call's line came into first.
    landed: BTreeMap<(EntryId, Rc<str>), Stamp>,
    /// The calls of which lines came into a version.
    of_version: Vec<BTreeSet<EntryId>>,
    /// The first version into which lines of a call came.
    first_in: BTreeMap<EntryId, usize>,
    /// The stretch of time before each version.
    windows: Vec<Window>,
    passed: Passed,
}

/// A stretch of time between two versions, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// Up to here the version before has everything.
    since: i64,
    until: i64,
}

impl Window {
    fn has(self, event: &Event) -> bool {
        (self.since..=self.until).contains(&event.at.millis())
    }
}

/// A second has so many milliseconds; git counts seconds.
const SECOND: i64 = 1000;

impl<'h> Walk<'h> {
    fn new(history: &'h History) -> Self {
        let (landed, of_version) = (BTreeMap::new(), vec![BTreeSet::new(); history.versions.len()]);
        let mut walk = Self {
            history,
            lines: Vec::new(),
            landed,
            of_version,
            first_in: BTreeMap::new(),
            windows: Vec::new(),
            passed: Passed::default(),
        };
        walk.windows = history.versions.iter().map(|version| walk.window(version)).collect();
        walk
    }

    fn window(&self, version: &Version) -> Window {
        let since = self.since(&version.parents, version.authored);
        Window { since, until: version.committed * SECOND + SECOND - 1 }
    }

    /// Some versions, and those before them.
    fn above(&self, from: &[usize]) -> BTreeSet<usize> {
        let (mut seen, mut open) = (BTreeSet::new(), from.to_vec());
        while let Some(version) = open.pop() {
            if seen.insert(version) {
                open.extend(&self.history.versions[version].parents);
            }
        }
        seen
    }

    fn version(&mut self, at: usize) -> Option<Rc<Vec<Line>>> {
        let version = &self.history.versions[at];
        let text = version.text.as_ref()?;
        let window = self.windows[at];
        let stamp = Stamp::of(version);
        let mut lines = match self.taken_back(version, text) {
            Some(lines) => lines,
            None => self.follow(&version.parents, &version.path, window, &stamp).settled(text),
        };
        self.take_from_others(&mut lines, text, version);
        self.settle(&mut lines, &stamp, Some(at));
        Some(Rc::new(lines))
    }

    fn now(&mut self, behind: Option<usize>, path: &str, text: &Text) -> Vec<Line> {
        let parents: Vec<usize> = behind.into_iter().collect();
        let window = Window { since: self.since(&parents, i64::MAX), until: i64::MAX };
        // Who works here is most likely who made the version that is checked out.
        let author = behind.map(|at| self.history.versions[at].author.clone()).unwrap_or_default();
        let stamp = Stamp { author, authored: i64::MAX };
        let model = self.follow(&parents, path, window, &stamp);
        let mut lines = model.settled(text);
        self.settle(&mut lines, &stamp, None);
        lines
    }

    /// When the last version before one was made that it does not stand behind only because it was rebased.
    fn since(&self, parents: &[usize], authored: i64) -> i64 {
        let (mut newest, mut seen, mut open) = (i64::MIN, BTreeSet::new(), parents.to_vec());
        while let Some(parent) = open.pop() {
            let version = &self.history.versions[parent];
            if !seen.insert(parent) {
                continue;
            }
            if version.committed <= authored {
                newest = newest.max(version.committed);
            } else {
                open.extend(&version.parents);
            }
        }
        if newest == i64::MIN { i64::MIN } else { newest * SECOND }
    }

    /// The file as calls left it in a stretch of time, from the first of some versions on.
    fn follow(&mut self, parents: &[usize], path: &str, window: Window, stamp: &Stamp) -> Guesses {
        let history = self.history;
        let start = parents.first().and_then(|first| self.lines.get(*first).cloned().flatten());
        let start = start.map(|lines| Model::of(lines.to_vec()));
        let start_path = parents.first().map_or(path, |first| history.versions[*first].path.as_str());
        let others = self.others(parents, stamp);
        let texts = self.texts_of_others(&others, parents);
        let rivals = self.rivals(&others, stamp);
        let mut files = Files::new(start, start_path, path);
        let first = history.events.partition_point(|event| event.at.millis() < window.since);
        for event in &history.events[first..] {
            if event.at.millis() > window.until {
                break;
            }
            // What happened in the second of the version before may be in it.
            let is_in = event.at.millis() < window.since.saturating_add(SECOND)
                && parents.iter().any(|parent| self.of_version[*parent].contains(&event.call));
            let first = self.first_in.get(&event.call);
            let is_of_another = first.is_some_and(|first| others.binary_search(first).is_ok())
                || rivals.iter().any(|rival| rival.has(event));
            if !is_in && !is_of_another {
                files.event(event, &texts, &mut self.passed);
            }
        }
        files.take()
    }

    /// The versions that a stretch of work does not come from, but for copies of the one that it leads to.
    fn others(&self, parents: &[usize], stamp: &Stamp) -> Vec<usize> {
        let own = self.above(parents);
        let versions = self.history.versions.iter().enumerate();
        versions.filter(|(at, version)| !own.contains(at) && Stamp::of(version) != *stamp).map(|(at, _)| at).collect()
    }

    /// Their texts: who sees one of them stands elsewhere.
    fn texts_of_others(&self, others: &[usize], parents: &[usize]) -> Vec<&'h Text> {
        let text = |at: &usize| self.history.versions[*at].text.as_ref();
        let own: BTreeSet<_> = self.above(parents).iter().filter_map(text).map(|text| &text.lines).collect();
        others.iter().filter_map(text).filter(|text| !own.contains(&text.lines)).collect()
    }

    /// When work went into another version of the same author that was made sooner: in one work tree it did not go into this
    /// one, too.
    fn rivals(&self, others: &[usize], stamp: &Stamp) -> Vec<Window> {
        let is_sooner = |at: &&usize| {
            let version = &self.history.versions[**at];
            version.author == stamp.author && version.authored < stamp.authored
        };
        others.iter().filter(is_sooner).map(|at| self.windows[*at]).collect()
    }

    /// The version to which a commit goes back, as it says.
    fn gone_back_to(&self, version: &Version) -> Option<usize> {
        let id = version.reverts.as_deref()?;
        let reverted = self.history.versions.iter().find(|one| one.id.starts_with(id))?;
        reverted.parents.first().copied()
    }

    /// The lines of a commit that takes everything back: those that stood there before, as they were.
    fn taken_back(&self, version: &Version, text: &Text) -> Option<Vec<Line>> {
        let before = self.gone_back_to(version)?;
        let lines = self.lines.get(before)?.as_ref()?;
        lines.iter().map(|line| &line.text).eq(&text.lines).then(|| lines.to_vec())
    }

    /// Lines that came from other parents of a merge, or with what a commit says that it takes back.
    fn take_from_others(&self, lines: &mut [Line], text: &Text, version: &Version) {
        let before = self.gone_back_to(version);
        for parent in version.parents.iter().skip(1).copied().chain(before) {
            let Some(old) = self.lines.get(parent).and_then(Option::as_ref) else { continue };
            let theirs = align(old, &text.lines, By::Nobody, Trust::Seen);
            for (line, their) in lines.iter_mut().zip(theirs) {
                if line.by == By::Nobody {
                    line.by = their.by;
                }
            }
        }
    }

    /// From here on the lines are those of a version; what another branch had first stays there.
    fn settle(&mut self, lines: &mut [Line], stamp: &Stamp, at: Option<usize>) {
        for line in lines {
            let By::Fresh(call) = line.by else { continue };
            let first = self.landed.entry((call, line.text.clone())).or_insert_with(|| stamp.clone());
            line.by = if first == stamp { By::Old(call) } else { By::Nobody };
            if let Some(at) = at {
                self.of_version[at].insert(call);
                self.first_in.entry(call).or_insert(at);
            }
        }
    }
}
