//! What can still be told of a link in a line whose link, or whole, cannot be read: enough to say which line it was.
//!
//! A guess for messages: nothing is taken for intact on its word.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use annals_kernel::annals::LineHash;
use annals_kernel::id::WriterId;

/// The members of a link that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RawLink {
    pub(super) place: Option<(WriterId, u64)>,
    pub(super) previous: Option<LineHash>,
}

/// In a line that can be read the link stands in its last bytes, if it has one.
const TAIL_BYTES: usize = 1024;

impl RawLink {
    /// Looks at the end of a line that is an entry. Most lines without a link never had one.
    pub(super) fn at_end_of(line: &[u8]) -> Option<Self> {
        let tail = &line[line.len().saturating_sub(TAIL_BYTES)..];
        let may_be_linked = PREVIOUS.find(tail).is_some() || WRITER.find(tail).is_some();
        may_be_linked.then(|| Self::anywhere_in(tail)).flatten()
    }

    /// Looks at a whole line, however broken.
    pub(super) fn anywhere_in(line: &[u8]) -> Option<Self> {
        let previous = behind_last(line, br#""p":""#).and_then(hash);
        let writer = behind_last(line, br#""w":""#).and_then(name);
        let count = behind_last(line, br#""n":"#).and_then(number);
        let found = Self { place: writer.zip(count), previous };
        (found != Self::default()).then_some(found)
    }
}

static PREVIOUS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(br#""p":""#));
static WRITER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(br#""w":""#));

fn behind_last<'l>(line: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    memmem::rfind(line, key).map(|at| &line[at + key.len()..])
}

fn hash(rest: &[u8]) -> Option<LineHash> {
    LineHash::parse(std::str::from_utf8(rest.get(..32)?).ok()?)
}

fn name(rest: &[u8]) -> Option<WriterId> {
    let length = rest.iter().take(64).position(|byte| *byte == b'"')?;
    std::str::from_utf8(&rest[..length]).ok().map(WriterId::from)
}

fn number(rest: &[u8]) -> Option<u64> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}
