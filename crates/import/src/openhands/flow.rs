//! A flow of events, whatever their version: which session it is, which calls wait, how far tokens are counted.

use annals_kernel::record::{Event, Speech};
use std::collections::BTreeMap;

use super::tokens::OpenHandsTokens;
use super::{KIND, v0, v1};
use crate::calls::{Calls, EndNote, OpenCall, Outcome, Paired, pass_orphans};
use crate::common::{hash, touched};
use crate::entries::{EntryClock, EntryStep, Fields, Made, Origin, Spot, put, without_folders};
use crate::object::Object;
use crate::{ImportError, PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// What a result says it is of.
#[derive(Clone, Copy)]
pub(super) struct Answered<'a> {
    pub(super) call: Option<&'a str>,
    pub(super) action: Option<&'a str>,
}

/// What must be known of a session to read its next event.
pub(super) struct Flow {
    pub(super) origin: Origin,
    pub(super) model: Option<ModelId>,
    pub(super) tokens: OpenHandsTokens,
    calls: Calls,
    /// The call that an action began, by the id of the action.
    by_action: BTreeMap<String, Box<str>>,
    /// The last call that has no result: where nothing is named, a result belongs to it.
    last_open: Option<Box<str>>,
    /// Commands that a person typed, by the id of the action.
    typed: Vec<String>,
    count: u32,
    at: Option<Timestamp>,
}

impl Flow {
    /// The session of a source that holds nothing else, begun with its first event.
    pub(super) fn begin(
        file_name: &str,
        text: &str,
        event: &Object<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Self, ImportError> {
        let named = v1::conversation(event);
        let file = without_folders(file_name);
        // Without a time two runs of one task may begin alike: the name of the file tells them apart.
        let unnamed = || if event.has("timestamp") { hash(text) } else { hash(&format!("{file}\n{text}")) };
        let native = named.unwrap_or_else(unnamed);
        let mut flow = Self::new(Origin::new(KIND, &native, file_name));
        let input = Fields::new().with("tool", KIND).with("native_id", &native);
        flow.start(sink, input, event.time("timestamp"), None)?;
        Ok(flow)
    }

    pub(super) fn new(origin: Origin) -> Self {
        Self {
            origin,
            model: None,
            tokens: OpenHandsTokens::default(),
            calls: Calls::default(),
            by_action: BTreeMap::new(),
            last_open: None,
            typed: Vec::new(),
            count: 0,
            at: None,
        }
    }

    pub(super) fn start(
        &mut self,
        sink: &mut dyn Sink,
        input: Fields,
        at: Option<Timestamp>,
        line: Option<u64>,
    ) -> Result<(), ImportError> {
        let clock = if at.is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
        let spot = Spot { at: at.unwrap_or_default(), clock, record: "session_start".into(), line };
        sink.entry(EntryStep::event(Event::SessionStart, input).at(&self.origin, spot))
    }

    /// An event of any version.
    pub(super) fn event(&mut self, sink: &mut dyn Sink, text: &str, event: &Object<'_>, line: Option<u64>) -> Made {
        let spot = self.spot(event, line);
        if event.has("kind") {
            v1::event(self, sink, text, event, &spot)
        } else {
            v0::event(self, sink, text, event, &spot)
        }
    }

    /// Its own time; without one, a second after the event before it.
    fn spot(&mut self, event: &Object<'_>, line: Option<u64>) -> Spot {
        self.count += 1;
        let own = event.time("timestamp");
        let next = || self.at.unwrap_or_default().plus_millis(1000);
        let at = own.unwrap_or_else(next);
        self.at = Some(at);
        let clock = if own.is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
        let id = event.text("id").map(String::from).or_else(|| event.integer("id").map(|id| id.to_string()));
        let record = id.unwrap_or_else(|| format!("event/{}", self.count));
        Spot { at, clock, record: record.into(), line }
    }

    pub(super) fn put(&self, sink: &mut dyn Sink, step: EntryStep, spot: &Spot) -> Made {
        put(sink, step.at(&self.origin, spot.clone()))
    }

    /// Texts of the agent, the first of which carries the tokens; an entry for them alone where there is none.
    pub(super) fn says(
        &self,
        sink: &mut dyn Sink,
        texts: &[(Speech, &str, Spot)],
        usage: Option<Usage>,
        event: &Spot,
    ) -> Result<(), ImportError> {
        let mut usage = usage;
        for (kind, text, spot) in texts {
            if !text.trim().is_empty() {
                let step = EntryStep::says(*kind, text.trim()).model(self.model.as_ref()).usage(usage.take());
                self.put(sink, step, spot)?;
            }
        }
        if usage.is_some() {
            let step = EntryStep::event(Event::Usage, Fields::new()).model(self.model.as_ref()).usage(usage);
            self.put(sink, step, &event.part("usage"))?;
        }
        Ok(())
    }

    /// A call begins. Its record is the id that the model gave it, or that of its action.
    pub(super) fn call(
        &mut self,
        sink: &mut dyn Sink,
        name: &str,
        arguments: Option<Json>,
        id: Option<&str>,
        action: &Spot,
        read: fn(&Object<'_>) -> Outcome,
    ) -> Made {
        let waiting = self.waiting(name, arguments, id, action);
        self.by_action.insert(action.record.to_string(), waiting.spot.record.clone());
        self.last_open = Some(waiting.spot.record.clone());
        let Some((call, early)) = self.calls.begin(waiting) else { return Ok(None) };
        let event = early.result.as_ref().map(|json| Object::of(json.text())).unwrap_or_default();
        put(sink, call.finish(read(&event), &early.spot))
    }

    fn waiting(&self, name: &str, arguments: Option<Json>, id: Option<&str>, action: &Spot) -> OpenCall {
        let members = arguments.as_ref().map(|arguments| Object::of(arguments.text())).unwrap_or_default();
        let path = members.text("path").or_else(|| members.text("file_path"));
        OpenCall {
            origin: self.origin.clone(),
            name: name.into(),
            files: touched("", "", path.as_deref()),
            model: self.model.clone(),
            spot: id.map_or_else(|| action.clone(), |id| action.named(id)),
            note: EndNote::default(),
            arguments,
        }
    }

    /// A result comes: it names its call, or its action, or nothing.
    pub(super) fn result(
        &mut self,
        sink: &mut dyn Sink,
        text: &str,
        event: &Object<'_>,
        answered: Answered<'_>,
        spot: &Spot,
        read: fn(&Object<'_>) -> Outcome,
    ) -> Made {
        let Answered { call, action } = answered;
        let by_action = action.and_then(|action| self.by_action.get(action)).map(ToString::to_string);
        let unnamed = || if call.is_none() && action.is_none() { self.last_open.as_deref() } else { None };
        let id = call.map(str::to_owned).or(by_action).or_else(|| unnamed().map(str::to_owned));
        let Some(id) = id else { return Ok(Some(PassedOver::Orphaned)) };
        self.last_open = self.last_open.take().filter(|open| **open != *id);
        match self.calls.end(&id, serde_json::from_str(text).ok(), spot) {
            Paired::With(call) => put(sink, call.finish(read(event), spot)),
            Paired::Waiting(crowded_out) => {
                pass_orphans(sink, crowded_out);
                Ok(None)
            }
        }
    }

    /// Whether a result names an open call.
    pub(super) fn is_open(&mut self, answered: Answered<'_>) -> bool {
        let Answered { call, action } = answered;
        let by_action = action.and_then(|action| self.by_action.get(action)).cloned();
        let id = call.map(Box::from).or(by_action);
        id.is_some_and(|id| self.calls.get_mut(&id).is_some())
    }

    /// A person typed a command; what it printed names the action.
    pub(super) fn types(&mut self, action: &Spot) {
        self.typed.push(action.record.to_string());
    }

    /// Whether an action is a command that a person typed.
    pub(super) fn is_typed(&self, action: Option<&str>) -> bool {
        self.typed.iter().any(|typed| Some(typed.as_str()) == action)
    }

    /// Nothing that is open can finish any more.
    pub(super) fn interrupt(&mut self, sink: &mut dyn Sink, at: Timestamp) -> Result<(), ImportError> {
        self.calls.interrupt(at).into_iter().try_for_each(|draft| sink.entry(draft))
    }

    /// The time of the last event.
    pub(super) fn now(&self) -> Option<Timestamp> {
        self.at
    }

    /// Says what still waits.
    pub(super) fn finish(self, sink: &mut dyn Sink, last_line: u64) {
        self.calls.finish(sink, last_line);
    }
}
