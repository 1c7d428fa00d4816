//! Large values that vanished because a scrub elsewhere took them out, and git brought that: nothing names them any more.
//!
//! They are not put back, and lose their second name, too. Without a scrub in the log nothing is looked for.

use std::collections::BTreeSet;

use super::Vanished;
use super::branches::seconds_of;
use super::content::{has_scrubs, hash_at, named, named_in};
use crate::LogError;
use crate::blob::check_packed;
use crate::disk::Listed;
use crate::segment::{Packing, Segment};
use crate::taken::Known;
use crate::unpack::{Allowance, each_batch};
use crate::writer::Log;

impl Log {
    /// All but the large values that were scrubbed.
    pub(super) fn not_scrubbed(&self, git: &Known, all: Vec<Vanished>) -> Result<Vec<Vanished>, LogError> {
        let is_value = |one: &Vanished| hash_at(&one.path).is_some();
        if !all.iter().any(is_value) {
            return Ok(all);
        }
        let Some(mut named) = self.named_beside_scrubs()? else { return Ok(all) };
        let (mut values, mut left): (Vec<_>, Vec<_>) = all.into_iter().partition(is_value);
        named.extend(self.named_in_waiting(git, &left)?);
        self.take_named(git, &mut values, named, &mut left)?;
        if !values.is_empty() {
            self.take_named(git, &mut values, self.named_on_branches(git)?, &mut left)?;
        }
        // What names one may be away for a moment.
        if self.is_git_at_work() {
            return Ok(left);
        }
        for one in values {
            let second = git.seconds.root().join(one.path);
            self.disk.remove(&second).map_err(LogError::at("remove", second))?;
        }
        Ok(left)
    }

    /// The large values that lines and large values here name; `None` where no line was scrubbed.
    fn named_beside_scrubs(&self) -> Result<Option<BTreeSet<String>>, LogError> {
        let history = self.place.history();
        let (mut found, mut is_scrubbed) = (BTreeSet::new(), false);
        for segment in Segment::list(&*self.disk, history).map_err(LogError::at("list", history))? {
            let bytes = self.bytes(&history.join(&segment.name))?;
            each_batch(Packing::of(&segment.name), bytes, &mut Allowance::of_one(), &mut |batch| {
                is_scrubbed |= has_scrubs(batch.bytes());
                found.extend(named(batch.bytes()));
            });
        }
        if !is_scrubbed {
            return Ok(None);
        }
        for (folder, files) in self.folders()? {
            for (Listed { name, .. }, hash) in files.iter().filter_map(|file| Some((file, hash_at(&file.name)?))) {
                let packed = self.bytes(&self.place.context().join(&folder).join(name))?;
                let text = check_packed(packed.as_slice(), hash).ok().and_then(|checked| checked.text);
                found.extend(named(text.unwrap_or_default().as_bytes()));
            }
        }
        Ok(Some(found))
    }

    /// The large values that are named in what is about to be put back, and in calls that wait.
    fn named_in_waiting(&self, git: &Known, left: &[Vanished]) -> Result<BTreeSet<String>, LogError> {
        let mut waiting = Vec::new();
        for folder in ["calls", "spool"] {
            let folder = self.place.local().join(folder);
            let files = self.disk.list(&folder).map_err(LogError::at("list", &folder))?;
            waiting.extend(files.into_iter().map(|file| folder.join(file.name)));
        }
        self.named_in(seconds_of(git, left).chain(waiting))
    }

    fn named_on_branches(&self, git: &Known) -> Result<BTreeSet<String>, LogError> {
        let asked = |error| self.unasked(&error);
        let held = git.repository.held_below("history").map_err(asked)?.blobs;
        let (mut found, mut allowance) = (BTreeSet::new(), Allowance::of_many());
        for (path, ids) in held.into_iter().filter(|(path, _)| path.contains(".jsonl")) {
            for bytes in git.repository.contents(&ids).map_err(asked)?.into_values() {
                found.extend(named_in(&path, bytes, &mut allowance));
            }
        }
        Ok(found)
    }
}
