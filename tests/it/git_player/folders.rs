//! What is done with whole folders: work trees that come and go, a `.context` that is moved, old days that are packed.

use std::fs;

use super::player::{Home, Player};
use super::work_tree::WorkTree;

impl Player {
    pub(super) fn add_work_tree(&mut self, clone: usize, tree: usize) {
        let place = self.tree(clone, tree);
        let fresh = self.branches(clone).fresh;
        if self.clones[clone].trees.len() < 3 {
            let path = self.folder.join(format!("tree-{fresh}"));
            self.git(clone, tree, &["worktree", "add", "-q", "-b", &fresh, &path.to_string_lossy()]);
            if path.is_dir() {
                self.clones[clone].trees.push(place.beside(path));
                let last = self.clones[clone].trees.len() - 1;
                self.heal(clone, last);
                let marks = [self.mark(), self.mark()];
                let ran = self.tree(clone, last).record(&marks);
                self.take(clone, last, &marks, &ran, "record");
            }
        }
    }

    /// What a removed work tree had belongs from then on to the one in which the next command runs.
    pub(super) fn remove_work_tree(&mut self, clone: usize, tree: usize) {
        if self.clones[clone].trees.len() < 2 {
            return;
        }
        let gone = self.clones[clone].trees.pop().expect("more than one");
        let first = self.tree(clone, 0);
        let path = gone.path.to_string_lossy().into_owned();
        let (what, ran) = if self.chance.once_in(2) {
            (format!("git worktree remove --force {path}"), first.git(&["worktree", "remove", "--force", &path]))
        } else {
            let _ = fs::remove_dir_all(&path);
            (format!("rm -r {path}, git worktree prune"), first.git(&["worktree", "prune"]))
        };
        self.tell(&first, &what, &ran.said);
        let heir = self.tree(clone, tree.min(self.clones[clone].trees.len() - 1));
        let (from, to) = (Home { clone, tree: gone.path }, Home { clone, tree: heir.path });
        self.acknowledged.values_mut().filter(|home| **home == from).for_each(|home| *home = to.clone());
    }

    pub(super) fn move_context(&mut self, place: &WorkTree) {
        let away = place.path.join("away");
        self.tell(place, "mv .context away, a hook, mv away .context", "");
        if fs::rename(place.context(), &away).is_ok() {
            let mark = self.mark();
            let ran = place.hook(mark);
            if !ran.said.trim().is_empty() {
                self.violate(&format!("a hook without a .context said {}", ran.said));
            }
            let _ = fs::remove_dir_all(place.context());
            fs::rename(away, place.context()).expect("moved back");
        }
    }

    /// Packs all days, as if today were over.
    pub(super) fn archive(&mut self, place: &WorkTree) {
        let ran = place.annals(&["archive", "--before", "9999-01-01"], "");
        self.tell(place, "annals archive", if ran.is_done { "" } else { &ran.said });
        if !ran.is_done {
            self.violate(&format!("annals archive failed: {}", ran.said));
        }
    }
}
