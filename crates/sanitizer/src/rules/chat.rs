//! Chat, mail, telephony and social networks.

use super::{Rule, Surroundings::Random, snowflake};
use crate::Class::{ApiKey, Secret, Token};

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new("slack-bot-token", &["xoxb-"], r"xoxb-(?:[0-9]{9,14}-[0-9]{9,14}[A-Za-z0-9-]*|[0-9]{8,14}-[A-Za-z0-9]{17,27})", 250, Token).least(20),
    Rule::new("slack-user-token", &["xoxp-", "xoxe-"], r"xox[ep](?:-[0-9]{9,14}){3}-[A-Za-z0-9]{27,40}", 250, Token).least(50),
    Rule::new("slack-legacy-token", &["xoxo-", "xoxs-"], r"xox[os]-[0-9]+-[0-9]+-[0-9]+-[0-9A-Fa-f]+", 180, Token).least(7),
    Rule::new("slack-workspace-token", &["xoxa-", "xoxr-"], r"xox[ar]-(?:[0-9]-)?[0-9A-Za-z]{8,64}(?:-[0-9A-Za-z]+)*", 250, Token).least(8),
    Rule::new("slack-browser-token", &["xoxc-", "xoxd-"], r"(?:xoxc-[0-9]{9,14}(?:-[0-9]{9,14}){2}-[0-9a-f]{64}|xoxd-[A-Za-z0-9%/+=]{50,})", 250, Token).least(50),
    Rule::new("slack-app-token", &["xapp-"], r"(?i:xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]+)", 200, Token).least(7),
    Rule::new("slack-config-token", &["xoxb-", "xoxp-", "xoxe-"], r"xox[bpe]-[0-9]-[A-Za-z0-9]{130,180}", 300, Token).least(130),
    Rule::new("slack-webhook", &["hooks.slack.com"], r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,58})", 300, Secret).least(40),
    Rule::new("discord-webhook", &["/api/webhooks/"], r"/api/webhooks/[0-9]{17,20}/([A-Za-z0-9_-]{60,80})", 350, Secret).least(60),
    Rule::new("teams-webhook", &["webhook.office.com", "outlook.office.com/webhook"], r"(?:[a-z0-9-]+\.webhook|outlook)\.office\.com/(webhook(?:b2)?/[A-Za-z0-9-]{20,}@[A-Za-z0-9-]{20,}/IncomingWebhook/[A-Za-z0-9]{20,40}/[A-Za-z0-9-]{20,})", 300, Secret).after(0, 60).least(60),
    Rule::new("telegram-bot-token", &[":aa"], r"[0-9]{5,16}:AA[A-Za-z0-9_-]{33}", 350, Token).after(5, 16).least(33),
    Rule::new("telegram-bot-url", &["/bot"], r"/bot([0-9]{5,16}:AA[A-Za-z0-9_-]{28,40})", 350, Token).least(35),
    Rule::new("discord-bot-token", &snowflake::OPENINGS, r"[MNO][A-Za-z0-9]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}", 380, Token).least(54),
    Rule::new("telegram-chat-url", &["tgram://"], r"tgram://([0-9]{5,16}:[A-Za-z0-9_-]{30,40})", 350, Token).least(40),
    Rule::new("sendgrid-key", &["sg."], r"SG\.(?:[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}|[A-Za-z0-9=_.-]{66})", 350, ApiKey).least(50),
    Rule::new("sendinblue-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}", 250, ApiKey).least(70),
    Rule::new("mailgun-key", &["key-", "pubkey-"], r"(?:pub)?key-[0-9a-f]{32}", 300, ApiKey).least(32),
    Rule::new("mailchimp-key", &["-us"], r"[0-9a-f]{32}-us[0-9]{1,2}", 250, ApiKey).after(32, 32).least(1),
    Rule::new("postmark-smtp", &["pm-t-"], r"PM-T-[A-Za-z0-9_-]{20,}", 300, Token).least(20),
    Rule::new("resend-key", &["re_"], r"re_[A-Za-z0-9]{7,10}_[A-Za-z0-9]{22,26}", 380, ApiKey).least(30).around(Random),
    Rule::new("twilio-key", &["sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske", "skf"], r"SK[0-9a-fA-F]{32}", 300, ApiKey).least(31),
    Rule::new("facebook-token", &["eaa"], r"EAA[A-Za-z0-9]{80,}", 400, Token).least(80),
    Rule::new("instagram-token", &["iggv"], r"IGGV[A-Za-z0-9]{60,}", 400, Token).least(60),
    Rule::new("twitter-bearer", &["aaaaaaaaaaaaaaaaaaaa"], r"A{20,22}[A-Za-z0-9%]{60,100}", 300, Token).least(60),
    Rule::new("linear-key", &["lin_api_", "lin_oauth_"], r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}", 300, ApiKey).least(32),
    Rule::new("telnyx-key", &["key0"], r"KEY0[0-9A-F]{30,34}_[A-Za-z0-9]{22}", 350, ApiKey).least(50),
    Rule::new("zapier-hook", &["hooks.zapier.com"], r"hooks\.zapier\.com/hooks/catch/([0-9]+/[A-Za-z0-9]{6,12})", 250, Secret).least(10),
    Rule::new("intercom-token", &["dg9roj"], r"dG9rOj[A-Za-z0-9+/]{48,60}={0,2}", 350, Token).least(40),
];
