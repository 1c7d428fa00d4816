//! Signs the head of this clone's writer: under the lock, so that it is the last line and nobody comes between.
//!
//! Recording never waits for it and never fails because of it: whoever asks for a signature hears why there is none.

use super::keys::{KeyError, KeyFile, public};
use super::{By, Engine, EngineError, Touched};
use annals_kernel::decision::Refusal;
use annals_kernel::id::EntryId;
use annals_kernel::json::Json;
use annals_kernel::signed::{SignedHead, Statement};
use annals_log::LogError;
use annals_log::bookmark::Bookmark;
use annals_log::segment::Packing;
use annals_log::writer::Pen;
use annals_rules::domain::Ask;
use annals_rules::domain::signature::command::{Observed, Sign};

/// What becomes of a clone whose key is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyGone {
    /// It is said.
    Fails,
    /// A person wants another one.
    NewKey,
}

/// When a signature counts as made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// When it is on the disk, as `history.durability` says.
    Waited,
    /// When it is written: nobody is told of it, and who comes next syncs it and folds it.
    Left,
}

/// How a head is to be signed.
#[derive(Debug, Clone, Copy)]
pub struct Signing<'k> {
    /// With which key.
    pub key: &'k KeyFile,
    /// What becomes of it where the key is gone.
    pub gone: KeyGone,
    /// When it counts.
    pub settle: Settle,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Seal {
    /// The head was signed, in an entry of its own.
    Signed(EntryId, Box<SignedHead>),
    /// This writer has written nothing since its last signed head.
    Unchanged,
    /// A rule says no.
    Refused(Refusal),
}

impl Engine {
    /// Signs the last line of this clone's writer, and with it all that it has written and seen.
    pub fn sign_head(&self, signing: &Signing<'_>, by: &By) -> Result<Seal, EngineError> {
        let by = &self.clean_by(by);
        let (seal, ticket) =
            self.log.write(&mut || self.clock.chance(), |pen| self.sign_under_lock(pen, signing, by))?;
        if signing.settle == Settle::Waited && matches!(seal, Seal::Signed(..)) {
            self.settle(ticket.as_ref())?;
            self.keep_up();
            self.wrote(&Touched::sessions([by.session.clone()].into()));
        }
        Ok(seal)
    }

    fn sign_under_lock(&self, pen: &mut Pen<'_>, signing: &Signing<'_>, by: &By) -> Result<Seal, EngineError> {
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        let link = pen.position().next_link();
        let Some(n) = link.count.checked_sub(1).filter(|n| *n > 0) else { return Ok(Seal::Unchanged) };
        let key = match (signing.key.load()?, signing.gone) {
            (Some(key), _) => key,
            (None, KeyGone::NewKey) => new_key(signing.key)?,
            (None, KeyGone::Fails) => {
                let known =
                    live.ask(|world| world.rooms.signature.keys(&link.writer).first().map(ToString::to_string))?;
                let path = || signing.key.path().to_owned();
                known.map_or(Ok(()), |fingerprint| Err(KeyError::Gone { path: path(), fingerprint }))?;
                new_key(signing.key)?
            }
        };
        let last = live.ask(|world| world.rooms.signature.last(&link.writer, &public(&key)).map(|signed| signed.n))?;
        // The only line since is the one that holds the signature: signing it again would never come to an end.
        if last.is_some_and(|last| last + 1 == n) {
            return Ok(Seal::Unchanged);
        }
        let at = self.clock.now();
        let statement = Statement { writer: link.writer, n, hash: link.previous, seen: link.seen, at };
        let signed = statement.sign(&key).expect("BUG: a key that was read is weak");
        // What is signed are names, counts and hashes, which no rule of the sanitizer is for.
        let command = Sign { head: signed.statement.head().into() };
        let observed = Json::of(&Observed { signed: Some(signed.clone()) });
        let stopwatch = self.clock.stopwatch();
        let ask = Ask { command: annals_rules::domain::signature::Command::from(command).into(), observed };
        let answer = self.decide_one(pen, live, &ask, by, || stopwatch.millis())?;
        Ok(match (answer.entry, answer.refusal) {
            (_, Some(refusal)) => Seal::Refused(refusal),
            (Some(entry), None) => Seal::Signed(entry, Box::new(signed)),
            (None, None) => Seal::Unchanged,
        })
    }
}

impl Engine {
    /// The segments that hold lines of this clone's writer, by name. Archives are made of what git has already.
    pub fn own_segments(&self) -> Result<Vec<String>, EngineError> {
        let path = self.place().bookmark();
        let bookmark = Bookmark::read(&**self.disk(), &path).map_err(LogError::at("read", &path))?;
        let Some(writer) = bookmark.map(|bookmark| bookmark.writer) else { return Ok(Vec::new()) };
        let marks = self.marks()?;
        let own =
            marks.iter().filter(|(name, mark)| mark.heads.contains_key(&writer) && Packing::of(name) == Packing::Plain);
        Ok(own.map(|(name, _)| name.to_owned()).collect())
    }
}

fn new_key(file: &KeyFile) -> Result<ed25519_dalek::SigningKey, KeyError> {
    file.load_or_make(super::clock::secret)
}
