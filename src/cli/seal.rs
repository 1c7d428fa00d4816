//! `annals seal`: signs the last line of this clone's writer; with `--stage` hands git what belongs to it.
//!
//! Others ask for a signature, too, at the end of what they do (`at_end`). Where there is none they say so and go on.

mod stage;

use std::path::Path;

use super::shell::{CommandOutcome, Done, Shell};
use crate::engine::keys::{KeyError, KeyFile, public};
use crate::engine::sign::{KeyGone, Seal, Settle, Signing};
use crate::engine::{By, Engine};
use crate::kernel::actor::SYSTEM;
use crate::kernel::decision::Refusal;
use crate::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use crate::kernel::signed::SignedHead;
use crate::kernel::ssh::PublicKey;

/// Arguments of `annals seal`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Then `git add` the files of the history that hold lines of this clone, for a commit
    #[arg(long)]
    stage: bool,
    /// Where the key is gone, go on with a new one
    #[arg(long)]
    new_key: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let key = key_file(shell)?;
    let gone = if arguments.new_key { KeyGone::NewKey } else { KeyGone::Fails };
    let signed = engine.sign_head(&Signing { key: &key, gone, settle: Settle::Waited }, &shell.by_now());
    // What was written goes into the commit whether it could be signed or not.
    let staged = if arguments.stage { stage::stage(shell, &engine) } else { Ok(Vec::new()) };
    let seal = signed?;
    report(shell, &seal, &staged?)
}

/// Where the key of this machine's person is.
pub(super) fn key_file(shell: &Shell) -> Result<KeyFile, KeyError> {
    shell.environment.state().map(|state| KeyFile::below(&state)).ok_or(KeyError::NoPlace)
}

/// The public half, where there is a key.
pub(super) fn own_key(shell: &Shell) -> Result<Option<PublicKey>, KeyError> {
    Ok(key_file(shell)?.load()?.as_ref().map(public))
}

/// Signs at the end of a session and after a scrub. What was done counts, whatever becomes of the signature; where
/// nobody says where a key could be, there is none.
pub(super) fn at_end(shell: &mut Shell, engine: &Engine, done: CommandOutcome) -> Done {
    let Some(state) = shell.environment.state().filter(|_| done == CommandOutcome::Done) else { return Ok(done) };
    let signing = Signing { key: &KeyFile::below(&state), gone: KeyGone::Fails, settle: Settle::Waited };
    let by = By::new(AgentId::from(SYSTEM), SessionId::from(NO_SESSION));
    match engine.sign_head(&signing, &by) {
        Ok(Seal::Signed(..) | Seal::Unchanged) => {}
        Ok(Seal::Refused(refusal)) => shell.out.say(format_args!("not signed: {refusal}"))?,
        Err(error) => shell.out.say(format_args!("not signed: {error}"))?,
    }
    Ok(done)
}

fn report(shell: &mut Shell, seal: &Seal, staged: &[String]) -> Done {
    if shell.wants_json() {
        return json(shell, seal, staged);
    }
    match seal {
        Seal::Signed(entry, signed) => {
            let (statement, key) = (&signed.statement, signed.key.fingerprint());
            let (n, writer) = (statement.n, &statement.writer);
            shell.out.line(format_args!("signed line {n} of writer {writer} with {key} ({entry})"))?;
        }
        Seal::Unchanged => shell.out.line("nothing was written here since the last signature")?,
        Seal::Refused(refusal) => shell.out.say(format_args!("refused: {refusal}"))?,
    }
    for file in staged {
        shell.out.line(format_args!("added {file}"))?;
    }
    Ok(outcome(seal))
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Sealed<'s> {
    /// The entry that holds the signature; none where nothing was written since the last one.
    entry: Option<&'s EntryId>,
    head: Option<&'s SignedHead>,
    refusal: Option<&'s Refusal>,
    /// Files that were added to git's index.
    staged: &'s [String],
}

fn json(shell: &mut Shell, seal: &Seal, staged: &[String]) -> Done {
    let (entry, head, refusal) = match seal {
        Seal::Signed(entry, signed) => (Some(entry), Some(&**signed), None),
        Seal::Unchanged => (None, None, None),
        Seal::Refused(refusal) => (None, None, Some(refusal)),
    };
    shell.out.answer(&Sealed { entry, head, refusal, staged })?;
    Ok(outcome(seal))
}

fn outcome(seal: &Seal) -> CommandOutcome {
    match seal {
        Seal::Signed(..) | Seal::Unchanged => CommandOutcome::Done,
        Seal::Refused(_) => CommandOutcome::Refused,
    }
}

/// Whether git hands its hook an index of its own making, for a commit of single paths: what is added to that one goes
/// into the commit and not into the index that stays, where it would then look deleted.
fn is_of_single_paths(index: &Path) -> bool {
    index.file_name().is_some_and(|name| name.to_string_lossy().starts_with("next-index-"))
}
