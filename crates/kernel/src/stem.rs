//! Common verbs and their forms, as one word (decision 24).
//!
//! The list is part of what the id of a task is, so that it never changes without a new version of that.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A verb, and the forms that mean the same.
type Stem = (&'static str, &'static [&'static str]);

/// The closed list: each verb in its -s, -ing and -ed forms, or what stands for those.
pub const STEMS: [Stem; 28] = [
    ("fix", &["fixes", "fixing", "fixed"]),
    ("create", &["creates", "creating", "created"]),
    ("delete", &["deletes", "deleting", "deleted"]),
    ("update", &["updates", "updating", "updated"]),
    ("test", &["tests", "testing", "tested"]),
    ("add", &["adds", "adding", "added"]),
    ("remove", &["removes", "removing", "removed"]),
    ("refactor", &["refactors", "refactoring", "refactored"]),
    ("implement", &["implements", "implementing", "implemented"]),
    ("debug", &["debugs", "debugging", "debugged"]),
    ("build", &["builds", "building", "built"]),
    ("run", &["runs", "running", "ran"]),
    ("write", &["writes", "writing", "wrote", "written"]),
    ("read", &["reads", "reading"]),
    ("rename", &["renames", "renaming", "renamed"]),
    ("move", &["moves", "moving", "moved"]),
    ("merge", &["merges", "merging", "merged"]),
    ("deploy", &["deploys", "deploying", "deployed"]),
    ("configure", &["configures", "configuring", "configured"]),
    ("install", &["installs", "installing", "installed"]),
    ("document", &["documents", "documenting", "documented"]),
    ("review", &["reviews", "reviewing", "reviewed"]),
    ("check", &["checks", "checking", "checked"]),
    ("change", &["changes", "changing", "changed"]),
    ("improve", &["improves", "improving", "improved"]),
    ("handle", &["handles", "handling", "handled"]),
    ("use", &["uses", "using", "used"]),
    ("make", &["makes", "making", "made"]),
];

static FORMS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let forms = |(stem, forms): &Stem| forms.iter().map(|form| (*form, *stem)).collect::<Vec<_>>();
    STEMS.iter().flat_map(forms).collect()
});

/// A verb of the list as its stem; any other word as it is.
pub fn stem(word: &str) -> &str {
    FORMS.get(word).copied().unwrap_or(word)
}
