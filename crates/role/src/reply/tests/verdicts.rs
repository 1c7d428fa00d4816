//! Verdicts of one word, what words stand on, and answers that are neither.

use super::super::{is_grounded, shares_a_word, word};
use annals_kernel::grounding::words;

words! {
    /// What may be said.
    pub enum BusSaid {
        /// Yes.
        Pass = "pass",
        /// No.
        Fail = "fail",
        /// A word that is a negation elsewhere.
        No = "no",
        /// A word with a hyphen.
        InDoubt = "in-doubt",
        /// A word in capitals.
        Escalate = "SHOULD_ESCALATE",
    }
}

#[test]
fn one_word_is_read_however_it_is_dressed() {
    for (raw, expected) in [
        ("pass", BusSaid::Pass),
        ("PASS", BusSaid::Pass),
        ("\"pass.\"", BusSaid::Pass),
        ("Verdict: pass", BusSaid::Pass),
        ("**Fail**\n", BusSaid::Fail),
        ("`fail`", BusSaid::Fail),
        ("{\"verdict\": \"fail\"}", BusSaid::Fail),
        ("- pass -", BusSaid::Pass),
        ("The verdict is: PASS. pass!", BusSaid::Pass),
        ("No.", BusSaid::No),
        ("in-doubt", BusSaid::InDoubt),
        ("should_escalate", BusSaid::Escalate),
        ("<think>fail? no, pass… or fail</think>pass", BusSaid::Pass),
        ("fail\n</think>\n\npass", BusSaid::Pass),
        (
            "Verdict: pass\nThe file holds every line that was asked for, in the right order, as the call shows.",
            BusSaid::Pass,
        ),
        ("I looked at the whole output, and every line of it is there as it was wanted.\n\nPASS", BusSaid::Pass),
    ] {
        assert_eq!(word(raw), Some(expected), "{raw}");
    }
}

#[test]
fn what_is_not_plainly_said_is_no_verdict() {
    for raw in [
        "",
        "  \n",
        "maybe",
        "pass or fail",
        "pass/fail",
        "It does not pass.",
        "It doesn't pass.",
        "It doesn’t pass",
        "This cannot pass",
        "not a pass",
        "passed",
        "unpass",
        "<think>pass",
        "pass <think> or fail",
        "I would say that this one should probably count as a pass in the end, all told.",
        "pass\nfail",
        "pass\nbecause of this and that and many other things that I could name here\nfail",
    ] {
        assert_eq!(word::<BusSaid>(raw), None, "{raw}");
    }
}

#[test]
fn what_is_written_stands_on_words_and_all_numbers() {
    for (text, source, expected) in [
        ("only below src", "please change only files below src/", true),
        ("the file system of the user", "sort names.txt", false),
        ("12 files", "there are 13 files", false),
        ("007 files", "there are 7 files", true),
        ("", "anything", false),
        ("...", "...", false),
        ("排序文件", "把文件排序", true),
        ("删除数据", "把文件排序", false),
    ] {
        assert_eq!(is_grounded(text, source), expected, "{text} / {source}");
    }
    for (text, source, expected) in [
        ("Sort the names.", "sort it", true),
        ("Go to it", "I am to do it now", false),
        ("对文件排序", "把文件排序", true),
        ("Do x", "x", true),
        ("Write mark.txt", "", false),
    ] {
        assert_eq!(shares_a_word(text, source), expected, "{text} / {source}");
    }
}
