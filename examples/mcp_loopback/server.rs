//! The handler with the fixtures in front of it: what is no fixture goes to the handler.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::{fixtures, inputs};

/// How long a client may keep what never changes.
const FIXED_MILLIS: u64 = 60_000;

/// Subscriptions that go on.
#[derive(Clone, Default)]
pub struct Subscriptions {
    next: Arc<AtomicU64>,
    open: Arc<Mutex<BTreeMap<u64, SubscriptionSink>>>,
}

impl Subscriptions {
    fn open(&self, sink: SubscriptionSink) -> u64 {
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        self.open.lock().expect("no holder panics").insert(key, sink);
        key
    }

    fn close(&self, key: u64) {
        self.open.lock().expect("no holder panics").remove(&key);
    }

    /// Those that go on.
    pub fn all(&self) -> Vec<SubscriptionSink> {
        self.open.lock().expect("no holder panics").values().cloned().collect()
    }
}

/// The handler, and what stands before it.
#[derive(Clone)]
pub struct Loopback<H> {
    inner: H,
    subscriptions: Subscriptions,
}

impl<H: ServerHandler + Clone> Loopback<H> {
    pub fn new(inner: H) -> Self {
        Self { inner, subscriptions: Subscriptions::default() }
    }
}

impl<H: ServerHandler + Clone> ServerHandler for Loopback<H> {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.inner.get_info();
        info.capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        info
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        fixtures::tools().into_iter().find(|tool| tool.name == name).or_else(|| self.inner.get_tool(name))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut page = self.inner.list_tools(request, context).await?;
        page.tools.extend(fixtures::tools());
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if inputs::has_tool(&request.name) {
            return inputs::call(&request, &context);
        }
        if fixtures::tools().iter().any(|tool| tool.name == request.name) {
            return fixtures::call(request, &context, &self.subscriptions).await;
        }
        self.inner.call_tool(request, context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut page = self.inner.list_resources(request, context).await?;
        page.resources.extend(fixtures::resources());
        Ok(page)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut page = self.inner.list_resource_templates(request, context).await?;
        page.resource_templates.push(fixtures::template());
        Ok(page)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match fixtures::resource(&request.uri) {
            Some(contents) => Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(FIXED_MILLIS).into()),
            None => self.inner.read_resource(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut page = self.inner.list_prompts(request, context).await?;
        page.prompts.extend(fixtures::prompts());
        Ok(page)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == inputs::PROMPT {
            return Ok(inputs::prompt(&request));
        }
        match fixtures::prompt(&request) {
            Some(messages) => Ok(GetPromptResult::new(messages).into()),
            None => self.inner.get_prompt(request, context).await,
        }
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = CompletionInfo::new(vec!["one".to_owned(), "two".to_owned()]);
        Ok(CompleteResult::new(values.map_err(|error| ErrorData::internal_error(error, None))?))
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let key = self.subscriptions.open(context.sink().clone());
        context.cancelled().await;
        self.subscriptions.close(key);
        Ok(())
    }
}
