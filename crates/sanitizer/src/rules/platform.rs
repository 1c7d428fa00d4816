//! Platforms that people build on or write in.

use super::{
    Rule,
    Surroundings::{Assigned, Random},
};
use crate::Class::{ApiKey, Secret, Token};

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new("notion-token", &["ntn_"], r"ntn_[0-9]{9,12}[A-Za-z0-9]{32,40}", 350, Token).least(41),
    Rule::new("notion-secret", &["secret_"], r"secret_[A-Za-z0-9]{43}", 380, Token).least(43).around(Random),
    Rule::new("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", 350, Token).least(79),
    Rule::new("intra42-secret", &["s-s4t2ud-", "s-s4t2af-"], r"s-s4t2(?:ud|af)-[0-9a-f]{64}", 300, Secret).least(64),
    Rule::new("trello-token", &["atta"], r"ATTA[0-9a-f]{56,80}", 300, Token).least(56),
    Rule::new("unkey-root-key", &["unkey_"], r"unkey_[A-Za-z0-9]{20,48}", 380, ApiKey).least(20),
    Rule::new("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9=._-]{40,60}", 350, Token).least(40),
    Rule::new("hubspot-token", &["pat-na", "pat-eu"], r"pat-(?:na|eu)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 250, Token).least(36),
    Rule::new("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_=-]{80,}", 400, Token).least(80),
    Rule::new("frameio-token", &["fio-u-"], r"fio-u-(?:[A-Za-z]+-)?[A-Za-z0-9_=-]{64}", 350, Token).least(64),
    Rule::new("contentful-token", &["cfpat-"], r"CFPAT-[A-Za-z0-9_-]{40,64}", 350, Token).least(40),
    Rule::new("mapbox-token", &["sk.ey", "tk.ey"], r"[st]k\.ey[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}", 400, Token).least(40),
    Rule::new("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9]{32}", 300, Secret).least(32),
    Rule::new("maxmind-key", &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 300, ApiKey).after(36, 36).least(0),
    Rule::new("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{28}", 350, ApiKey).least(28),
    Rule::new("teamwork-token", &["tkn.v1_"], r"tkn\.v1_[A-Za-z0-9+/_-]{60,80}={0,2}", 400, Token).least(60),
    Rule::new("salesforce-token", &["00d"], r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}", 400, Token).least(12),
    Rule::new("okta-token", &["ssws "], r"SSWS ([A-Za-z0-9_-]{40,44})", 380, Token).least(36),
    Rule::new("authress-key", &["sc_", "ext_", "scauth_", "authress_"], r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}", 350, ApiKey).least(50),
    Rule::new("posthog-key", &["phx_"], r"phx_[A-Za-z0-9]{43,50}", 380, ApiKey).least(43),
    Rule::new("cloudinary-url", &["cloudinary://"], r"cloudinary://[0-9]{10,20}:([A-Za-z0-9_-]{20,40})@", 300, Secret).least(30),
    Rule::new("thingsboard-token", &["thingsboard.cloud/api/v1/"], r"thingsboard\.cloud/api/v1/([a-z0-9]{20})", 300, Token).least(20),
    Rule::new("stytch-secret", &["secret-live-", "secret-test-"], r"secret-(?:live|test)-[A-Za-z0-9_=-]{36}", 350, Secret).least(36),
    Rule::new("workos-key", &["sk_"], r"sk_(?:test_|live_)?[A-Za-z0-9]{40,100}", 400, ApiKey).least(40).around(Random),
    Rule::new("publishable-key", &["pk_"], r"pk_(?:live_|test_)?[A-Za-z0-9]{34,60}", 380, ApiKey).least(34).around(Assigned),
];
