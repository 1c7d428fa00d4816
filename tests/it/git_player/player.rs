//! Plays: two clones of one project, agents that write in each, and people who do with git whatever chance says.
//!
//! After each operation and the next command of `annals`, everything that was acknowledged is readable, or a ref holds it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::chance::Chance;
use super::lines::{Mark, Marks, written};
use super::operation::{Branches, Operation, blames_us, files_of};
use super::refs::{Holding, Refs};
use super::work_tree::{Pen, Ran, WorkTree, holds};

/// A clone: its first work tree, those linked to it, and what was read of its objects.
pub(super) struct Clone {
    pub(super) trees: Vec<WorkTree>,
    refs: Refs,
    branches: usize,
}

/// Whose entries stand where.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) clone: usize,
    pub(super) tree: PathBuf,
}

/// Whether agents write while git runs, only in between, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agents {
    Busy,
    Idle,
    Gone,
}

/// Two clones, a bare repository between them, and what was acknowledged.
pub struct Player {
    pub(super) clones: Vec<Clone>,
    pub(super) acknowledged: BTreeMap<Mark, Home>,
    next: AtomicU32,
    pub(super) chance: Chance,
    pub(super) agents: Agents,
    /// Said already.
    changed: Vec<String>,
    /// Everything that was done.
    pub story: Vec<String>,
    /// What must not happen and did.
    pub violations: Vec<String>,
    pub(super) folder: PathBuf,
}

impl Player {
    /// A project with a commit, in two clones below a folder.
    pub fn new(folder: &Path, program: &Path, seed: u64) -> Self {
        let folder = folder.canonicalize().expect("a folder");
        let tree = |name: &str| WorkTree::new(folder.join(name), program, &folder);
        let (left, right) = (tree("left"), tree("right"));
        let must = |ran: Ran| assert!(ran.is_done, "{}", ran.said);
        must(left.beside(folder.clone()).git(&["init", "-q", "--bare", "-b", "main", "origin"]));
        must(left.beside(folder.clone()).git(&["clone", "-q", "origin", "left"]));
        fs::create_dir_all(left.path.join("src")).expect("made");
        fs::write(left.path.join("src/first"), "first\n").expect("written");
        must(left.annals(&["init"], ""));
        must(left.git(&["add", "-A"]));
        must(left.git(&["commit", "-qm", "first"]));
        must(left.git(&["push", "-q", "origin", "main"]));
        must(left.beside(folder.clone()).git(&["clone", "-q", "origin", "right"]));
        let clone = |tree| Clone { trees: vec![tree], refs: Refs::default(), branches: 0 };
        Self {
            clones: vec![clone(left), clone(right)],
            acknowledged: BTreeMap::new(),
            next: AtomicU32::new(1),
            chance: Chance::new(seed),
            agents: Agents::Busy,
            changed: Vec::new(),
            story: Vec::new(),
            violations: Vec::new(),
            folder,
        }
    }

    /// How many entries were acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.acknowledged.len()
    }

    /// One operation, the next command, and a look at what is there.
    pub fn step(&mut self) {
        let clone = self.chance.below(self.clones.len());
        let tree = self.chance.below(self.clones[clone].trees.len());
        self.work(clone, tree);
        let branches = self.branches(clone);
        let operation = Operation::draw(&mut self.chance, &branches);
        self.play(clone, tree, &operation);
    }

    /// Some operations in the first work tree of the first clone, one after another, while no agent writes.
    pub fn script(&mut self, operations: &[Operation]) {
        self.agents = Agents::Idle;
        for operation in operations {
            self.work(0, 0);
            self.play(0, 0, operation);
        }
    }

    fn play(&mut self, clone: usize, tree: usize, operation: &Operation) {
        self.perform(clone, tree, operation);
        let tree = tree.min(self.clones[clone].trees.len() - 1);
        self.heal(clone, tree);
        self.next_command(clone, tree);
        self.check(clone, tree);
    }

    pub(super) fn tree(&self, clone: usize, tree: usize) -> WorkTree {
        self.clones[clone].trees[tree].clone()
    }

    pub(super) fn branches(&mut self, clone: usize) -> Branches {
        self.clones[clone].branches += 1;
        let all = self.clones[clone].trees[0].list(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        let all = if all.is_empty() { vec!["main".to_owned()] } else { all };
        Branches { all, fresh: format!("{}{}", ["l", "r"][clone], self.clones[clone].branches) }
    }

    /// Between operations somebody changes the sources, and an agent writes.
    fn work(&mut self, clone: usize, tree: usize) {
        let place = self.tree(clone, tree);
        if self.chance.once_in(3) {
            let _ = fs::create_dir_all(place.path.join("src"));
            let _ = fs::write(place.path.join(format!("src/file-{}", self.story.len())), "text\n");
        }
        if !self.chance.once_in(3) {
            let marks: Vec<_> = (0..=self.chance.below(3)).map(|_| self.mark()).collect();
            let ran = place.record(&marks);
            self.take(clone, tree, &marks, &ran, "record");
        }
    }

    pub(super) fn mark(&self) -> Mark {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Nothing that is written while nobody else does anything may fail.
    pub(super) fn take(&mut self, clone: usize, tree: usize, marks: &[Mark], ran: &Ran, what: &str) {
        if ran.is_done {
            let home = Home { clone, tree: self.tree(clone, tree).path };
            self.acknowledged.extend(marks.iter().map(|mark| (*mark, home.clone())));
        } else {
            self.violate(&format!("{what} failed: {}", ran.said));
        }
    }

    pub(super) fn violate(&mut self, what: &str) {
        let at = self.story.len();
        let last: Vec<_> = self.story.iter().rev().take(4).rev().cloned().collect();
        self.violations.push(format!("after operation {at}: {what}\n    {}", last.join("\n    ")));
    }

    fn perform(&mut self, clone: usize, tree: usize, operation: &Operation) {
        let place = self.tree(clone, tree);
        match operation {
            Operation::Git(commands) => {
                for command in commands {
                    self.git(clone, tree, &command.iter().map(String::as_str).collect::<Vec<_>>());
                }
            }
            Operation::AddOpenSegment => {
                if let Some(segment) = place.segments().last() {
                    self.git(clone, tree, &["add", segment]);
                }
            }
            Operation::AddWorkTree => self.add_work_tree(clone, tree),
            Operation::RemoveWorkTree => self.remove_work_tree(clone, tree),
            Operation::RemoveLocal => {
                self.tell(&place, "rm -r .context/local", "");
                let _ = fs::remove_dir_all(place.context().join("local"));
            }
            Operation::RemoveContext => {
                self.tell(&place, "rm -r .context", "");
                let _ = fs::remove_dir_all(place.context());
            }
            Operation::MoveContext => self.move_context(&place),
            Operation::Archive => self.archive(&place),
        }
    }

    pub(super) fn tell(&mut self, place: &WorkTree, what: &str, came_to: &str) {
        let name = place.path.strip_prefix(&self.folder).unwrap_or(&place.path).display().to_string();
        self.story.push(format!("{:4} {name}: {what}{came_to}", self.story.len() + 1));
    }

    /// One command of git, one time in three while somebody writes.
    pub(super) fn git(&mut self, clone: usize, tree: usize, arguments: &[&str]) {
        let place = self.tree(clone, tree);
        let pen = match self.chance.below(6) {
            0 => Some(Pen::Processes),
            1 => Some(Pen::Stream),
            _ => None,
        };
        let pen = pen.filter(|_| self.agents == Agents::Busy);
        let mut changed = changed_files(&place);
        let ran = match pen {
            None => place.git(arguments),
            Some(pen) => self.git_while_writing(clone, &place, pen, arguments),
        };
        let during = pen.map_or(String::new(), |pen| format!(" [while {pen:?} write]"));
        let came_to = if ran.is_done { "" } else { ran.said.lines().last().unwrap_or("failed") };
        self.tell(&place, &format!("git {}", arguments.join(" ")), &format!("{during} {came_to}"));
        // What comes while git removes a folder is in its way for that moment, and refuses nothing.
        let is_race = pen.is_some() && ran.said.contains("Directory not empty");
        if ran.is_done || is_race {
            return;
        }
        changed.extend(changed_files(&place));
        let mut own = place.list(&["diff", "--cached", "--name-only", "--no-renames"]);
        own.extend(files_of(&ran.said).map(str::to_owned).filter(|path| place.is_as_committed(path)));
        let is_about_changes = ran.said.contains("unstaged changes") || ran.said.contains("local changes");
        if blames_us(&ran.said, &own) || (is_about_changes && !changed.is_empty()) {
            self.violate(&format!("git was refused because of us: {}\n    changed: {changed:?}", ran.said));
        }
    }

    fn git_while_writing(&mut self, clone: usize, place: &WorkTree, pen: Pen, arguments: &[&str]) -> Ran {
        let (next, is_over) = (&self.next, AtomicBool::new(false));
        let (ran, marks) = std::thread::scope(|scope| {
            let writing = scope.spawn(|| place.write_until(pen, next, &is_over));
            let ran = place.git(arguments);
            is_over.store(true, Ordering::Relaxed);
            (ran, writing.join().expect("written"))
        });
        let home = Home { clone, tree: place.path.clone() };
        self.acknowledged.extend(marks.into_iter().map(|mark| (mark, home.clone())));
        ran
    }

    /// What a person does before going on: ends what stopped half-way, and brings back a folder that is gone.
    pub(super) fn heal(&mut self, clone: usize, tree: usize) {
        let place = self.tree(clone, tree);
        let git_dir = place.list(&["rev-parse", "--absolute-git-dir"]).pop().unwrap_or_default();
        let stopped = [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
        ];
        for (name, command) in stopped {
            if Path::new(&git_dir).join(name).exists() {
                self.git(clone, tree, &[command, "--abort"]);
                place.git(&["reset", "-q", "--merge"]);
            }
        }
        let is_whole = place.context().join(".gitignore").is_file() || is_sparse(&place);
        if !place.context().is_dir() || !is_whole {
            let ran = place.annals(&["init"], "");
            self.tell(&place, "annals init", "");
            if !ran.is_done {
                self.violate(&format!("annals init failed: {}", ran.said));
            }
        }
    }

    pub(super) fn next_command(&mut self, clone: usize, tree: usize) {
        let place = self.tree(clone, tree);
        if !place.context().is_dir() {
            return;
        }
        let mark = self.mark();
        let (ran, what) = match self.chance.below(3) {
            _ if self.agents == Agents::Gone => (Ran { is_done: true, said: String::new() }, "nothing"),
            0 => (place.record(&[mark]), "record"),
            1 => (place.hook(mark), "hook"),
            _ => (Ran { is_done: true, said: String::new() }, "nothing"),
        };
        if what != "nothing" {
            self.take(clone, tree, &[mark], &ran, what);
        }
        let ran = place.annals(&["session", "list"], "");
        if !ran.is_done {
            self.violate(&format!("annals session list failed: {}", ran.said));
        }
    }

    /// What was acknowledged here is readable here, or a ref has it; and what git tracks is as git has it.
    pub(super) fn check(&mut self, clone: usize, tree: usize) {
        let place = self.tree(clone, tree);
        if !place.context().is_dir() {
            return;
        }
        let here = place.marks();
        let home = Home { clone, tree: place.path.clone() };
        let ours: Vec<_> = self.acknowledged.iter().filter(|(_, at)| **at == home).map(|(mark, _)| *mark).collect();
        let is_whole = |marks: &Marks, has: &dyn Fn(&str) -> bool, mark: &Mark| {
            marks.get(mark).is_some_and(|blob| blob.as_ref().is_none_or(|hash| has(hash)))
        };
        let mut missing: Vec<_> =
            ours.into_iter().filter(|mark| !is_whole(&here, &|hash| place.has_blob(hash), mark)).collect();
        if !missing.is_empty() {
            let held = self.holding(clone);
            let has = |hash: &str| place.has_blob(hash) || held.blobs.iter().any(|name| holds(name, hash));
            missing.retain(|mark| !is_whole(&held.marks, &has, mark) && !is_whole(&here, &has, mark));
        }
        if !missing.is_empty() {
            self.lose(&missing, &here);
        }
        let changed = changed_files(&place);
        if !changed.is_empty() && self.changed != changed {
            self.violate(&format!("tracked files of ours changed: {changed:?}"));
        }
        self.changed = changed;
    }

    pub(super) fn holding(&mut self, clone: usize) -> Holding {
        let first = self.tree(clone, 0);
        self.clones[clone].refs.holding(&first)
    }

    /// Said once.
    pub(super) fn lose(&mut self, missing: &[Mark], here: &Marks) {
        let said = missing.iter().map(|mark| match here.get(mark) {
            Some(_) => format!("{} (its blob)", written(*mark)),
            None => written(*mark),
        });
        let said: Vec<_> = said.take(8).collect();
        self.violate(&format!("{} acknowledged entries are neither here nor held by a ref: {said:?}", missing.len()));
        for mark in missing {
            self.acknowledged.remove(mark);
        }
    }

    /// What was done, for whoever must understand it.
    pub fn told(&self) -> String {
        let mut text = String::new();
        for violation in &self.violations {
            let _ = writeln!(text, "{violation}");
        }
        let _ = writeln!(text, "{} violations in {} operations", self.violations.len(), self.story.len());
        text
    }
}

/// Tracked files of ours that are not as git has them; a deleted one is the person's doing.
fn changed_files(place: &WorkTree) -> Vec<String> {
    let lines = place.list(&["diff", "--name-status", "--", ".context/history"]);
    lines.into_iter().filter(|line| line.starts_with('M')).collect()
}

fn is_sparse(place: &WorkTree) -> bool {
    place.list(&["config", "core.sparseCheckout"]) == ["true"]
}
