//! Models and what is built around them.

use super::{Rule, Surroundings::Random};
use crate::Class::ApiKey;

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new("openai-key", &["t3blbkfj"], r"sk-(?:[a-z]+-)?[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}", 300, ApiKey).after(23, 120).least(20),
    Rule::new("openai-scoped-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-service-"], r"sk-(?:proj|svcacct|admin|service)-[A-Za-z0-9_-]{40,200}", 400, ApiKey).least(40),
    Rule::new("anthropic-key", &["sk-ant-"], r"sk-ant-(?:(?:api|admin)[0-9]{2,3}-[A-Za-z0-9_-]{70,120}AA|(?:oat|ort|sid|std)[0-9]{2}-[A-Za-z0-9_-]{60,140})", 350, ApiKey).least(60),
    // Cut or of a newer length: base64, in which capitals stand among the others.
    Rule::new("anthropic-cut-key", &["sk-ant-"], r"sk-ant-[a-z]{3,10}[0-9]{2,3}-(?:[a-z0-9_-]*[A-Z]+[a-z0-9_-]+){3}[A-Za-z0-9_-]*", 350, ApiKey).least(24).around(Random),
    Rule::new("openrouter-key", &["sk-or-"], r"sk-or-(?:v[0-9]-)?[0-9a-f]{64}", 300, ApiKey).least(64),
    Rule::new("langfuse-key", &["sk-lf-"], r"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 300, ApiKey).least(36),
    Rule::new("secret-key", &["sk-"], r"sk-[A-Za-z0-9]{32,64}", 350, ApiKey).least(32).around(Random),
    Rule::new("huggingface-token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z]{34,40}|hf_[A-Za-z0-9]{34,40}", 200, ApiKey).least(34),
    Rule::new("replicate-token", &["r8_"], r"r8_[A-Za-z0-9_-]{37,48}", 350, ApiKey).least(37),
    Rule::new("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{48,56}", 350, ApiKey).least(48),
    Rule::new("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{40,56}", 400, ApiKey).least(40),
    Rule::new("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{70,90}", 400, ApiKey).least(70),
    Rule::new("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{60,70}", 400, ApiKey).least(60),
    Rule::new("cerebras-key", &["csk-"], r"csk-[a-z0-9]{45,55}", 350, ApiKey).least(45),
    Rule::new("langsmith-key", &["lsv2_", "ls__"], r"(?:lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|ls__[0-9a-f]{32})", 300, ApiKey).least(32),
    Rule::new("tavily-key", &["tvly-"], r"tvly-(?:[a-z]+-)?[A-Za-z0-9]{28,40}", 350, ApiKey).least(28),
    Rule::new("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,70}", 400, ApiKey).least(60),
    Rule::new("firecrawl-key", &["fc-"], r"fc-[0-9a-f]{32}", 300, ApiKey).least(32),
    Rule::new("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{22,26}", 380, ApiKey).least(22).around(Random),
    Rule::new("voyage-key", &["pa-"], r"pa-[A-Za-z0-9_-]{43}", 420, ApiKey).least(43),
    Rule::new("elevenlabs-key", &["sk_"], r"sk_[0-9a-f]{48}", 300, ApiKey).least(48),
    Rule::new("together-key", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_-]{43}", 400, ApiKey).least(43),
    Rule::new("jina-key", &["jina_"], r"jina_[A-Za-z0-9_-]{60}", 400, ApiKey).least(60),
    Rule::new("context7-key", &["ctx7sk-"], r"ctx7sk-[A-Za-z0-9-]{36,}", 300, ApiKey).least(36),
    Rule::new("helicone-key", &["sk-helicone-"], r"sk-helicone-[a-z0-9-]{30,}", 300, ApiKey).least(30),
];
