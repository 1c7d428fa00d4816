//! Where sealed opinions, and raw answers of models, lie until their pass is closed: in the user's state directory, for nobody else to read
//! (decision 40). Never in `.context`.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use serde::Serialize;

use super::raw::RawAnswer;
use crate::cli::environment::Environment;
use crate::domain::blind::command::Opinion;
use crate::log::blob::is_hash;

/// A folder of sealed opinions, each under its hash.
pub(super) struct Drawer(PathBuf);

impl Drawer {
    /// That of the user.
    pub(super) fn of(environment: &Environment) -> anyhow::Result<Self> {
        let state = environment.state();
        let state =
            state.ok_or_else(|| anyhow!("there is no place for sealed opinions: set XDG_STATE_HOME or HOME"))?;
        Ok(Self(state.join("annals/blind")))
    }

    /// A seal that is no hash came with a merge, and is made no path of: it has the path of none.
    fn path(&self, seal: &str) -> PathBuf {
        self.0.join(format!("{}.json", if is_hash(seal) { seal } else { "none" }))
    }

    /// Keeps what is sealed; whoever is told so can rely on it.
    pub(super) fn put(&self, seal: &str, sealed: &impl Serialize) -> anyhow::Result<()> {
        let path = self.path(seal);
        let failed = || format!("keep the opinion in {}", self.0.display());
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0).with_context(failed)?;
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path).with_context(failed)?;
        file.write_all(serde_json::to_string(sealed)?.as_bytes()).with_context(failed)?;
        file.sync_all().with_context(failed)
    }

    /// The opinion of a hash, where it lies here and can be read as one.
    pub(super) fn get(&self, seal: &str) -> anyhow::Result<Option<Opinion>> {
        let path = self.path(seal);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(serde_json::from_str(&text).unwrap_or_else(|_| no_opinion(text)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("read {}", path.display())),
        }
    }

    /// The names of all that lies here, in order.
    pub(super) fn seals(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|file| file.file_name());
        let mut seals: Vec<_> =
            names.filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned())).collect();
        seals.retain(|seal| is_hash(seal));
        seals.sort();
        seals
    }

    /// The raw answer of a hash, where one lies here.
    pub(super) fn raw(&self, seal: &str) -> Option<RawAnswer> {
        serde_json::from_str(&fs::read_to_string(self.path(seal)).ok()?).ok()
    }

    /// Throws one away that was not taken, or that stands in the history now. Whether it worked changes nothing.
    pub(super) fn throw_away(&self, seal: &str) {
        let _ = fs::remove_file(self.path(seal));
    }
}

/// What somebody made of a file: it fits no hash, and the rules say so.
fn no_opinion(body: String) -> Opinion {
    let stance = crate::kernel::grounding::Stance::Neutral;
    Opinion { salt: Box::default(), stance, body: body.into(), model: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_that_is_no_hash_reaches_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let drawer = Drawer(folder.path().join("blind"));
        fs::create_dir(folder.path().join("blind")).expect("made");
        fs::write(folder.path().join("secret.json"), "{}").expect("written");
        for seal in ["../secret", "", "..", "/etc/passwd", &"x".repeat(64), &"A".repeat(64)] {
            assert!(drawer.get(seal).expect("nothing").is_none(), "{seal}");
            drawer.throw_away(seal);
        }
        assert!(folder.path().join("secret.json").exists());
    }
}
