//! The views of the minds as files, of the golden log: what stands in them, and that they can be deleted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals::view::render;

use crate::golden::minds_log;
use crate::support::{Project, engine};

const FOLDERS: [&str; 4] = ["hivemind", "history/councils", "memory", "knowledge/learnt"];

fn views(project: &Project) -> BTreeMap<String, String> {
    let engine = engine(&project.context(), "2026-12-31T00:00:00Z", "reader");
    render::everything(&engine).expect("rendered");
    FOLDERS.iter().flat_map(|folder| files(&project.context(), folder)).collect()
}

fn files(context: &Path, folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(context.join(folder)).expect("a folder").map(|entry| entry.expect("an entry"));
    let named = entries.map(|entry| {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        (name, fs::read_to_string(entry.path()).expect("a text"))
    });
    named.collect()
}

/// The first lines of each, none longer than what a page holds.
fn beginnings(views: &BTreeMap<String, String>) -> String {
    const LINES: usize = 24;
    const CHARS: usize = 240;
    let cut = |line: &str| line.chars().take(CHARS).collect::<String>();
    let page = |(name, text): (&String, &String)| {
        let lines: Vec<_> = text.lines().take(LINES).map(cut).collect();
        format!("== {name}: {} lines\n{}\n", text.lines().count(), lines.join("\n"))
    };
    views.iter().map(page).collect()
}

/// AFS 6.3: what was learnt, a file a category. AFS 7.4: a file a council. Dialectic, "Logging Format" and
/// Dialectic, "Failure Tracking State". Artoo R5: every pair.
#[test]
fn the_views_of_the_golden_log_are_these() {
    let project = minds_log();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/minds"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("the views of the golden log", beginnings(&views(&project))));
}

#[test]
fn views_that_were_deleted_come_back_to_the_byte() {
    let project = minds_log();
    let first = views(&project);
    for name in first.keys() {
        fs::remove_file(project.context().join(name)).expect("removed");
    }
    assert!(views(&project) == first, "other bytes");
}
