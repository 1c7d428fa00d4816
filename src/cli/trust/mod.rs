//! `annals trust …`: whose keys may sign. The list is the person's own, in the state directory (decision 50): what a
//! repository brings is shown, and counts when the person has said yes.

mod import;
mod store;

use self::store::Store;
pub(super) use self::store::{named, trusted};
use super::seal::key_file;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::engine::clock;
use crate::engine::keys::public;
use crate::kernel::ssh::signers::{Signer, is_name};
use crate::kernel::ssh::{Fingerprint, PublicKey};
use crate::kernel::time::Timestamp;

/// Commands about trusted keys.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Trust a key, under a name
    Add {
        /// Whose it is
        name: String,
        /// The key, as in `ssh-ed25519 AAAA…`
        #[arg(num_args = 0.., conflicts_with = "file")]
        key: Vec<String>,
        /// A file with the key, as `id_ed25519.pub`
        #[arg(long, value_name = "FILE")]
        file: Option<std::path::PathBuf>,
    },
    /// List the keys that are trusted
    List,
    /// Trust a key no more, or all of a name
    Remove {
        /// The name, or `SHA256:…`
        name: String,
    },
    /// Take names and keys from a file of allowed signers, that of git if none is named
    Import(import::Arguments),
    /// Print the public key of this machine, for others to trust; make one if there is none yet
    Key,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Add { name, key, file } => {
            let text = match file {
                Some(file) => store::text_there(shell, &file)?,
                None => key.join(" "),
            };
            add(shell, &name, &text)
        }
        Command::List => list(shell),
        Command::Remove { name } => remove(shell, &name),
        Command::Import(arguments) => import::run(shell, &arguments),
        Command::Key => own(shell),
    }
}

fn add(shell: &mut Shell, name: &str, text: &str) -> Done {
    if !is_name(name) || name.contains(char::is_whitespace) {
        return Err(Usage(format!("{name:?} is no name: give one word without quotes")).into());
    }
    let key: PublicKey = text.trim().parse().map_err(|error| Usage(format!("the key of {name}: {error}")))?;
    let comment = text.split_ascii_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    let store = Store::of(shell)?;
    let is_new = store.add(&[Signer::new(name, key, &comment)])? > 0;
    let (verb, key) = (if is_new { "trusts" } else { "trusted already:" }, key.fingerprint());
    report(shell, usize::from(is_new), format_args!("{verb} {name} {key}"))
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Trust {
    /// Those whose signatures count.
    Signers { signers: Vec<Trusted> },
    /// Keys of a file that are new, and how many of them are trusted now.
    Proposed { changed: usize, proposed: Vec<NamedKey> },
    /// How many keys came or went.
    Changed { changed: usize },
    /// The key of this clone.
    Key { key: PublicKey, fingerprint: Fingerprint },
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Trusted {
    #[serde(flatten)]
    signer: NamedKey,
    /// Signatures before this time do not count.
    after: Option<Timestamp>,
    /// Signatures from this time on do not count.
    before: Option<Timestamp>,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NamedKey {
    name: Box<str>,
    key: PublicKey,
    fingerprint: Fingerprint,
}

impl NamedKey {
    fn of(one: &Signer) -> Self {
        Self { name: one.name.clone(), key: one.key, fingerprint: one.fingerprint() }
    }
}

fn list(shell: &mut Shell) -> Done {
    let store = Store::of(shell)?;
    let list = store.read()?;
    if shell.wants_json() {
        let signer = |one: &Signer| Trusted { signer: NamedKey::of(one), after: one.after, before: one.before };
        shell.out.answer(&Trust::Signers { signers: list.signers.iter().map(signer).collect() })?;
    } else {
        let time = |time: &Option<_>| time.as_ref().map_or("-".to_owned(), ToString::to_string);
        let row = |one: &Signer| {
            vec![one.name.to_string(), one.fingerprint().to_string(), time(&one.after), time(&one.before)]
        };
        let rows: Vec<_> = list.signers.iter().map(row).collect();
        shell.out.table(&[Key("name"), Text("key"), Key("from"), Goes(1, "until")], &rows)?;
    }
    store::say_passed_over(shell, &store.path().display().to_string(), &list)?;
    Ok(CommandOutcome::Done)
}

fn remove(shell: &mut Shell, name: &str) -> Done {
    let count = Store::of(shell)?.remove(|one| *one.name == *name || one.fingerprint().to_string() == name)?;
    if count == 0 {
        return Err(Usage(format!("nobody is trusted as {name}; `annals trust list` shows who is")).into());
    }
    report(shell, count, format_args!("{name} is trusted no more"))
}

fn report(shell: &mut Shell, changed: usize, text: std::fmt::Arguments<'_>) -> Done {
    if shell.wants_json() {
        shell.out.answer(&Trust::Changed { changed })?;
    } else {
        shell.out.line(text)?;
    }
    Ok(CommandOutcome::Done)
}

fn own(shell: &mut Shell) -> Done {
    let key = public(&key_file(shell)?.load_or_make(clock::secret)?);
    if shell.wants_json() {
        let fingerprint = key.fingerprint();
        shell.out.answer(&Trust::Key { key, fingerprint })?;
    } else {
        shell.out.line(key)?;
    }
    Ok(CommandOutcome::Done)
}
