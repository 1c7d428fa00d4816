//! The rules of learning, on sentences.

use super::{LearntLesson, Way, learn, sets_right};
use crate::domain::knowledge::KnowledgeKind;

/// What is learnt from a prompt, by rule and content.
fn learnt(text: &str) -> Vec<(&'static str, String)> {
    learn(text, Way::Prompt).into_iter().map(|lesson| (lesson.rule, lesson.content)).collect()
}

/// A sentence of a person for each rule, as the whole of it is learnt.
const SAID: [(&str, KnowledgeKind, &str); 49] = [
    ("always-never", KnowledgeKind::Rule, "Always run the linter before you commit"),
    ("always-never", KnowledgeKind::Rule, "Never push to main"),
    ("always-never", KnowledgeKind::Rule, "we never store tokens in plain text"),
    ("from-now-on", KnowledgeKind::Rule, "From now on, put a space before the colon"),
    ("from-now-on", KnowledgeKind::Rule, "whenever you add a flag, document it in README.md"),
    ("must", KnowledgeKind::Rule, "all commits must be signed"),
    ("all-should", KnowledgeKind::Rule, "all events should contain the version number as a property"),
    ("prefer", KnowledgeKind::Preference, "I prefer tabs over spaces"),
    ("prefer", KnowledgeKind::Preference, "I'd rather keep the files small"),
    ("dislike", KnowledgeKind::Preference, "I don't like nested ternaries"),
    ("use-over", KnowledgeKind::Preference, "use composition over inheritance"),
    ("no", KnowledgeKind::Correction, "no, the port is 8080"),
    ("no", KnowledgeKind::Correction, "No, don't mock completion. mock the httpx library"),
    ("not-but", KnowledgeKind::Correction, "It is not a warning but an error"),
    ("not-but", KnowledgeKind::Correction, "the limit is 30 days, not 14"),
    ("not-but", KnowledgeKind::Correction, "catch SuitableRepoNotFound not `FileNotFoundError`"),
    ("actually", KnowledgeKind::Correction, "Actually, the tests run under nextest"),
    ("do-not", KnowledgeKind::Correction, "don't use confirm(), just prompt()"),
    ("do-not", KnowledgeKind::Correction, "do not add dependencies without asking"),
    ("do-not", KnowledgeKind::Correction, "avoid inventing our own names"),
    ("do-not", KnowledgeKind::Correction, "cache the tree, but don't assume that it is there"),
    ("only", KnowledgeKind::Correction, "only count lines that are not blank"),
    ("remember", KnowledgeKind::Rule, "Remember: the staging database is shared"),
    ("remember", KnowledgeKind::Rule, "keep in mind that the API is frozen"),
    ("remember", KnowledgeKind::Rule, "never rewrite that file again"),
    ("custom", KnowledgeKind::Rule, "event based watching is the preferred approach"),
    ("custom", KnowledgeKind::Rule, "log it like we do everywhere else"),
    ("ought", KnowledgeKind::Decision, "the parser module should not be imported from the views"),
    ("ought", KnowledgeKind::Decision, "mark_as_disabled shouldn't replace the uuid"),
    ("should-be", KnowledgeKind::Decision, "project settings should take precedence over user settings"),
    ("chosen", KnowledgeKind::Decision, "let's leave the branch name out"),
    ("unwanted", KnowledgeKind::Decision, "We won't fetch the raw records"),
    ("doubt", KnowledgeKind::Decision, "I don't think we need a second table for that"),
    ("wanted", KnowledgeKind::Decision, "we want the two commands to share one code path"),
    ("no-matter", KnowledgeKind::Decision, "we don't care about sessions without a prompt"),
    ("stressed", KnowledgeKind::Correction, "the folder is NOT relative to the project"),
    ("here", KnowledgeKind::Fact, "this is an open source repository with many users"),
    ("here", KnowledgeKind::Fact, "The web app is at ../web-app"),
    ("decided", KnowledgeKind::Decision, "let's go with SQLite"),
    ("decided", KnowledgeKind::Decision, "we decided to drop Python 3.8"),
    ("not-needed", KnowledgeKind::Decision, "we don't need backward compatibility"),
    ("not-needed", KnowledgeKind::Decision, "the plugin is no longer needed"),
    ("how-to", KnowledgeKind::Procedure, "To release, run `make dist` and upload the files"),
    ("how-to", KnowledgeKind::Procedure, "before you push, run the formatter"),
    ("how-to", KnowledgeKind::Procedure, "run the migrations before the server starts"),
    ("we-use", KnowledgeKind::Fact, "we use Postgres for everything"),
    ("we-use", KnowledgeKind::Fact, "this app is structured to work well as a cli app."),
    ("we-use", KnowledgeKind::Fact, "our CI runs on Ubuntu"),
    ("no-longer", KnowledgeKind::Fact, "Coder.create no longer takes a pretty arg"),
];

#[test]
fn every_rule_finds_what_it_is_for() {
    for (rule, kind, said) in SAID {
        let found: Vec<_> = learn(said, Way::Prompt).into_iter().map(|one| (one.rule, one.kind, one.content)).collect();
        assert_eq!(found, [(rule, kind, said.to_owned())], "{said}");
    }
}

/// The same in German.
const GESAGT: [(&str, KnowledgeKind, &str); 14] = [
    ("remember", KnowledgeKind::Rule, "Merk dir: die Testdatenbank wird geteilt"),
    ("remember", KnowledgeKind::Rule, "denk daran, dass die API eingefroren ist"),
    ("from-now-on", KnowledgeKind::Rule, "Ab jetzt bitte die Tests vor dem Commit laufen lassen"),
    ("from-now-on", KnowledgeKind::Rule, "In Zukunft nutzen wir nur noch pnpm"),
    ("always-never", KnowledgeKind::Rule, "Immer zuerst den Linter laufen lassen"),
    ("always-never", KnowledgeKind::Rule, "wir committen nie direkt auf main"),
    ("always-never", KnowledgeKind::Rule, "alle Commits müssen signiert sein"),
    ("prefer", KnowledgeKind::Preference, "Ich bevorzuge kurze Funktionen mit einem Namen"),
    ("no", KnowledgeKind::Correction, "Nein, der Port ist 8080"),
    ("no", KnowledgeKind::Correction, "das ist nicht der Parser, sondern der Lexer"),
    ("no", KnowledgeKind::Correction, "nimm pnpm statt npm für dieses Projekt"),
    ("decided", KnowledgeKind::Decision, "wir brauchen keine Migration für alte Daten"),
    ("we-use", KnowledgeKind::Fact, "Wir nutzen Postgres für alles"),
    ("how-to", KnowledgeKind::Procedure, "bevor du pushst, die Tests laufen lassen"),
];

#[test]
fn every_rule_finds_what_it_is_for_in_german() {
    for (rule, kind, said) in GESAGT {
        let found: Vec<_> = learn(said, Way::Prompt).into_iter().map(|one| (one.rule, one.kind, one.content)).collect();
        assert_eq!(found, [(rule, kind, said.to_owned())], "{said}");
    }
    for said in [
        "Kannst du immer die Tests laufen lassen?",
        "erinnerst du dich an die Regel, nie auf main zu pushen",
        "Es geht immer noch nicht",
        "das hat nie funktioniert",
        "Bitte füge einen Test für den Parser hinzu",
        "nein danke, passt so",
    ] {
        assert_eq!(learnt(said), [], "{said}");
    }
}

#[test]
fn what_holds_no_longer_than_the_task_sets_right_and_is_not_kept() {
    for said in [
        "no, that did nothing",
        "I meant the button in the sidebar",
        "that's not the file I was talking about",
        "again, catch ValueError on .head",
        "Use the Spinner instead of the inlined one",
        "Nein, das ist die falsche Datei",
        "No.",
    ] {
        assert!(sets_right(said), "{said}");
    }
    for said in
        ["don't modify `send_with_retries`", "do not connect the blue dots", "we don't want that", "leave it for now"]
    {
        assert_eq!(learnt(said), [], "{said}");
    }
    for said in ["now add a test for it", "great, thanks", "no problem, go on", ""] {
        assert!(!sets_right(said), "{said}");
    }
}

#[test]
fn nothing_is_learnt_from_questions_tasks_and_talk() {
    for said in [
        "can you always run the tests?",
        "I think we should start anew, can you write a plan",
        "can we get the last modified date from git instead",
        "why don't you use the cache?",
        "do you remember what we always do here?",
        "should we use Postgres instead of SQLite",
        "is it no longer supported?",
        "Add tests for `subtree_only`.",
        "run lint, test and check-types",
        "never mind, it works now",
        "don't worry about it for now",
        "no, thanks, that is all",
        "no worries, go on with it",
        "I don't know what happens there",
        "Great!",
        "add --analytics which controls whether we track or not.",
        "It looks like it loads all data instead of the data needed for this team.",
        "",
    ] {
        assert_eq!(learnt(said), [], "{said}");
    }
}

#[test]
fn what_was_pasted_is_nobodys_word() {
    for pasted in [
        "look at this:\n```\nAlways run the tests\n```",
        "> Never push to main",
        "➜  app git:(main) git push\nerror: failed\n\nTo uninstall hooks, run `prek uninstall`",
        "<system-reminder>\nAlways use the tool.\n</system-reminder>",
        "<rules>never push to main</rules>",
        "# Plan\n\nWe decided to use SQLite.",
        "Implement the following plan:\n\nNever push to main.",
        "You are a helpful agent. Never push to main.",
        "[[ ## user_query ## ]]\n\nDo not add markdown or explanation.",
        "    if (a && !b) { never(); }",
        "2026-01-01 12:00:00 never retry this request again",
    ] {
        assert_eq!(learnt(pasted), [], "{pasted}");
    }
    let around = "Never push to main.\n```sh\ngit push origin main\n```\nAlways open a pull request.";
    let expected = ["Never push to main.", "Always open a pull request."];
    assert_eq!(learnt(around).into_iter().map(|(_, content)| content).collect::<Vec<_>>(), expected);
}

#[test]
fn what_leads_to_a_sentence_is_left_out_and_broken_lines_are_joined() {
    assert_eq!(
        learnt("also, and please don't use TAGS_CACHE, use self.map_cache"),
        [("do-not", "don't use TAGS_CACHE, use self.map_cache".to_owned())]
    );
    assert_eq!(
        learnt("we use Postgres\nfor everything\n- never push to main\n2. always sign"),
        [("we-use", "we use Postgres for everything".to_owned()), ("always-never", "never push to main".to_owned()),]
    );
}

#[test]
fn what_was_said_twice_in_a_text_is_learnt_once() {
    assert_eq!(learnt("Never push to main. Never push to main.").len(), 1);
}

#[test]
fn the_reason_of_a_rejection_is_a_correction_unless_a_program_wrote_it() {
    let rejected = |text: &str| learn(text, Way::Rejection);
    let lesson = LearntLesson {
        kind: KnowledgeKind::Correction,
        content: "put the helper into support.rs".to_owned(),
        about: None,
        rule: "rejection",
    };
    assert_eq!(rejected("put the helper into support.rs"), [lesson]);
    assert_eq!(learn("put the helper into support.rs", Way::Prompt), []);
    assert_eq!(rejected("patch rejected by user"), []);
    assert_eq!(rejected("The user doesn't want to proceed with this tool use."), []);
    assert_eq!(rejected("is there another way to solve this?"), []);
    assert_eq!(rejected("don't touch the lock file").first().map(|lesson| lesson.rule), Some("rejection"));
}

#[test]
fn a_preference_is_about_the_person() {
    assert_eq!(learn("I prefer tabs over spaces", Way::Prompt)[0].about, Some("user"));
    assert_eq!(learn("use tabs over spaces", Way::Prompt)[0].about, None);
}

#[test]
fn no_text_makes_it_fail() {
    let long = "never ".repeat(100_000);
    let pieces = [
        "no", "no,", "`", "```", "don't", "İ", "ß", "\u{0}", "中文", "a.b", "not", "…", "’", "<a", "-", "1.", "\\",
        "🎉",
    ];
    for one in pieces {
        for two in pieces {
            for joined in [format!("{one} {two}"), format!("{one}{two}\n{one} {two} {one} {two}.")] {
                let _ = learn(&joined, Way::Rejection);
            }
        }
    }
    assert_eq!(learn(&long, Way::Prompt), []);
}
