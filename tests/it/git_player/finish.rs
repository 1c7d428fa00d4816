//! The end of a game: everything into one branch, in both clones, and all of it is there.

use std::path::Path;

use super::player::{Agents, Player};

impl Player {
    /// Everything into one branch: nothing is lost overall, and `verify` finds nothing.
    pub fn finish(&mut self) {
        self.agents = Agents::Gone;
        for clone in 0..self.clones.len() {
            for tree in (0..self.clones[clone].trees.len()).rev() {
                self.settle(clone, tree);
            }
            while self.clones[clone].trees.len() > 1 {
                self.remove_work_tree(clone, 0);
            }
        }
        for _ in 0..3 {
            for clone in 0..self.clones.len() {
                self.gather(clone);
            }
        }
        for clone in 0..self.clones.len() {
            let place = self.tree(clone, 0);
            let mut there = place.marks();
            let is_complete = self.acknowledged.keys().all(|mark| there.contains_key(mark));
            if self.story.iter().any(|told| told.contains("rm -r")) {
                // Who commits that files are gone, and merges that, has their lines on the other branch only, in whichever
                // clone that is.
                for clone in 0..self.clones.len() {
                    there.extend(self.holding(clone).marks);
                }
            }
            let missing = self.acknowledged.keys().filter(|mark| !there.contains_key(mark));
            let missing: Vec<_> = missing.copied().collect();
            if !missing.is_empty() {
                self.lose(&missing, &there);
            }
            let ran = place.annals(&["verify", "--blobs"], "");
            // Of lines that somebody deleted in a commit, and that only another clone's branch has, it says so.
            let findings: Vec<_> = ran.said.lines().take_while(|line| !line.contains(" lines in ")).collect();
            let is_hole = |line: &&str| line.contains("  removed  ") || line.contains("  cut off  ");
            let is_told = !is_complete && !findings.is_empty() && findings.iter().all(is_hole);
            if !ran.is_done && !is_told {
                self.violate(&format!("verify --blobs in {}: {}", place.path.display(), ran.said));
            }
        }
    }

    /// Where git asks about a merge, as about a file that one branch removed and the other one put back under another name
    /// (GIT.md), what is there is kept.
    fn resolve(&mut self, clone: usize) {
        let git_dir = self.tree(clone, 0).list(&["rev-parse", "--absolute-git-dir"]).pop().unwrap_or_default();
        if Path::new(&git_dir).join("MERGE_HEAD").exists() {
            self.git(clone, 0, &["add", "-A"]);
            self.git(clone, 0, &["commit", "-qm", "resolved"]);
        }
        self.heal(clone, 0);
    }

    /// Commits what is there.
    fn settle(&mut self, clone: usize, tree: usize) {
        self.heal(clone, tree);
        self.git(clone, tree, &["sparse-checkout", "disable"]);
        self.heal(clone, tree);
        for command in [&["add", "-A"][..], &["commit", "-qm", "settled", "--allow-empty"]] {
            self.git(clone, tree, command);
        }
        self.next_command(clone, tree);
        self.check(clone, tree);
    }

    /// Merges every branch into the main one, and that with the other clone's.
    fn gather(&mut self, clone: usize) {
        self.settle(clone, 0);
        self.git(clone, 0, &["switch", "-q", "main"]);
        for branch in self.branches(clone).all {
            self.git(clone, 0, &["merge", "-q", "--no-edit", "--allow-unrelated-histories", &branch]);
            self.resolve(clone);
            self.next_command(clone, 0);
        }
        self.settle(clone, 0);
        let place = self.tree(clone, 0);
        for remote in place.list(&["ls-remote", "--heads", "origin"]) {
            let name = remote.rsplit('/').next().unwrap_or_default();
            self.git(clone, 0, &["pull", "-q", "--no-rebase", "--allow-unrelated-histories", "origin", name]);
            self.resolve(clone);
        }
        self.settle(clone, 0);
        self.git(clone, 0, &["push", "-q", "origin", "main"]);
    }
}
