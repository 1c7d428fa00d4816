//! The handler of the protocol's requests: turns them into questions to a desk, and its answers into results.
//!
//! Does not know the transport: the program serves it over standard input and output, an example over loopback HTTP.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{
    Caller, Desk, DeskError, PromptField, PromptInfo, ResourceInfo, TemplateInfo, Told, ToldOutcome, ToolEffect,
    ToolInfo,
};

/// So many calls are answered at the same time; more wait.
const AT_ONCE: usize = 4;
/// A client may keep the lists of tools, forms and prompts so long: they change with the program alone.
const FIXED_MILLIS: u64 = 60_000;

/// Serves a desk.
pub struct Handler<D> {
    desk: Arc<D>,
    places: Arc<Semaphore>,
}

impl<D> Clone for Handler<D> {
    fn clone(&self) -> Self {
        Self { desk: Arc::clone(&self.desk), places: Arc::clone(&self.places) }
    }
}

impl<D: Desk> Handler<D> {
    /// The handler of a desk.
    pub fn new(desk: D) -> Self {
        Self { desk: Arc::new(desk), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Asks the desk on a thread of its own. A request that is cancelled gets no answer; what it set off goes to its end.
    async fn ask<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        question: impl FnOnce(&D, &Caller) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let caller = Caller { client: context.client_info().map(|client| client.name) };
        let desk = Arc::clone(&self.desk);
        let gone = || ErrorData::internal_error("the request was cancelled", None);
        let place = tokio::select! {
            place = Arc::clone(&self.places).acquire_owned() => place.map_err(|_| gone())?,
            () = context.ct.cancelled() => return Err(gone()),
        };
        let asked = tokio::task::spawn_blocking(move || {
            let _place = place;
            question(&desk, &caller)
        });
        tokio::select! {
            answer = asked => answer.map_err(|_| ErrorData::internal_error("a bug of annals; stderr has it", None)),
            () = context.ct.cancelled() => Err(gone()),
        }
    }
}

impl<D: Desk> ServerHandler for Handler<D> {
    fn get_info(&self) -> ServerConfig {
        let about = self.desk.about();
        let capabilities = ServerCapabilities::builder().enable_prompts().enable_resources().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(about.name, about.version).with_title(about.title))
            .with_instructions(about.instructions)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.desk.tools().into_iter().find(|tool| tool.name == name).map(tool)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        on_one_page(request)?;
        let tools = self.desk.tools().into_iter().map(tool).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(FIXED_MILLIS))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let told = self.ask(&context, move |desk, caller| desk.call(caller, &name, arguments)).await?;
        match told {
            Ok(told) => Ok(result(told).into()),
            Err(DeskError::Unknown(what)) => Err(ErrorData::invalid_params(what, None)),
            // A model reads results, and not the errors of the protocol.
            Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let page = self.ask(&context, move |desk, caller| desk.resources(caller, cursor.as_deref())).await?;
        let page = page.map_err(|error| protocol_error(&error))?;
        let mut result = ListResourcesResult::with_all_items(page.resources.into_iter().map(resource).collect());
        result.next_cursor = page.next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        on_one_page(request)?;
        let forms = self.desk.templates().into_iter().map(template).collect();
        Ok(ListResourceTemplatesResult::with_all_items(forms).with_ttl_ms(FIXED_MILLIS))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let read = self.ask(&context, move |desk, caller| desk.read(caller, &request.uri)).await?;
        let read = read.map_err(|error| match error {
            DeskError::NoResource(what) => ErrorData::resource_not_found(what, Some(json!({ "uri": uri.clone() }))),
            DeskError::Unknown(_) | DeskError::Arguments(_) | DeskError::Failed(_) => protocol_error(&error),
        })?;
        Ok(ReadResourceResult::new(vec![ResourceContents::text(read.text, uri).with_mime_type(read.mime)]).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        on_one_page(request)?;
        let prompts = self.desk.prompts().into_iter().map(prompt).collect();
        Ok(ListPromptsResult::with_all_items(prompts).with_ttl_ms(FIXED_MILLIS))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let name = request.name;
        let said = self.ask(&context, move |desk, caller| desk.prompt(caller, &name, &arguments)).await?;
        let said = said.map_err(|error| protocol_error(&error))?;
        let messages = vec![PromptMessage::new_text(Role::User, said.text)];
        Ok(GetPromptResult::new(messages).with_description(said.description).into())
    }
}

/// These lists have one page, so that no cursor leads into them.
fn on_one_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(super::BadCursor.to_string(), None)),
    }
}

fn protocol_error(error: &DeskError) -> ErrorData {
    let said = error.to_string();
    match error {
        DeskError::Unknown(_) | DeskError::Arguments(_) => ErrorData::invalid_params(said, None),
        DeskError::NoResource(_) => ErrorData::resource_not_found(said, None),
        DeskError::Failed(_) => ErrorData::internal_error(said, None),
    }
}

fn result(told: Told) -> CallToolResult {
    let value = Value::Object(told.result);
    match told.outcome {
        ToldOutcome::Done => CallToolResult::structured(value),
        ToldOutcome::Refused(said) => {
            let mut result = CallToolResult::structured_error(value);
            result.content = vec![ContentBlock::text(said)];
            result
        }
    }
}

fn tool(info: ToolInfo) -> Tool {
    let is_reading = info.effect == ToolEffect::Reads;
    let hints = ToolAnnotations::with_title(info.title).read_only(is_reading).destructive(false).open_world(false);
    Tool::new(info.name, info.description, info.arguments)
        .with_title(info.title)
        .with_raw_output_schema(Arc::new(info.result))
        .with_annotations(hints.idempotent(is_reading))
}

fn resource(info: ResourceInfo) -> Resource {
    Resource::new(info.uri, info.name).with_description(info.description).with_mime_type(info.mime)
}

fn template(info: TemplateInfo) -> ResourceTemplate {
    ResourceTemplate::new(info.form, info.name).with_description(info.description).with_mime_type(info.mime)
}

fn prompt(info: PromptInfo) -> Prompt {
    let argument =
        |field: PromptField| PromptArgument::new(field.name).with_description(field.description).with_required(true);
    let arguments = info.arguments.into_iter().map(argument).collect();
    Prompt::new(info.name, Some(info.description), Some(arguments)).with_title(info.title)
}
