//! What the refs of a clone hold: the ground truth, asked from git itself.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Marks, marks_in};
use super::work_tree::WorkTree;

/// What was read of objects, which never change.
#[derive(Debug, Default)]
pub struct Refs {
    /// By tree: the paths below `.context` and their blobs.
    trees: BTreeMap<String, Vec<(String, String)>>,
    /// By blob: the marks in it.
    segments: BTreeMap<String, Marks>,
}

/// What the refs hold now.
#[derive(Debug, Default)]
pub struct Holding {
    pub marks: Marks,
    /// The names of large values.
    pub blobs: BTreeSet<String>,
}

impl Refs {
    /// Asks branches, tags and remote branches, and heads of work trees.
    pub fn holding(&mut self, clone: &WorkTree) -> Holding {
        let refs = ["for-each-ref", "--format=%(objectname)", "refs/heads", "refs/tags", "refs/remotes"];
        let mut tips: BTreeSet<_> = clone.list(&refs).into_iter().collect();
        let trees = clone.list(&["worktree", "list", "--porcelain"]);
        tips.extend(trees.iter().filter_map(|line| line.strip_prefix("HEAD ")).map(str::to_owned));
        let asked: String = tips.iter().flat_map(|tip| [tip.as_str(), ":.context\n"]).collect();
        let answers = clone.ask(&["cat-file", "--batch-check"], &asked);
        let answers = String::from_utf8_lossy(&answers).into_owned();
        let trees: BTreeSet<_> =
            answers.lines().filter_map(|line| line.split_once(" tree ")).map(|(id, _)| id).collect();
        let mut holding = Holding::default();
        for tree in trees {
            let listed = self.trees.entry(tree.to_owned()).or_insert_with(|| listed(clone, tree)).clone();
            for (path, blob) in listed {
                if path.contains(".jsonl") {
                    let read = || marks_in(&path, clone.ask(&["cat-file", "blob", &blob], ""));
                    let found = self.segments.entry(blob.clone()).or_insert_with(read);
                    holding.marks.extend(found.iter().map(|(mark, blob)| (*mark, blob.clone())));
                }
                if path.starts_with("history/blobs/") {
                    holding.blobs.extend(path.rsplit('/').next().map(str::to_owned));
                }
            }
        }
        holding
    }
}

fn listed(clone: &WorkTree, tree: &str) -> Vec<(String, String)> {
    let lines = clone.list(&["ls-tree", "-r", tree]);
    let entry = |line: &String| {
        let (about, path) = line.split_once('\t')?;
        path.starts_with("history/").then(|| (path.to_owned(), about.rsplit(' ').next().unwrap_or("").to_owned()))
    };
    lines.iter().filter_map(entry).collect()
}
