//! Payments, shops and banks.

use super::{Rule, Surroundings::Random};
use crate::Class::{ApiKey, Secret, Token};

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new("stripe-key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}", 300, ApiKey).least(10),
    Rule::new("stripe-webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/]{24,64}={0,2}", 350, Secret).least(24),
    Rule::new("square-access-token", &["eaaa"], r"EAAA[A-Za-z0-9_+=-]{22,64}", 380, Token).least(22).around(Random),
    Rule::new("square-secret", &["sq0atp-", "sq0csp-", "sq0idp-", "sq0csb-"], r"sq0(?:atp|csp|idp|csb)-[A-Za-z0-9_-]{22,60}", 300, Secret).least(22),
    Rule::new("shopify-secret", &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], r"shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}", 250, Token).least(32),
    Rule::new("shippo-token", &["shippo_live_", "shippo_test_"], r"shippo_(?:live|test)_[0-9A-Fa-f]{40}", 250, Token).least(40),
    Rule::new("easypost-key", &["ezak", "eztk"], r"EZ[AT]K[A-Za-z0-9]{54}", 350, ApiKey).least(54),
    Rule::new("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}", 300, Token).least(43),
    Rule::new("flutterwave-key", &["flwseck", "flwpubk"], r"FLW(?:SECK|PUBK)(?:_TEST)?-[0-9A-Za-z]{12,40}(?:-X)?", 200, ApiKey).least(12),
    Rule::new("plaid-token", &["access-sandbox-", "access-development-", "access-production-"], r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 300, Token).least(36),
    Rule::new("braintree-token", &["access_token$"], r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", 300, Token).least(40),
    Rule::new("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,30}", 300, ApiKey).least(14),
    Rule::new("lob-key", &["live_", "test_"], r"(?:live|test)_(?:pub_)?[0-9a-f]{31,35}", 300, ApiKey).least(31),
    Rule::new("live-key", &["k_live_", "y_live_", "i_live_", "t_live_"], r"(?:[a-oq-z][a-z]{0,7}|p(?:[a-jl-z][a-z]{0,6}|k[a-z]{1,6})?)_live_[A-Za-z0-9]{20,}", 350, ApiKey).after(0, 8).least(20),
    Rule::new("payment-live-key", &["live_"], r"live_[A-Za-z0-9_=-]{40}", 350, ApiKey).least(40).around(Random),
    Rule::new("mercadopago-token", &["app_usr-"], r"APP_USR-[0-9]{10,20}-[0-9]{6}-[0-9a-f]{32}-[0-9]{5,12}", 300, Token).least(50),
    Rule::new("coinbase-key", &["organizations/"], r"organizations/[0-9a-f-]{36}/apiKeys/([0-9a-f-]{36})", 300, ApiKey).least(36),
    Rule::new("courier-key", &["pk_prod_", "pk_test_"], r"pk_(?:prod|test)_[A-Z0-9]{28}", 350, ApiKey).least(28),
    Rule::new("adyen-key", &["aqe"], r"AQE[a-z][A-Za-z0-9+/=-]{100,250}", 400, ApiKey).least(100),
    Rule::new("paddle-key", &["pdl_"], r"pdl_(?:live|sdbx|ntfset)_[A-Za-z0-9_]{40,80}", 350, ApiKey).least(40),
];
