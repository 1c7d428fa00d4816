//! Calls of the Gemini CLI: call and result stand in one object, with the time of the end.

use super::GeminiReader;
use crate::calls::{CallVerdict, EndNote, OpenCall, Outcome, Paired};
use crate::common::{first_line, touched};
use crate::entries::{Made, Spot, put};
use crate::object::Object;
use crate::{PassedOver, Sink};
use annals_kernel::id::ModelId;
use annals_kernel::time::Timestamp;

impl GeminiReader {
    pub(super) fn call(
        &mut self,
        sink: &mut dyn Sink,
        call: &Object<'_>,
        model: Option<&ModelId>,
        message: &Spot,
    ) -> Made {
        let id = call.text("id").unwrap_or_else(|| message.record.to_string().into());
        if self.seen.has("record", &id) {
            return Ok(Some(PassedOver::Repeated));
        }
        let ended = call.time("timestamp").unwrap_or(message.at);
        let spot = Spot { at: started(&id).unwrap_or(message.at), ..message.named(&id) };
        let arguments = call.object("args");
        let paths: Vec<_> = PATHS.into_iter().filter_map(|key| arguments.text(key)).collect();
        let waiting = OpenCall {
            origin: self.origin.clone(),
            name: call.text("name").unwrap_or_default().into(),
            arguments: call.json("args"),
            files: touched("", "", paths.iter().map(|path| &**path)),
            model: model.cloned(),
            spot: spot.clone(),
            note: EndNote::default(),
        };
        // What waits here is only told of at the end of the document: call and result come together.
        let _ = self.calls.begin(waiting);
        let Some(outcome) = outcome(call) else { return Ok(None) };
        match self.calls.end(&id, None, &spot) {
            Paired::With(call) => {
                self.seen.is_new("record", &id);
                put(sink, call.finish(outcome, &Spot { at: ended, ..spot }))
            }
            Paired::Waiting(_) => Ok(Some(PassedOver::Orphaned)),
        }
    }
}

const PATHS: [&str; 4] = ["file_path", "absolute_path", "path", "dir_path"];

/// How the tool says that a hook or a rule said no.
const DENIED: [&str; 2] = ["Tool execution blocked", "Tool execution denied by policy"];

/// The time in the middle of `write_file-1768510312836-c85bc7ab6bf4a8`, or of `write_file__write_file_1768510312836_0`.
fn started(id: &str) -> Option<Timestamp> {
    let middle = ['-', '_'].into_iter().find_map(|mark| id.rsplit(mark).nth(1).filter(|middle| middle.len() == 13))?;
    middle.parse().ok().map(Timestamp::from_millis)
}

/// How the call ended; `None` while it runs or waits for an answer.
fn outcome(call: &Object<'_>) -> Option<Outcome> {
    let results: Vec<_> = call.list("result").into_iter().map(|part| Object::of(part.get())).collect();
    let response = match results.as_slice() {
        [only] => only.object("functionResponse").json("response"),
        _ => None,
    };
    let said = response.as_ref().map(|json| Object::of(json.text())).unwrap_or_default();
    let error = || said.text("error").map(|text| first_line(&text));
    let verdict = match call.text("status").as_deref() {
        Some("success") => said
            .text("output")
            .and_then(|output| exit_code(call, &output))
            .or_else(error)
            .map_or(CallVerdict::Done, CallVerdict::Failed),
        Some("error") => match error().unwrap_or_else(|| "error".to_owned()) {
            error if DENIED.iter().any(|start| error.starts_with(start)) => CallVerdict::Denied(error),
            error => CallVerdict::Failed(error),
        },
        Some("cancelled") => CallVerdict::Rejected(error().unwrap_or_else(|| "cancelled".to_owned())),
        _ => return None,
    };
    Some(Outcome { verdict, output: response.or_else(|| call.json("result")), duration_ms: None })
}

/// `Exit Code: 2` in what the shell tool gives; codes of other tools' texts mean nothing.
fn exit_code(call: &Object<'_>, output: &str) -> Option<String> {
    call.text("name").filter(|name| name == "run_shell_command")?;
    let code = output.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "))?.trim();
    let failed = code.parse::<i64>().is_ok_and(|code| code != 0);
    failed.then(|| format!("exit code {code}"))
}
