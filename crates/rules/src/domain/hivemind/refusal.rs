//! Why an entry stays as it is.

use super::row::EntryCategory;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

refusal! {
    /// Why an entry stays as it is.
    pub enum Refusal {
        /// Nobody could write it twice.
        BadKey = "hivemind.bad_key" { key: Box<str> },
        /// Nothing was learnt.
        NoValue = "hivemind.no_value",
        /// Nobody could read it.
        TooLong = "hivemind.too_long" { what: &'static str, length: usize, most: usize },
        /// Nobody could find it.
        BadWords = "hivemind.bad_words" { most: usize, chars: usize },
        /// It would be gone at once.
        TooWeak = "hivemind.too_weak" { confidence: Share, least: Share },
        /// It is there, and says so.
        Known = "hivemind.known" { key: Box<str> },
        /// It is there, and says something else.
        OtherValue = "hivemind.other_value" { key: Box<str> },
        /// Nothing has this key.
        UnknownEntry = "hivemind.unknown_entry" { key: Box<str> },
        /// Decision 21.
        Expired = "hivemind.expired" { key: Box<str>, at: Timestamp },
        /// One thing at a time.
        ContestedAlready = "hivemind.contested_already" { key: Box<str> },
        /// Nothing to settle.
        NotContested = "hivemind.not_contested" { key: Box<str> },
        /// It was decided to keep it for good.
        Golden = "hivemind.golden" { key: Box<str> },
        /// It is that already.
        GoldenAlready = "hivemind.golden_already" { key: Box<str> },
        /// It is that already.
        GlobalAlready = "hivemind.global_already" { key: Box<str> },
        /// AFS 6.5.
        StaysHere = "hivemind.stays_here" { category: EntryCategory },
        /// AFS 13.2.
        GlobalDisabled = "hivemind.global_disabled",
        /// Nobody could judge it.
        NoReason = "hivemind.no_reason",
        /// Nothing to choose from.
        NoAlternative = "hivemind.no_alternative",
        /// Nothing would change.
        SameValue = "hivemind.same_value" { key: Box<str> },
        /// What one agent has learnt, another does not overwrite.
        NotItsAuthor = "hivemind.not_its_author" { actor: AgentId, key: Box<str>, author: AgentId },
        /// A council, or who leads.
        NotALead = "hivemind.not_a_lead" { actor: AgentId, what: &'static str },
        /// Agents contest; they do not take away.
        NotTheUser = "hivemind.not_the_user" { actor: AgentId },
        /// It stands in paths.
        BadStore = "hivemind.bad_store" { name: Box<str> },
        /// More than a line should hold.
        TooMany = "hivemind.too_many" { count: usize, most: usize },
    }
}
