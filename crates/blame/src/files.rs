//! The files of some names, as calls of a stretch of time leave them.
//!
//! Knows no versions but the one that the stretch begins with, and texts of others by which it tells who stands elsewhere.

use std::collections::BTreeMap;

use annals_kernel::id::EntryId;

use super::deed::{Deed, Extent, What};
use super::guess::Guesses;
use super::history::{Event, Passed};
use super::model::{Followed, Model};
use super::text::Text;

/// The files of some names, of which one becomes the one that is asked for.
pub(crate) struct Files {
    by_path: BTreeMap<String, Guesses>,
    start: Guesses,
    start_path: String,
    /// The name that the file has in the end.
    path: String,
}

impl Files {
    pub(crate) fn new(start: Option<Model>, start_path: &str, path: &str) -> Self {
        let start = start.map(Guesses::of);
        let by_path = start.iter().map(|model| (start_path.to_owned(), model.clone())).collect();
        Self { by_path, start: start.unwrap_or_default(), start_path: start_path.to_owned(), path: path.to_owned() }
    }

    pub(crate) fn event(&mut self, event: &Event, others: &[&Text], passed: &mut Passed) {
        for deed in &event.deeds {
            if self.is_elsewhere(deed, others) {
                return;
            }
            self.deed(deed, event.call, passed);
        }
    }

    /// Whether a call saw the file as a version of another branch has it.
    fn is_elsewhere(&self, deed: &Deed, others: &[&Text]) -> bool {
        let What::Seen(_, text, Extent::All) = &deed.what else { return false };
        let here = self.by_path.get(&deed.path);
        !here.is_some_and(|model| model.may_be(text)) && others.iter().any(|other| other.lines == text.lines)
    }

    fn deed(&mut self, deed: &Deed, call: EntryId, passed: &mut Passed) {
        if let What::Moved(to) = &deed.what {
            if let Some(model) = self.by_path.remove(&deed.path) {
                self.by_path.insert(to.clone(), model);
            }
        } else if let What::Copied(to) = &deed.what {
            let model = self.by_path.get(&deed.path).cloned();
            self.by_path.insert(to.clone(), model.unwrap_or_default());
        } else if deed.what == What::Restored {
            if is_below(&self.start_path, &deed.path)
                && let Some(model) = self.by_path.get_mut(&self.start_path)
            {
                *model = self.start.clone();
            }
        } else if self.is_lost(deed, call) {
            passed.opaque.insert(call);
        }
    }

    /// Follows a deed within a file; says whether what became of the text is not known.
    fn is_lost(&mut self, deed: &Deed, call: EntryId) -> bool {
        if deed.what == What::Opaque {
            return self.by_path.keys().any(|path| is_below(path, &deed.path));
        }
        self.file(&deed.path).take(&deed.what, call) == Followed::No
    }

    /// The file of a name. The first who names it by the name that it has in the end may do so after a person renamed it.
    fn file(&mut self, path: &str) -> &mut Guesses {
        if path == self.path && !self.by_path.contains_key(path) {
            let renamed = self.by_path.remove(&self.start_path).unwrap_or_default();
            self.by_path.insert(path.to_owned(), renamed);
        }
        self.by_path.entry(path.to_owned()).or_default()
    }

    pub(crate) fn take(mut self) -> Guesses {
        let path = self.path.clone();
        std::mem::take(self.file(&path))
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || folder == "."
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
