//! Counting votes (AFS 7.2, decision 20): exactly, in whole numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// What a member says.
    pub enum Choice {
        /// It should be.
        Approve = "approve",
        /// It should not.
        Reject = "reject",
        /// Nothing; does not count for the quorum.
        Abstain = "abstain",
    }
}

words! {
    /// What is decided.
    pub enum VoteVerdict {
        /// It shall be.
        Approve = "approve",
        /// It shall not.
        Reject = "reject",
    }
}

/// What votes come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VoteCount {
    /// The sum of confidence of those who approve, in thousandths.
    pub approve: u32,
    /// Of those who reject.
    pub reject: u32,
    /// How many approved or rejected.
    pub voices: u32,
}

impl VoteCount {
    /// Of votes with their confidence.
    pub fn of(votes: impl IntoIterator<Item = (Choice, Share)>) -> Self {
        votes.into_iter().fold(Self::default(), |count, (choice, confidence)| {
            let weight = u32::from(confidence.in_thousandths());
            let voices = count.voices.saturating_add(1);
            match choice {
                Choice::Approve => Self { approve: count.approve.saturating_add(weight), voices, ..count },
                Choice::Reject => Self { reject: count.reject.saturating_add(weight), voices, ..count },
                Choice::Abstain => count,
            }
        })
    }

    fn all(self) -> u64 {
        u64::from(self.approve) + u64::from(self.reject)
    }

    /// What is decided; nothing where it is a tie. No weight at all is a tie (decision 20).
    pub fn verdict(self, threshold: Share) -> Option<VoteVerdict> {
        const WHOLE: u64 = 1000;
        let (approve, threshold) = (u64::from(self.approve) * WHOLE, u64::from(threshold.in_thousandths()));
        match () {
            () if self.all() == 0 => None,
            // Products of whole numbers in place of a quotient: two of three votes are 0.666…, and 0.67 is compared
            // as it is written (decision 20).
            () if approve >= threshold * self.all() => Some(VoteVerdict::Approve),
            () if approve <= (WHOLE - threshold) * self.all() => Some(VoteVerdict::Reject),
            () => None,
        }
    }

    /// The share of the weight that is for a verdict, rounded down; nothing where there is no weight.
    pub fn share(self, verdict: VoteVerdict) -> Option<Share> {
        let some = match verdict {
            VoteVerdict::Approve => self.approve,
            VoteVerdict::Reject => self.reject,
        };
        Share::of_count(u64::from(some), self.all())
    }
}
