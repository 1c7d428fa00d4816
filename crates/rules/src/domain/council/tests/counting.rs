//! Counting votes (AFS 7.2, decision 20).

use super::super::count::{Choice, VoteCount, VoteVerdict};
use annals_kernel::share::Share;

use Choice::{Abstain, Approve, Reject};

fn count(votes: &[(Choice, u16)]) -> VoteCount {
    VoteCount::of(votes.iter().map(|(choice, confidence)| (*choice, Share::thousandths(*confidence))))
}

/// Votes, threshold, what they come to.
type CountingCase<'c> = (&'c [(Choice, u16)], u16, Option<VoteVerdict>);

/// AFS 7.2, decision 20: the ratio is compared with the threshold as it is written.
#[test]
fn votes_come_to_what_the_ratio_says() {
    let (approve, reject) = (Some(VoteVerdict::Approve), Some(VoteVerdict::Reject));
    let cases: [CountingCase<'_>; 16] = [
        (&[(Approve, 1000), (Approve, 1000), (Reject, 980)], 670, approve),
        (&[(Approve, 800), (Reject, 800), (Reject, 800)], 670, None),
        (&[(Approve, 800), (Approve, 800), (Approve, 800)], 670, approve),
        (&[(Approve, 1000), (Approve, 1000), (Reject, 990)], 670, None),
        (&[(Approve, 500), (Reject, 500)], 670, None),
        // Two of three equal votes tie.
        (&[(Approve, 1000), (Approve, 1000), (Reject, 1000)], 670, None),
        (&[(Approve, 1000), (Approve, 1000), (Reject, 1000)], 666, approve),
        // The bounds count: 0.67 of the weight, and 0.33 of it.
        (&[(Approve, 670), (Reject, 330)], 670, approve),
        (&[(Approve, 669), (Reject, 331)], 670, None),
        (&[(Approve, 330), (Reject, 670)], 670, reject),
        (&[(Approve, 331), (Reject, 669)], 670, None),
        // No weight at all is a tie, and confidence 0 is 0.
        (&[(Approve, 0), (Reject, 0)], 670, None),
        (&[(Approve, 0), (Reject, 1)], 670, reject),
        (&[(Abstain, 1000), (Abstain, 1000)], 670, None),
        (&[(Abstain, 1000), (Approve, 1)], 670, approve),
        (&[(Approve, 1), (Reject, 1)], 500, approve),
    ];
    for (votes, threshold, expected) in cases {
        assert_eq!(count(votes).verdict(Share::thousandths(threshold)), expected, "{votes:?} at {threshold}");
    }
}

#[test]
fn the_share_of_a_verdict_is_rounded_down() {
    let found = count(&[(Approve, 1000), (Approve, 1000), (Reject, 980), (Abstain, 1000)]);
    assert_eq!(found, VoteCount { approve: 2000, reject: 980, voices: 3 });
    assert_eq!(found.share(VoteVerdict::Approve), Some(Share::thousandths(671)));
    assert_eq!(found.share(VoteVerdict::Reject), Some(Share::thousandths(328)));
    assert_eq!(VoteCount::default().share(VoteVerdict::Approve), None);
}
