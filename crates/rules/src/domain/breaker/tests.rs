//! Comments against the rules: given a thread, what each rule says.

use super::gist::Gist;
use super::rule::BreakerRule;
use super::thread::Thread;
use super::*;
use annals_kernel::grounding::{Checked, FileReference, Impact, Stance};
use annals_kernel::grounds::Grounds;
use annals_kernel::id::{AgentId, EntryId};

/// Long enough for any preset, about something. Not in capitals: it has a word of alarm.
fn substance(about: &str) -> String {
    format!(
        "About {about}: the reader of the log stops at a torn line, although the lines behind it are whole, so that a \
         crash in the middle of a day hides what came later; I would skip what does not parse, count it, and let the \
         doctor name the place, because whoever repairs a file by hand must know where to look first and what was lost."
    )
}

/// Who spoke, with evidence that was new (`anna!`) or none, the user included.
fn judged(who: &[&str], author: &str, body: &str, preset: Preset) -> Vec<String> {
    let names: Vec<_> = who.iter().map(|name| AgentId::from(name.trim_end_matches('!'))).collect();
    let turn = |(name, author): (&&str, _)| CommentTurn {
        author,
        speaker: if *name == "user" { Speaker::Other } else { Speaker::Agent },
        ground: if name.ends_with('!') { Ground::New } else { Ground::Known },
    };
    let turns: Vec<_> = who.iter().zip(&names).map(turn).collect();
    violated(&turns, author, body, preset)
}

fn violated(turns: &[CommentTurn<'_>], author: &str, body: &str, preset: Preset) -> Vec<String> {
    let ground = if author.ends_with('!') { Ground::New } else { Ground::Known };
    let author = AgentId::from(author.trim_end_matches('!'));
    let draft =
        Draft { author: &author, body, stance: Stance::Neutral, impact: None, grounds: Grounds::default(), ground };
    let checks = judge(&draft, &Discussion { turns, known: &Thread::default() }, &Limits::of(preset));
    let violated = checks.iter().filter_map(|check| Some(format!("{} {}", check.rule, check.violation?)));
    violated.collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_budget_counts_an_agents_own_words() {
    let body = substance("budgets");
    assert_eq!(judged(&["anna", "bert"], "anna", &body, Preset::Standard), NOTHING);
    let full = judged(&["anna", "bert", "anna", "carl"], "anna", &body, Preset::Standard);
    assert_eq!(full, ["comment-budget-exceeded freeze"]);
}

/// Decision 7.
#[test]
fn words_of_the_user_count_in_no_total_and_no_ping_pong() {
    let body = substance("totals");
    let long = ["user"; 40];
    assert_eq!(judged(&long, "anna", &body, Preset::Standard), NOTHING);
    assert_eq!(judged(&["anna", "user", "anna", "user"], "bert", &body, Preset::Standard), NOTHING);
    let between = ["anna", "bert", "user", "anna"];
    assert_eq!(judged(&between, "bert", &body, Preset::Standard), NOTHING);
}

#[test]
fn a_total_counts_the_words_of_all_agents() {
    let names: Vec<String> = (0..10).map(|number| format!("agent-{number}")).collect();
    let who: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(judged(&who, "anna", &substance("totals"), Preset::Standard), ["issue-comment-limit freeze"]);
}

/// Decision 10.
#[test]
fn ping_pong_counts_turns_that_bring_no_new_evidence() {
    let body = substance("turns");
    assert_eq!(judged(&["bert", "anna"], "bert", &body, Preset::Standard), NOTHING);
    let played = judged(&["bert", "anna", "bert"], "anna", &body, Preset::Standard);
    assert_eq!(played, ["ping-pong-detected freeze"]);
    assert_eq!(judged(&["bert", "anna!", "bert"], "anna", &body, Preset::Standard), NOTHING);
    assert_eq!(judged(&["bert", "anna", "bert"], "anna!", &body, Preset::Standard), NOTHING);
}

#[test]
fn padding_that_nobody_sees_is_no_substance() {
    let padded = format!("I think so, too.{}{}", " ".repeat(200), "\u{200b}".repeat(200));
    assert_eq!(
        judged(&[], "anna", &padded, Preset::Standard),
        ["insufficient-substance reject", "low-vocabulary reject"]
    );
}

#[test]
fn a_script_without_spaces_has_substance_and_vocabulary() {
    let chinese = "读取器在遇到损坏的行时停止，尽管后面的行是完整的，因此一天中间的崩溃会隐藏之后发生的事情。我会跳过无法解析的内容，\
                   统计数量，并让诊断命令说出位置，这样手工修复文件的人知道从哪里看起。";
    assert_eq!(judged(&[], "anna", chinese, Preset::Standard), NOTHING);
    let same = "好".repeat(100);
    assert_eq!(judged(&[], "anna", &same, Preset::Standard), ["low-vocabulary reject"]);
}

#[test]
fn alarm_is_counted_by_words_or_by_its_share_of_them() {
    let loud = format!("{} This is URGENT and CRITICAL.", substance("noise"));
    assert_eq!(judged(&[], "anna", &loud, Preset::Standard), ["escalation-language freeze"]);
    assert_eq!(judged(&[], "anna", &loud, Preset::Engineering), NOTHING);
    let shout = "URGENT! CRITICAL! We MUST act IMMEDIATELY on the pump of chapter three.";
    assert_eq!(judged(&[], "anna", shout, Preset::Engineering), ["escalation-language freeze"]);
}

#[test]
fn evidence_is_asked_for_from_an_impact_on() {
    let (author, body) = (AgentId::from("anna"), substance("evidence"));
    let draft = Draft {
        author: &author,
        body: &body,
        stance: Stance::Neutral,
        impact: Some(Impact::Structural),
        grounds: Grounds::default(),
        ground: Ground::Known,
    };
    let known = Thread::default();
    let checks = judge(&draft, &Discussion { turns: &[], known: &known }, &Limits::of(Preset::Standard));
    let missing = checks.iter().find(|check| check.rule == BreakerRule::MissingEvidenceForImpact).expect("asked");
    assert_eq!(missing.violation, Some(ViolationSeverity::Reject));
}

/// What `echo` says about a text in a thread that has others.
fn echo(thread: &[&str], body: &str, stance: Stance, echoes: u32) -> Option<String> {
    let mut known = Thread::default();
    for text in thread {
        known.hear(&Gist::of(text));
    }
    known.echoes = echoes;
    let author = AgentId::from("anna");
    let draft =
        Draft { author: &author, body, stance, impact: None, grounds: Grounds::default(), ground: Ground::Known };
    let checks = judge(&draft, &Discussion { turns: &[], known: &known }, &Limits::of(Preset::Engineering));
    let echo = checks.iter().find(|check| check.rule == BreakerRule::Echo)?;
    Some(format!("{} {} of {}", echo.violation?, echo.value, echo.limit))
}

/// Decision 58.
#[test]
fn a_restatement_is_an_echo() {
    let first = substance("torn lines");
    assert_eq!(echo(&[], &first, Stance::Neutral, 0), None);
    assert_eq!(echo(&[&first], &first, Stance::Neutral, 0).as_deref(), Some("reject 0 of 5"));
    assert_eq!(echo(&[&first], &substance("lost lines"), Stance::Neutral, 0).as_deref(), Some("reject 1 of 5"));
    let more = format!("{first} In src/log/read.rs:80 it returns at once; 3 of 14 real logs have such a line.");
    assert_eq!(echo(&[&first], &more, Stance::Neutral, 0), None);
}

#[test]
fn agreement_without_content_is_an_echo() {
    let first = substance("torn lines");
    let praise = "I agree, excellent analysis, anna! Absolutely brilliant, thanks for this great work.";
    assert!(echo(&[&first], praise, Stance::Neutral, 0).is_some());
    let support = "Yes, skip what does not parse and count it; the doctor should name it.";
    assert!(echo(&[&first], support, Stance::Support, 0).is_some());
    let brings = "Agreed for text, but a blob that is cut has no newline at all: pen.rs then joins it with the next entry \
                  and both are gone, as the test of yesterday on the full disk showed.";
    assert_eq!(echo(&[&first], brings, Stance::Support, 0), None);
}

#[test]
fn the_third_echo_of_a_thread_freezes() {
    let first = substance("torn lines");
    for (echoes, severity) in [(0, "reject"), (1, "reject"), (2, "freeze"), (5, "freeze")] {
        assert_eq!(echo(&[&first], &first, Stance::Neutral, echoes), Some(format!("{severity} 0 of 5")));
    }
}

#[test]
fn evidence_that_the_thread_does_not_have_is_no_echo() {
    let file = |line: u32| {
        let file = serde_json::json!({ "path": "src/a.rs", "lines": { "start": line } });
        serde_json::from_value::<FileReference>(file).expect("a file")
    };
    let found = [Checked { path: "src/a.rs".into(), exists: true, lines_valid: true, ..Checked::default() }];
    let missing = [Checked { path: "src/a.rs".into(), ..Checked::default() }];
    let mut known = Thread::default();
    known.ground(EntryId::MIN, &[file(3)], &found);
    assert!(known.is_grounded(EntryId::MIN));
    assert!(known.is_new_ground(&[file(4)], &found));
    assert!(!known.is_new_ground(&[file(3)], &found) && !known.is_new_ground(&[file(4)], &missing));
}

#[test]
fn echo_is_off_for_talk() {
    let limits = Limits::of(Preset::Light);
    assert!(!limits.echo);
}
