//! What policies make of the minds' events, read in the golden log: in one line with what caused it.

use serde_json::Value;

/// The events of the golden log's lines in which one of a name stands.
fn lines_with(name: &str) -> Vec<Vec<Value>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/minds");
    let files = crate::support::day_files(&folder);
    let lines = files.values().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect("JSON"));
    let events = lines.filter_map(|line: Value| line["operation"]["output"]["events"].as_array().cloned());
    events.filter(|events| events.iter().any(|event| event["name"] == name)).collect()
}

fn of<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["name"] == name).map(|event| &event["data"]).collect()
}

/// `dialectic::due_debate`: the user has a notice of each debate that is due, in the same line.
#[test]
fn a_debate_that_is_due_is_a_notice() {
    let all = lines_with("dialectic.debate.called");
    assert!(!all.is_empty());
    for events in all {
        let notices = of(&events, "notices.notice.posted");
        assert!(notices.iter().any(|notice| notice["matter"]["kind"] == "debate"), "{events:?}");
    }
}

/// `notices::of_conclusion`, `council::recommend`: what was found is a notice, what is recommended a council.
#[test]
fn what_an_analysis_found_is_a_notice_and_what_it_recommends_a_council() {
    let all = lines_with("analysis.mode.concluded");
    assert!(!all.is_empty());
    for events in all {
        let concluded = of(&events, "analysis.mode.concluded");
        let notices = of(&events, "notices.notice.posted");
        let is_told = notices.iter().any(|notice| notice["matter"]["kind"] == "analysis");
        assert_eq!(is_told, concluded[0]["found"].as_array().is_some_and(|found| !found.is_empty()), "{events:?}");
        let councils = of(&events, "council.session.created").len();
        assert_eq!(councils, usize::from(concluded[0].get("recommended").is_some()), "{events:?}");
    }
}
