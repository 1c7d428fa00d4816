//! Fixtures that need an answer of the client first (revision 2026-07-28): they say what they need, and go on when it comes.
//!
//! What the client carries back of our own state is sealed: a changed one is refused.

use annals_mcp::Seals;
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

/// Each with what it needs.
pub const TOOLS: [(&str, &str); 8] = [
    ("test_input_required_result_elicitation", "Needs an answer of the person"),
    ("test_input_required_result_sampling", "Needs an answer of the model"),
    ("test_input_required_result_list_roots", "Needs the client's roots"),
    ("test_input_required_result_request_state", "Carries a state of its own"),
    ("test_input_required_result_multiple_inputs", "Needs three answers"),
    ("test_input_required_result_multi_round", "Needs two answers, one after the other"),
    ("test_input_required_result_tampered_state", "Refuses a state that was changed"),
    ("test_input_required_result_capabilities", "Asks only for what the client can do"),
];

/// The prompt that needs an answer first.
pub const PROMPT: &str = "test_input_required_result_prompt";

/// For tests: the program takes one that nobody can guess.
const KEY: u128 = 0x10_09_08_07;

pub fn has_tool(name: &str) -> bool {
    TOOLS.iter().any(|(tool, _)| *tool == name)
}

/// The schema of a form.
pub fn form(properties: &Value, required: &[&str]) -> ElicitationSchema {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    serde_json::from_value(schema).expect("a form")
}

fn question(field: &str) -> InputRequest {
    let properties = json!({ field: { "type": "string" } });
    InputRequest::Elicitation(ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Give a {field}"),
        requested_schema: form(&properties, &[field]),
    }))
}

fn to_the_model(prompt: &str) -> InputRequest {
    let messages = vec![SamplingMessage::user_text(prompt)];
    InputRequest::CreateMessage(CreateMessageRequest::new(CreateMessageRequestParams::new(messages, 100)))
}

fn roots() -> InputRequest {
    InputRequest::ListRoots(ListRootsRequest::default())
}

fn needs(wanted: Vec<(&str, InputRequest)>, state: Option<String>) -> InputRequiredResult {
    let requests: InputRequests = wanted.into_iter().map(|(name, request)| (name.to_owned(), request)).collect();
    InputRequiredResult::new(Some(requests), state)
}

/// Asks the person for one thing.
pub fn one_question(field: &str) -> CallToolResponse {
    needs(vec![(field, question(field))], None).into()
}

fn done(said: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(said)]).into()
}

/// What the client answered; anything but an object is no answer.
fn answer<'a>(responses: Option<&'a InputResponses>, name: &str) -> Option<&'a Value> {
    responses.and_then(|responses| responses.get(name)).filter(|answer| answer.is_object())
}

/// Does what a tool of this file does.
pub fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let responses = request.input_responses.as_ref();
    let has = |name: &str| answer(responses, name).is_some();
    let (tool, seals) = (&*request.name, Seals::new(KEY));
    let seal = |round: u64| Some(seals.cursor(tool, &json!(round)));
    // What came back of our state; a changed one is refused whatever the tool.
    let state = request.request_state.as_deref().map(|state| seals.place(tool, state)).transpose();
    let state = state.map_err(|_| ErrorData::invalid_params("the requestState is none of ours", None))?;
    let round = state.as_ref().and_then(Value::as_u64);
    Ok(match tool {
        "test_input_required_result_elicitation" if has("user_name") => {
            let name = answer(responses, "user_name").and_then(|answer| answer["content"]["name"].as_str());
            done(format!("Hello, {}!", name.unwrap_or("friend")))
        }
        "test_input_required_result_elicitation" => needs(vec![("user_name", question("name"))], None).into(),
        "test_input_required_result_sampling" if has("capital_question") => done("Sampled"),
        "test_input_required_result_sampling" => {
            needs(vec![("capital_question", to_the_model("What is the capital of France?"))], None).into()
        }
        "test_input_required_result_list_roots" if has("client_roots") => done("Listed"),
        "test_input_required_result_list_roots" => needs(vec![("client_roots", roots())], None).into(),
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => match round {
            Some(_) => done("Confirmed: state-ok"),
            None => needs(vec![("confirm", question("ok"))], seal(1)).into(),
        },
        "test_input_required_result_multiple_inputs"
            if round.is_some() && ["user_name", "greeting", "client_roots"].into_iter().all(has) =>
        {
            done("All inputs received")
        }
        "test_input_required_result_multiple_inputs" => {
            let wanted = vec![
                ("user_name", question("name")),
                ("greeting", to_the_model("Generate a greeting")),
                ("client_roots", roots()),
            ];
            needs(wanted, seal(1)).into()
        }
        "test_input_required_result_multi_round" => match round {
            None => needs(vec![("step1", question("name"))], seal(1)).into(),
            Some(1) => needs(vec![("step2", question("color"))], seal(2)).into(),
            Some(_) => done("Multi-round flow complete"),
        },
        _ if responses.is_some() => done("Capability-aware flow complete"),
        _ => needs(able(&context.client_capabilities().unwrap_or_default()), None).into(),
    })
}

/// What a client can be asked for.
fn able(client: &ClientCapabilities) -> Vec<(&'static str, InputRequest)> {
    let wanted = [
        client.elicitation.is_some().then(|| ("user_name", question("name"))),
        client.sampling.is_some().then(|| ("greeting", to_the_model("Generate a greeting"))),
        client.roots.is_some().then(|| ("client_roots", roots())),
    ];
    wanted.into_iter().flatten().collect()
}

/// What the prompt of this file says.
pub fn prompt(request: &GetPromptRequestParams) -> GetPromptResponse {
    let Some(given) = answer(request.input_responses.as_ref(), "user_context") else {
        return needs(vec![("user_context", question("context"))], None).into();
    };
    let context = given["content"]["context"].as_str().unwrap_or_default();
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, format!("With the context: {context}"))]).into()
}
