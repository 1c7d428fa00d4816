//! How a session of the Copilot CLI begins and ends, and what happens to it on the way.

use super::{CopilotReader, KIND};
use crate::calls::Calls;
use crate::entries::{EntryStep, Fields, Made, Origin, Spot, put};
use crate::object::Object;
use crate::{Given, ImportError, PassedOver, Sink};
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::record::{Event, Input};

impl CopilotReader {
    /// Begins a session with the first record of its source.
    pub(super) fn named_by(
        given: &Given<'_>,
        record: &Object<'_>,
        spot: &Spot,
        sink: &mut dyn Sink,
    ) -> Result<Self, ImportError> {
        let data = record.object("data");
        let native = data.text("sessionId").unwrap_or_else(|| spot.record.to_string().into());
        let mut origin = Origin::new(KIND, &native, given.file);
        origin.version = data.text("copilotVersion").map(|version| (&*version).into());
        let context = data.object("context");
        let input = Fields::new()
            .with("tool", KIND)
            .with("native_id", &*native)
            .some("cwd", context.text("cwd").as_deref())
            .some("version", data.text("copilotVersion").as_deref())
            .some("model", data.text("selectedModel").as_deref())
            .some("branch", context.text("branch").as_deref());
        let at = data.time("startTime").unwrap_or(spot.at);
        put(
            sink,
            EntryStep::event(Event::SessionStart, input).at(&origin, Spot { at, ..spot.named("session_start") }),
        )?;
        Ok(Self {
            origin,
            children: std::collections::BTreeMap::new(),
            child: None,
            cwd: context.text("cwd").unwrap_or_default().into_owned(),
            model: data.text("selectedModel").map(|model| ModelId::from(&*model)),
            calls: Calls::default(),
            requests: std::collections::BTreeMap::new(),
            tokens: super::CopilotTokens::default(),
        })
    }

    /// A resumed session names itself again; the model and the version of the tool may change.
    pub(super) fn change(&mut self, data: &Object<'_>) -> PassedOver {
        if let Some(version) = data.text("copilotVersion") {
            self.origin.version = Some((&*version).into());
        }
        let model = data.text("newModel").or_else(|| data.text("selectedModel"));
        if let Some(model) = model {
            self.model = Some(ModelId::from(&*model));
        }
        PassedOver::Bookkeeping
    }

    /// A sub-agent is a session of its own, under its own name; where it has none, named by the call that began it.
    pub(super) fn child(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let Some(call) = data.text("toolCallId") else { return Ok(Some(PassedOver::Bookkeeping)) };
        let own = self.child.take();
        let name = own.clone().unwrap_or_else(|| (&*call).into());
        let native = format!("{}/{name}", self.origin.session);
        let mut origin = Origin { session: native.clone().into(), ..self.origin.clone() };
        origin.agent = AgentId::from(format!("{KIND}/{name}"));
        let input = Fields::new()
            .with("tool", KIND)
            .with("native_id", &native)
            .with("cwd", &self.cwd)
            .with("parent_session", &SessionId::derived(KIND, &self.origin.session))
            .with("parent_call", &*call)
            .some("version", self.origin.version.as_deref())
            .some("model", data.text("model").as_deref())
            .some("agent_type", data.text("agentName").as_deref());
        let made = put(sink, EntryStep::event(Event::SessionStart, input).at(&origin, spot.named("session_start")));
        // Later records name it by its own name, or by the call.
        if let Some(own) = own {
            self.children.insert(own, origin.clone());
        }
        self.children.insert((&*call).into(), origin);
        made
    }

    pub(super) fn abort(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        self.interrupt(sink, spot)?;
        let reason = data.text("reason").unwrap_or_default();
        self.put(sink, EntryStep::user(Input::Interrupt, Fields::new().with("text", &*reason)), spot)
    }

    pub(super) fn shutdown(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        self.interrupt(sink, spot)?;
        for (model, added) in self.tokens.total(data) {
            let spot = spot.part(&format!("usage/{model}"));
            self.put(
                sink,
                EntryStep::event(Event::Usage, Fields::new()).usage(Some(added)).model(Some(&model)),
                &spot,
            )?;
        }
        let reason = data.text("shutdownType").unwrap_or_default();
        let input = Fields::new()
            .with("reason", &*reason)
            .some("code_changes", data.json("codeChanges").as_ref())
            .some("error", data.text("errorReason").as_deref());
        self.put(sink, EntryStep::event(Event::SessionEnd, input), spot)
    }

    pub(super) fn compaction(&self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        if data.flag("success") == Some(false) {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        let input = Fields::new()
            .some("tokens_before", data.integer("preCompactionTokens").as_ref())
            .some("summary", data.text("summaryContent").as_deref());
        self.put(sink, EntryStep::event(Event::Compaction, input), spot)
    }

    pub(super) fn error(&self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let message = data.text("message");
        let error = message.as_deref().unwrap_or("error");
        self.put(sink, EntryStep::event(Event::ApiError, Fields::new().with("error", error)).failing(Some(error)), spot)
    }

    pub(super) fn title(&self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let Some(title) = data.text("title") else { return Ok(Some(PassedOver::Empty)) };
        self.put(sink, EntryStep::event(Event::Title, Fields::new().with("text", &*title)), spot)
    }

    /// Nothing that is open can finish any more.
    pub(super) fn interrupt(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Result<(), ImportError> {
        self.calls.interrupt(spot.at).into_iter().try_for_each(|draft| sink.entry(draft))
    }
}
