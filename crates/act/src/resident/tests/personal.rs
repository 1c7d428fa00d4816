//! What who is not trusted hears of others: nothing, whatever a model would make of it.

use std::collections::BTreeMap;

use annals_rules::domain::knowledge::trace::Stage;
use serde_json::json;

use super::conversation::set;
use super::*;

const ASKED: &str = "What happens with the parser tests on Fridays in Berlin?";

/// Entries of which each says who may hear it.
fn known(stage: &ResidentStage) {
    let of = |kind, content: &str, about| stage.knows_of(kind, &format!("{content}: parser tests on Fridays"), about);
    of(KnowledgeKind::Fact, "all", None);
    of(KnowledgeKind::Fact, "alinas", Some("alina"));
    of(KnowledgeKind::Preference, "users", Some("User"));
    of(KnowledgeKind::Preference, "nameless", None);
    of(KnowledgeKind::Rule, "bobs", Some(" BOB "));
    of(KnowledgeKind::Fact, "berlins", Some("Berlin")); // a name that the question shares goes around the words
}

#[test]
fn who_is_not_trusted_is_told_nothing_about_others() {
    let everything = ["all", "alinas", "users", "nameless", "bobs", "berlins"];
    let rows: [(&str, &str, &str, &[&str]); 9] = [
        ("user", "bob", "api", &["all"]),    // handed in by the person's connector: a claim
        ("user", "alina", "smtp", &["all"]), // whoever says so is not Alina
        ("user", "user", "smtp", &["all"]),  // nor the person
        ("bob", "bob", "smtp", &["all", "bobs"]),
        ("user", "berlin", "smtp", &["all"]),
        ("user", "carl", "ui", &["all"]), // trust low, and known by name
        ("user", "alina", "ui", &["all", "alinas"]),
        ("user", "dora", "ui", &everything), // trust medium
        ("user", "user", "ui", &everything),
    ];
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    set(&stage, &[("resident.people", json!({ "carl": "low", "alina": "low", "dora": "medium" }))]);
    drop(stage);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    known(&stage);
    for (actor, from, channel, expected) in rows {
        let send = Send { metadata: BTreeMap::new(), ..stage.message_of(from, channel, ASKED) };
        let id = stage.by(actor, resident::Command::from(send));
        let report = stage.done();
        let who = format!("{actor} for {from} through {channel}, {}", stage.message(id).trust);
        let asked = stage.models.asked.lock().expect("no panic");
        let of_message = asked.iter().filter(|question| question.message == id);
        let shown: String = of_message.map(|question| question.prompt.user.as_str()).collect();
        for name in everything {
            let is_shown = shown.contains(&format!("{name}: parser"));
            assert_eq!(is_shown, expected.contains(&name), "{name} to {who}: {shown}");
        }
        let held_back = everything.len() - expected.len();
        let lines = report.trace.entries.iter().filter(|line| line.dropped_at == Some(Stage::FilterPersonal));
        assert_eq!(lines.count(), held_back, "{who}");
        let counted = report.trace.stages.iter().find(|count| count.stage == Stage::FilterPersonal);
        let counted = counted.map_or(0, |count| count.before - count.after);
        assert_eq!(usize::try_from(counted).expect("few"), held_back, "{who}");
        assert_eq!(report.facts().len(), expected.len(), "{who}");
    }
}
