//! The person's own models: listed, checked and asked, and what of a budget is left for that.

use crate::acting::Yard;
use crate::program::run;

#[test]
fn models_are_listed_checked_and_asked_by_the_persons_own_configuration() {
    let yard = Yard::new();
    let listed = yard.annals("model list");
    assert!(listed.stderr.contains("no model is written down"), "{listed:?}");
    let script = yard.state.path().join("answers.jsonl");
    std::fs::write(&script, "{\"role\":\"ask\",\"answer\":\"four\"}\n").expect("written");
    yard.models(&format!("default = \"s\"\n[models.s]\nbackend = \"scripted\"\nfile = {script:?}\n"));
    assert!(yard.annals("model list").stdout.contains("scripted"));
    assert_eq!(yard.annals("model check").code, Some(0));
    assert_eq!(yard.annals("model ask 2+2").stdout, "four\n");
    let again = yard.annals("model ask 2+2");
    assert_eq!(again.stdout, "four\n", "each program begins its script anew");
    yard.models("default = 3\n");
    let bad = yard.annals("model list");
    assert_eq!(bad.code, Some(2), "{bad:?}");
    assert!(bad.stderr.contains("config.toml"), "{}", bad.stderr);
}

#[test]
fn one_model_that_cannot_be_asked_is_named_and_the_others_are_asked() {
    let yard = Yard::new();
    let script = yard.state.path().join("answers.jsonl");
    std::fs::write(&script, "{\"role\":\"ask\",\"answer\":\"four\"}\n").expect("written");
    let good = format!("default = \"s\"\n[models.s]\nbackend = \"scripted\"\nfile = {script:?}\n");
    yard.models(&format!("{good}[models.gone]\nbackend = \"scripted\"\nfile = \"/none\"\n"));
    let listed = yard.annals("model list");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.stdout.contains("gone") && listed.stderr.contains("gone cannot be asked: the script /none"));
    assert_eq!(yard.annals("model ask 2+2").stdout, "four\n");
    let gone = yard.annals("model ask 2+2 --model gone");
    assert!(gone.code == Some(3) && gone.stderr.contains("[models.gone]: the script /none"), "{gone:?}");
    let checked = yard.annals("model check");
    assert!(checked.code == Some(1) && checked.stdout.contains("the script /none"), "{checked:?}");
}

/// The adversary of a day's budget: many questions, none of which is on any record, in two projects.
#[test]
fn what_the_person_asks_counts_in_the_persons_day_wherever_it_is_asked() {
    let (yard, other) = (Yard::new(), Yard::new());
    let script = yard.state.path().join("answers.jsonl");
    std::fs::write(&script, "{\"role\":\"ask\",\"answer\":\"four\"}\n").expect("written");
    let model = format!("[models.s]\nbackend = \"scripted\"\nfile = {script:?}\nprice_out = 1000000000\n");
    yard.models(&format!("default = \"s\"\n{model}[models.budget.day]\ncents = 250\n"));
    let ask = |yard: &Yard, home: &Yard| {
        let mut command = yard.command("model ask 2+2 --max-tokens 1");
        command.env("XDG_STATE_HOME", home.state.path()).env("HOME", home.state.path().join("home"));
        run(command, "")
    };
    // Each answer is a token, and costs a dollar.
    for asked_in in [&yard, &other] {
        let asked = ask(asked_in, &yard);
        assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "four\n"), "{asked:?}");
    }
    let refused = ask(&yard, &yard);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let said = "the day has used $2.0000 of $2.5000, and up to $1.0000 more would be used";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
}
