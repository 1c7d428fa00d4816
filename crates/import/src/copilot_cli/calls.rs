//! Calls of the Copilot CLI: `tool.execution_start` and `tool.execution_complete`, and what was permitted between them.

use serde_json::value::RawValue;

use super::CopilotReader;
use crate::calls::{CallVerdict, EndNote, OpenCall, Outcome, Paired, pass_orphans};
use crate::common::touched;
use crate::entries::{Made, Spot, put};
use crate::object::Object;
use crate::{PassedOver, Sink};
use annals_kernel::id::ModelId;

impl CopilotReader {
    pub(super) fn call(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let Some(id) = data.text("toolCallId") else { return Ok(Some(PassedOver::Orphaned)) };
        let arguments = data.object("arguments");
        let paths = ["path", "file_path", "filename"].into_iter().filter_map(|key| arguments.text(key));
        let paths: Vec<_> = paths.collect();
        let model = data.text("model").map(|model| ModelId::from(&*model));
        let call = OpenCall {
            origin: self.origin_of(data).clone(),
            name: data.text("toolName").unwrap_or_default().into(),
            arguments: data.json("arguments"),
            files: touched(&self.cwd, &self.cwd, paths.iter().map(|path| &**path)),
            model: model.or_else(|| self.model.clone()),
            spot: spot.named(&id),
            note: EndNote::default(),
        };
        let Some((call, early)) = self.calls.begin(call) else { return Ok(None) };
        let result = early.result.as_ref().map(|json| Object::of(json.text())).unwrap_or_default();
        put(sink, call.finish(read(&result), &early.spot))
    }

    pub(super) fn result(&mut self, sink: &mut dyn Sink, raw: Option<&RawValue>, spot: &Spot) -> Made {
        let data = raw.map(|raw| Object::of(raw.get())).unwrap_or_default();
        let id = data.text("toolCallId").unwrap_or_default();
        match self.calls.end(&id, raw, spot) {
            Paired::With(call) => put(sink, call.finish(read(&data), spot)),
            Paired::Waiting(crowded_out) => {
                pass_orphans(sink, crowded_out);
                Ok(None)
            }
        }
    }

    /// Remembers which call a request for permission is about.
    pub(super) fn request(&mut self, data: &Object<'_>) -> PassedOver {
        let call = data.object("permissionRequest").text("toolCallId").or_else(|| data.text("toolCallId"));
        if let Some((request, call)) = data.text("requestId").zip(call) {
            self.requests.insert(request.into(), call.into());
        }
        PassedOver::Bookkeeping
    }

    /// A "no" waits for the end of its call, which tells it again without saying whose it was.
    pub(super) fn permission(&mut self, data: &Object<'_>) -> PassedOver {
        let request = data.text("requestId").unwrap_or_default();
        let named = self.requests.remove(&*request);
        let call = data.text("toolCallId").map(|id| Box::from(&*id)).or(named);
        let answer = data.object("result").text("kind").unwrap_or_default();
        let call = call.and_then(|id| self.calls.get_mut(&id));
        if let Some(call) = call {
            call.note.verdict = no(&answer);
        }
        PassedOver::Bookkeeping
    }
}

/// Whose "no" an answer is: `denied-interactively-by-user` a person's, and so is the end of a question without a "yes"; any
/// other `denied-…` a rule's.
fn no(answer: &str) -> Option<CallVerdict> {
    match answer {
        "denied-interactively-by-user" | "rejected" | "cancelled" => Some(CallVerdict::Rejected(answer.to_owned())),
        _ if answer.starts_with("denied") => Some(CallVerdict::Denied(answer.to_owned())),
        _ => None,
    }
}

/// What later versions say beside it.
fn shell_code(data: &Object<'_>) -> Option<String> {
    let code = data.object("shellExecution").integer("exitCode")?;
    (code != 0).then(|| format!("exit code {code}"))
}

/// `<shellId: 6 completed with exit code 1>`, the last line of what the shell tool gives.
fn exit_code(result: &Object<'_>) -> Option<String> {
    let content = result.text("content")?;
    let inside = content.trim_end().lines().next_back()?.strip_prefix('<')?.strip_suffix('>')?;
    let (head, code) = inside.rsplit_once(" with exit code ")?;
    let has_ended = head.ends_with("completed") || head.ends_with("exited");
    let failed = has_ended && code.parse::<i64>().is_ok_and(|code| code != 0);
    failed.then(|| format!("exit code {code}"))
}

/// Reads `tool.execution_complete`. The output is what the model was given.
fn read(data: &Object<'_>) -> Outcome {
    let result = data.object("result");
    let error = data.object("error");
    let message = || error.text("message").map_or_else(|| "failed".to_owned(), String::from);
    let verdict = match data.flag("success") {
        Some(false) => match error.text("code").as_deref() {
            Some("rejected") => CallVerdict::Rejected(message()),
            Some("denied") => CallVerdict::Denied(message()),
            _ => CallVerdict::Failed(message()),
        },
        // The flag only says that the shell tool could run the command.
        Some(true) | None => {
            shell_code(data).or_else(|| exit_code(&result)).map_or(CallVerdict::Done, CallVerdict::Failed)
        }
    };
    let output = result.json("content").or_else(|| data.json("result")).or_else(|| data.json("error"));
    Outcome { verdict, output, duration_ms: None }
}
