//! Watching, measuring, signing in; and shapes that many services share.

use super::{Rule, Surroundings::Random};
use crate::Class::{ApiKey, PrivateKey, Secret, Token};

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new("json-web-token", &["eyj"], r"eyJ[A-Za-z0-9_-]{15,}\.(?:ey[A-Za-z0-9_/\\-]{15,}(?:\.(?:[A-Za-z0-9_/\\-]{10,}={0,2})?)?|[A-Za-z0-9_/\\-]{10,}={0,2}\.[A-Za-z0-9_/\\-]{10,}={0,2})", 250, Token).least(30),
    Rule::new("json-web-token-body", &[".ey"], r"ey[A-Za-z0-9]{17,}\.ey[A-Za-z0-9_/\\-]{17,}(?:\.(?:[A-Za-z0-9_/\\-]{10,}={0,2})?)?", 350, Token).after(19, 600).least(17),
    Rule::new("json-web-token-base64", &["zxlk"], r"ZXlK[A-Za-z0-9+/_-]{40,}={0,2}", 380, Token).least(40),
    Rule::new("encrypted-web-token", &["eyj"], r"eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}", 400, Token).least(60),
    Rule::new("grafana-key", &["eyjrijoi"], r"eyJrIjoi[A-Za-z0-9+/]{60,400}={0,3}", 350, ApiKey).least(60),
    Rule::new("grafana-cloud-token", &["glc_"], r"glc_[A-Za-z0-9+/]{32,400}={0,3}", 350, Token).least(32).around(Random),
    Rule::new("grafana-service-token", &["glsa_"], r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}", 300, Token).least(41),
    Rule::new("newrelic-key", &["nrak-", "nrii-", "nriq-", "nrra-"], r"NR(?:AK|II|IQ|RA)-[A-Za-z0-9_-]{27,42}", 300, ApiKey).least(27),
    Rule::new("newrelic-browser-key", &["nrjs-"], r"NRJS-[0-9a-f]{19}", 250, ApiKey).least(19),
    Rule::new("newrelic-licence", &["nral"], r"(?:[0-9a-f]{36}|eu01xx[0-9a-f]{26}FFFF)NRAL", 300, ApiKey).after(36, 36).least(0),
    Rule::new("sentry-org-token", &["sntrys_eyj"], r"sntrys_eyJ[A-Za-z0-9+/=]{40,}_[A-Za-z0-9+/]{40,50}", 350, Token).least(60),
    Rule::new("sentry-user-token", &["sntryu_"], r"sntryu_[0-9a-f]{64}", 300, Token).least(64),
    Rule::new("dynatrace-token", &["dt0c01.", "dt0s01.", "dt0s02."], r"dt0[cs]0[12]\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}", 400, Token).least(80),
    Rule::new("infisical-token", &["st."], r"st\.(?:v[0-9]\.)?[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32,64}", 300, Token).least(90),
    Rule::new("ngrok-authtoken", &["authtoken ", "authtoken: "], r"(?i:authtoken):? [\x22']?([0-9A-Za-z]{26,28}_[0-9A-Za-z]{18,24})", 380, Token).least(44),
    Rule::new("honeycomb-key", &["hcaik_", "hcbik_", "hcamk_"], r"hc[ab][im]k_[a-z0-9]{50,70}", 350, ApiKey).least(50),
    Rule::new("sumologic-collector", &["collectors.sumologic.com/receiver/v1/http/"], r"collectors\.sumologic\.com/receiver/v1/http/([A-Za-z0-9_=-]{40,})", 350, Secret).least(40),
    Rule::new("scrapfly-key", &["scp-live-", "scp-test-"], r"scp-(?:live|test)-[0-9a-f]{32}", 250, ApiKey).least(32),
    Rule::new("rapidapi-key", &["msh"], r"[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12}", 300, ApiKey).after(10, 10).least(30),
    Rule::new("private-key-base64", &["ls0tls1crudjti"], r"LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFU|BEU0EgUFJJVkFURSBLRVkt|BQR1AgUFJJVkFURSBLRVkg)[A-Za-z0-9+/=]{40,}", 400, PrivateKey).least(60),
    Rule::new("password-hash-crypt", &["$1$", "$5$", "$6$", "$8$", "$9$", "$y$", "$apr1$"], r"\$(?:1|5|6|8|9|y|apr1)\$(?:rounds=[0-9]+\$|j[A-Za-z0-9]+\$)?[./A-Za-z0-9]{4,24}\$[./A-Za-z0-9]{20,86}", 350, Secret).least(24),
    Rule::new("password-hash-bcrypt", &["$2a$", "$2b$", "$2y$"], r"\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}", 350, Secret).least(50),
    Rule::new("password-hash-argon", &["$argon2"], r"\$argon2(?:id|i|d)\$v=[0-9]+\$m=[0-9]+,t=[0-9]+,p=[0-9]+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}", 350, Secret).least(5),
    Rule::new("sidekiq-key", &["contribsys__com"], r"(?i:contribsys__com)[A-Za-z]{0,20}[\x22'`,=:?> |]{1,8}([0-9a-f]{8}:[0-9a-f]{8})", 200, Secret).least(0),
    Rule::new("ethereum-private-key", &["private_key=0x", "privatekey=0x", "private_key=\"0x", "private_key: 0x", "privatekey: \"0x"], r"(?i:private_?key)(?:=|: )\x22?(0x[0-9a-fA-F]{64})", 300, PrivateKey).least(64),
];
