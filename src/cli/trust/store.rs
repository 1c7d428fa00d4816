//! The list of trusted keys: one file in the state directory, in the form of git's allowed signers.
//!
//! Its other lines and comments stay as they are.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::cli::seal::own_key;
use crate::cli::shell::Shell;
use crate::kernel::ssh::signers::{Signer, Signers};
use crate::log::disk::{Disk, RealDisk, Shut};

/// A file of keys has at most so many bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The name under which the key of this machine is trusted here, without being in the list.
const OWN: &str = "you";

/// The file of the list.
pub(super) struct Store(PathBuf);

impl Store {
    /// That of the user.
    pub(super) fn of(shell: &Shell) -> anyhow::Result<Self> {
        let state = shell.environment.state();
        let state = state.ok_or_else(|| anyhow!("there is no place for trusted keys: set XDG_STATE_HOME or HOME"))?;
        Ok(Self(state.join("annals/allowed_signers")))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    fn text(&self) -> anyhow::Result<String> {
        let text = text_of(&self.0).with_context(|| format!("cannot read {}", self.0.display()))?;
        Ok(text.unwrap_or_default())
    }

    /// Who is trusted.
    pub(super) fn read(&self) -> anyhow::Result<Signers> {
        Ok(Signers::parse(&self.text()?))
    }

    /// Adds those that are not there yet; returns how many those are.
    pub(super) fn add(&self, signers: &[Signer]) -> anyhow::Result<usize> {
        let mut text = self.text()?;
        let known = Signers::parse(&text).signers;
        let is_known = |new: &Signer| {
            let key = |one: &Signer| (one.name.clone(), one.key.to_string(), one.after, one.before);
            known.iter().any(|one| key(one) == key(new))
        };
        let new: Vec<_> = signers.iter().filter(|signer| !is_known(signer)).collect();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.extend(new.iter().map(|signer| format!("{}\n", signer.text)));
        if !new.is_empty() {
            self.write(&text)?;
        }
        Ok(new.len())
    }

    /// Takes lines out; returns how many.
    pub(super) fn remove(&self, is_meant: impl Fn(&Signer) -> bool) -> anyhow::Result<usize> {
        let text = self.text()?;
        let gone: Vec<_> =
            Signers::parse(&text).signers.iter().filter(|one| is_meant(one)).map(|one| one.line).collect();
        let left = (1..).zip(text.lines()).filter(|(number, _)| !gone.contains(number));
        if !gone.is_empty() {
            self.write(&left.flat_map(|(_, line)| [line, "\n"]).collect::<String>())?;
        }
        Ok(gone.len())
    }

    /// A reader sees the old list or the new one, whole.
    fn write(&self, text: &str) -> anyhow::Result<()> {
        let failed = || format!("cannot write {}", self.0.display());
        let folder = self.0.parent().expect("BUG: the list has a folder");
        DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(failed)?;
        let temporary = folder.join(format!(".allowed_signers.{}.tmp", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&temporary)
            .with_context(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).with_context(failed)?;
        fs::rename(&temporary, &self.0).with_context(failed)
    }
}

/// Who is trusted here: the person's list, and this machine's own key.
pub(in crate::cli) fn trusted(shell: &mut Shell) -> anyhow::Result<Signers> {
    let Ok(store) = Store::of(shell) else { return Ok(Signers::default()) };
    let mut list = store.read()?;
    match own_key(shell) {
        Ok(Some(key)) if !list.signers.iter().any(|one| one.key == key) => list.signers.push(Signer::new(OWN, key, "")),
        Ok(_) => {}
        Err(error) => shell.out.say(format_args!("your own key is not among those that are trusted: {error}"))?,
    }
    say_passed_over(shell, &store.path().display().to_string(), &list)?;
    Ok(list)
}

/// Who is trusted by a file that was named, and nobody else.
pub(in crate::cli) fn named(shell: &mut Shell, path: &Path) -> anyhow::Result<Signers> {
    let list = Signers::parse(&text_there(shell, path)?);
    say_passed_over(shell, &path.display().to_string(), &list)?;
    Ok(list)
}

/// The text of a file of keys that a person named.
pub(super) fn text_there(shell: &Shell, path: &Path) -> anyhow::Result<String> {
    let text = text_of(&shell.environment.directory.join(path));
    let text = text.and_then(|text| text.ok_or_else(|| io::ErrorKind::NotFound.into()));
    text.with_context(|| format!("cannot read {}", path.display()))
}

/// The text of a file of keys, or `None` where there is none. Links are the person's; a pipe or a device behind them holds
/// nobody up and is not read.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    let disk: &dyn Disk = &RealDisk;
    let bytes =
        disk.read_at_most(path, MOST_BYTES).map_err(|error| if is_special(&error) { no_file() } else { error })?;
    bytes.map(String::from_utf8).transpose().map_err(|_| io::Error::other("it is no text"))
}

fn is_special(error: &io::Error) -> bool {
    matches!(Shut::of(error), Some(Shut::Special { .. }))
}

fn no_file() -> io::Error {
    io::Error::other("it is a pipe, a socket or a device: name a plain file")
}

pub(super) fn say_passed_over(shell: &mut Shell, file: &str, list: &Signers) -> io::Result<()> {
    list.passed_over
        .iter()
        .try_for_each(|one| shell.out.say(format_args!("{file}:{}: passed over: {}", one.line, one.why)))
}
