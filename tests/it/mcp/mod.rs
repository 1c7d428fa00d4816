//! Tools for agents: `annals mcp` over standard input and output, in both revisions, with clients that mean well and others.

mod client;
mod hostile;
mod setup;

use serde_json::{Value, json};

use crate::program::Project;
use client::{Client, Revision};

const BOTH: [Revision; 2] = [Revision::Session, Revision::Stateless];

fn asks(project: &Project, words: &[&str]) -> String {
    let run = project.annals(words, "");
    assert_eq!(run.code, Some(0), "{words:?}: {run:?}");
    run.stdout.trim().to_owned()
}

/// A project with something to know, to vote on and to talk about.
fn lived_in() -> Project {
    let project = Project::new();
    asks(&project, &["agent", "add", "critic", "--role", "critic"]);
    asks(&project, &["agent", "add", "anna", "--role", "writer"]);
    asks(&project, &["agent", "add", "mo", "--role", "moderator"]);
    asks(&project, &["agent", "edit", "critic", "--devils-advocate", "yes"]);
    asks(&project, &["canon", "state", "gate", "The gate is amber, as the second chapter says", "--title", "The gate"]);
    asks(&project, &["knowledge", "add", "rule", "The login test waits for a clock: give it one"]);
    asks(&project, &["hivemind", "add", "decision", "storage", "SQLite: one file, no server"]);
    asks(&project, &["issue", "new", "The login test is flaky", "--body", "It fails one time in ten"]);
    project
}

#[test]
fn both_revisions_begin_and_list_the_same() {
    let project = Project::new();
    let mut lists = Vec::new();
    for revision in BOTH {
        let mut client = Client::start(&project, revision, &["mcp"]);
        if revision == Revision::Stateless {
            let found = client.ask("server/discover", json!({}));
            let versions = found["result"]["supportedVersions"].as_array().expect("versions").clone();
            assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")), "{versions:?}");
        }
        let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
        let prompts = client.ask("prompts/list", json!({}))["result"]["prompts"].clone();
        let forms = client.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
        lists.push(json!({ "prompts": prompts, "resourceTemplates": forms, "tools": tools }));
        assert!(client.leave().success());
    }
    assert_eq!(lists[0], lists[1]);
    assert!(lists[0]["tools"].as_array().is_some_and(|tools| tools.len() <= 15));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/mcp"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let listed = serde_json::to_string_pretty(&lists[0]).expect("JSON");
    settings.bind(|| insta::assert_snapshot!("what clients are told", listed));
}

#[test]
fn every_tool_does_what_it_says_in_both_revisions() {
    for revision in BOTH {
        let project = lived_in();
        let mut critic = Client::start(&project, revision, &["mcp", "--as", "critic"]);
        let known = critic.done("recall", json!({ "query": "fix the flaky login test" }));
        assert_eq!(known["found"][0]["kind"], "knowledge", "{known}");
        assert_eq!(known["found"][0]["is_own"], true);
        let proposed = critic.done("remember", json!({ "text": "The clock of tests is given", "kind": "fact" }));
        assert_eq!(proposed["events"][0]["name"], "knowledge.candidate.proposed");
        let found = critic.done("search_history", json!({ "query": "amber" }));
        assert_eq!(found["found"][0]["agent"], "user", "{found}");
        let why = critic.done("why", json!({ "of": "canon.entry.established" }));
        assert_eq!(why["about"], "event", "{why}");
        let next = critic.done("issue_next", json!({}));
        assert_eq!((&next["agent"], &next["issues"][0]["number"]), (&json!("critic"), &json!("1")));
        let read = critic.done("issue_read", json!({ "issue": "1" }));
        assert!(read["text"].as_str().expect("text").contains("one time in ten"));
        let text = "The retry hides that the fixture reads the wall clock, so the failure returns at midnight in every \
            zone that changes its hour; a given clock would end it for good";
        let checked = critic.done("issue_check", json!({ "issue": "1", "text": text }));
        assert_eq!(checked["passes"], true, "{checked}");
        let said = critic.done("issue_comment", json!({ "issue": "1", "text": text, "stance": "oppose" }));
        assert_eq!(said["events"][0]["name"], "issues.comment.added");
        let opened = critic.done("issue_open", json!({ "title": "Give tests a clock", "priority": "high" }));
        assert_eq!(opened["events"][0]["data"]["number"], 2, "{opened}");
        let canon = critic.done("canon_check", json!({ "text": "The gate was open" }));
        assert_eq!(canon["contradicts"], false, "{canon}");
        let gate = critic.done("debate_gate", json!({ "task": "Drop the production database" }));
        assert_eq!(gate["verdict"], "debate", "{gate}");
        let begun = critic.done("debate_request", json!({ "task": "Drop the production database" }));
        let debate = begun["events"][0]["data"]["debate"].as_str().expect("an id").to_owned();
        let mut anna = Client::start(&project, revision, &["mcp", "--as", "anna"]);
        let claim = json!({ "debate": debate, "side": "advocate", "claim": "It is empty", "confidence": 0.6 });
        assert_eq!(anna.done("debate_say", claim)["events"][0]["name"], "dialectic.position.taken");
        for prompt in ["critic", "advocate"] {
            let said = critic.ask("prompts/get", json!({ "name": prompt, "arguments": { "debate": debate } }));
            let text = said["result"]["messages"][0]["content"]["text"].as_str().expect("a text");
            assert!(text.contains("debate_say") && text.contains("> "), "{said}");
        }
        assert!(anna.leave().success() && critic.leave().success());
    }
}

#[test]
fn a_vote_is_cast_where_issue_next_says_that_one_waits() {
    let project = lived_in();
    asks(
        &project,
        &["--as", "anna", "hivemind", "contest", "storage", "--alternative", "redb", "--because", "it is faster"],
    );
    let mut critic = Client::start(&project, Revision::Stateless, &["mcp", "--as", "critic"]);
    let waiting = critic.done("issue_next", json!({}))["votes"].clone();
    assert_eq!(waiting[0]["key"], "storage", "{waiting}");
    let vote = json!({ "council": waiting[0]["council"], "vote": "reject", "confidence": 0.9, "because": "one file is easier to keep" });
    assert_eq!(critic.done("vote", vote.clone())["events"][0]["name"], "council.vote.cast");
    assert!(critic.refused("vote", vote).starts_with("refused: "));
    assert_eq!(critic.done("issue_next", json!({}))["votes"], json!([]));
}

#[test]
fn resources_are_read_and_outlines_told() {
    let project = lived_in();
    let entry = json!({ "session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "Mend the login test" });
    assert_eq!(project.annals(["hook", "claude-code"], &entry.to_string()).code, Some(0));
    for revision in BOTH {
        let mut client = Client::start(&project, revision, &["mcp", "--as", "anna"]);
        let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
        let listed = listed.as_array().expect("a list").clone();
        assert_eq!(listed[0]["uri"], "annals://issue/1", "{listed:?}");
        for resource in &listed {
            let read = client.ask("resources/read", json!({ "uri": resource["uri"] }));
            assert!(read["result"]["contents"][0]["text"].as_str().is_some_and(|text| !text.is_empty()), "{read}");
        }
        let found = client.done("search_history", json!({ "query": "Mend the login" }));
        let uri = format!("annals://entry/{}", found["found"][0]["entry"].as_str().expect("an id"));
        let read = client.ask("resources/read", json!({ "uri": uri }));
        let text = read["result"]["contents"][0]["text"].as_str().expect("a text");
        let document: Value = serde_json::from_str(text).expect("JSON");
        let operation = &document["entries"][0]["entry"]["operation"];
        assert!(
            operation["name"] == "prompt" && operation["input"].to_string().contains("Mend the login test"),
            "{text}"
        );
        let outline = client.done("session_outline", json!({}));
        assert!(outline["text"].as_str().is_some_and(|text| text.contains("Mend the login test")), "{outline}");
    }
}

#[test]
fn a_cursor_leads_through_all_of_a_list_and_no_other() {
    let project = Project::new();
    for letter in 'a'..='l' {
        // Near copies would be one, and numbers tell no two texts apart.
        let rest: String = (0..25).map(|word| format!("w{letter}x{word}")).collect::<Vec<_>>().join(" ");
        let text = format!("The parser reads line {letter}: {rest}");
        asks(&project, &["knowledge", "add", "fact", &text]);
    }
    let mut client = Client::start(&project, Revision::Session, &["mcp", "--as", "anna"]);
    for (tool, name) in [("recall", "key"), ("search_history", "entry")] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
        loop {
            let page = client.done(tool, json!({ "query": "parser", "tokens": 300, "cursor": cursor }));
            seen.extend(page["found"].as_array().expect("a list").iter().map(|one| one[name].clone()));
            assert!(page.to_string().len() < 4 * 900, "{tool}: {page}");
            pages += 1;
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = Some(next.to_owned());
        }
        seen.sort_by_key(ToString::to_string);
        seen.dedup();
        assert!(seen.len() == 12 && pages > 2, "{tool}: {} in {pages}", seen.len());
        let cursor = cursor.expect("more than one page");
        let said = client.refused(tool, json!({ "query": "another", "cursor": cursor }));
        assert!(said.contains("ask again without one"), "{said}");
    }
    for cursor in ["", "AAAA", "{}", "eyJmcm9tIjowfQ=="] {
        client.refused("recall", json!({ "query": "parser", "cursor": cursor }));
        for list in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            let answer = client.ask(list, json!({ "cursor": cursor }));
            assert_eq!(answer["error"]["code"], -32602, "{list} {cursor}: {answer}");
        }
    }
}

/// The rules hold as they do on the command line: what they say is a result that the model reads.
#[test]
fn what_a_rule_refuses_is_a_result_and_is_recorded() {
    let project = lived_in();
    let mut critic = Client::start(&project, Revision::Session, &["mcp", "--as", "critic"]);
    let result = critic.call("issue_comment", json!({ "issue": "1", "text": "ok" }));
    assert_eq!(result["isError"], true, "{result}");
    let said = result["content"][0]["text"].as_str().expect("a text");
    assert!(said.starts_with("refused: ") && said.contains("\nhint: "), "{said}");
    assert!(result["structuredContent"]["refusal"]["rule"].is_string(), "{result}");
    assert!(result["structuredContent"]["entry"].is_string(), "{result}");
    let checked = critic.done("issue_check", json!({ "issue": "1", "text": "ok" }));
    assert_eq!(checked["passes"], false);
}

#[test]
fn who_acts_is_bound_and_a_token_is_asked_for_where_the_roster_does() {
    let project = lived_in();
    let token = asks(&project, &["agent", "token", "critic"]);
    asks(&project, &["config", "set", "roster.require_token", "true"]);
    project.write("critic.token", &format!("{token}\n"));
    let open = json!({ "title": "Who am I" });
    let mut bare = Client::start(&project, Revision::Session, &["mcp", "--as", "critic"]);
    assert!(bare.refused("issue_open", open.clone()).starts_with("refused: "));
    let words = ["mcp", "--as", "critic", "--token-file", "critic.token"];
    let mut proved = Client::start(&project, Revision::Session, &words);
    let opened = proved.done("issue_open", open.clone());
    let entry = opened["entry"].as_str().expect("an entry");
    let shown: Value = serde_json::from_str(&asks(&project, &["show", entry, "--json"])).expect("JSON");
    assert_eq!(shown["entries"][0]["entry"]["provenance"]["agent_id"], "critic");
    assert!(!shown.to_string().contains(&token));
    // Without a name it is the program that the client says it is, and never the user.
    let project = lived_in();
    let mut unnamed = Client::start(&project, Revision::Stateless, &["mcp"]);
    assert_eq!(unnamed.done("issue_next", json!({}))["agent"], "claude-code");
    for words in [["mcp", "--as", "user"], ["mcp", "--as", "USER"], ["mcp", "--token-file", "none"]] {
        let run = project.annals(words, "");
        assert_ne!(run.code, Some(0), "{words:?}: {run:?}");
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn clients_at_the_same_time_share_a_log_and_one_that_goes_hurts_nobody() {
    let project = lived_in();
    let mut clients: Vec<_> =
        (0..3).map(|_| Client::start(&project, Revision::Stateless, &["mcp", "--as", "anna"])).collect();
    for client in &mut clients {
        for number in 0..4 {
            client.post(
                "tools/call",
                json!({ "name": "issue_open", "arguments": { "title": format!("Title {number}") } }),
            );
        }
    }
    let mut numbers = Vec::new();
    for client in &mut clients {
        for _ in 0..4 {
            let answer = client.read().expect("an answer");
            numbers
                .push(answer["result"]["structuredContent"]["events"][0]["data"]["number"].as_u64().expect("a number"));
        }
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (2..14).collect::<Vec<u64>>());
    for client in clients {
        assert!(client.leave().success());
    }
    assert_eq!(asks(&project, &["issue", "list", "--all"]).lines().count(), 13);
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}

#[test]
fn without_a_context_each_tool_says_what_makes_one() {
    let project = Project::bare();
    let mut client = Client::start(&project, Revision::Session, &["mcp"]);
    let said = client.refused("recall", json!({ "query": "anything" }));
    assert!(said.contains("annals init"), "{said}");
    let answer = client.ask("resources/list", json!({}));
    assert!(answer["error"]["message"].as_str().is_some_and(|said| said.contains("annals init")), "{answer}");
    assert_eq!(project.annals(["init"], "").code, Some(0));
    assert_eq!(client.done("recall", json!({ "query": "anything" }))["found"], json!([]));
}
