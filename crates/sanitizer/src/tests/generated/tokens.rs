//! Tokens of well-known services, from what those publish of their form, in the places where tokens are met.

use super::Dice;

/// A service, and the form of its token: letters as they are, and in braces an alphabet and a count.
#[rustfmt::skip] // A row a service.
pub(crate) const SHAPES: &[(&str, &str)] = &[
    ("github", "gh¦p_{A36}"),
    ("github oauth", "gh¦o_{A36}"),
    ("github server", "gh¦s_{A36}"),
    ("github refresh", "gh¦r_{A76}"),
    ("github fine", "git¦hub_pat_{A22}_{A59}"),
    ("gitlab", "glp¦at-{B20}"),
    ("gitlab deploy", "gl¦dt-{B20}"),
    ("gitlab runner", "gl¦rt-{B20}"),
    ("gitlab trigger", "glp¦tt-{h40}"),
    ("gitlab feed", "gl¦ft-{B20}"),
    ("gitlab agent", "gla¦gent-{B50}"),
    ("bitbucket", "AT¦BB{A32}"),
    ("atlassian", "ATA¦TT3{B180}={X8}"),
    ("npm", "np¦m_{A36}"),
    ("pypi", "pyp¦i-AgEIcHlwaS5vcmc{B120}"),
    ("rubygems", "rub¦ygems_{h48}"),
    ("nuget", "o¦y2{l43}"),
    ("crates", "c¦io{A32}"),
    ("docker", "dck¦r_pat_{B27}"),
    ("docker org", "dck¦r_oat_{B32}"),
    ("slack bot", "xo¦xb-{D12}-{D13}-{A24}"),
    ("slack user", "xo¦xp-{D12}-{D12}-{D13}-{h32}"),
    ("slack app", "xap¦p-1-A{U10}-{D13}-{h64}"),
    ("slack refresh", "xox¦e-1-{A146}"),
    ("slack cookie", "xo¦xd-{A120}"),
    ("discord webhook", "htt¦ps://discord.com/api/webhooks/{D18}/{B68}"),
    ("slack webhook", "htt¦ps://hooks.slack.com/services/T{U8}/B{U10}/{A24}"),
    ("teams webhook", "htt¦ps://acme.webhook.office.com/webhookb2/{G}@{G}/IncomingWebhook/{h32}/{G}"),
    ("telegram", "{D10}:AA{B33}"),
    ("twilio", "S¦K{h32}"),
    ("sendgrid", "S¦G.{B22}.{B43}"),
    ("mailgun", "ke¦y-{h32}"),
    ("mailchimp", "{h32}-us12"),
    ("brevo", "xke¦ysib-{h64}-{A16}"),
    ("resend", "r¦e_{A8}_{A24}"),
    ("postmark", "PM¦-T-{B24}"),
    ("stripe", "sk_¦live_{A24}"),
    ("stripe restricted", "rk_¦live_{A99}"),
    ("stripe test", "sk_¦test_{A24}"),
    ("stripe webhook", "whs¦ec_{A32}"),
    ("square", "sq0¦atp-{B22}"),
    ("shopify", "shp¦at_{h32}"),
    ("shopify shared", "shp¦ss_{h32}"),
    ("razorpay", "rzp¦_live_{A14}"),
    ("plaid", "acc¦ess-sandbox-{g}"),
    ("paypal", "acc¦ess_token$production${l16}${h32}"),
    ("aws id", "AK¦IA{W16}"),
    ("aws session id", "AS¦IA{W16}"),
    ("google api", "AI¦za{B35}"),
    ("google oauth secret", "GOC¦SPX-{B28}"),
    ("google oauth", "ya¦29.{B120}"),
    ("google refresh", "1/¦/0{B60}"),
    ("azure secret", "{A3}8Q~{B34}"),
    ("azure devops", "{A76}AZDO{A4}"),
    ("digitalocean", "dop¦_v1_{h64}"),
    ("heroku", "HR¦KU-{B60}"),
    ("fly", "fo¦1_{B43}"),
    ("cloudflare", "v1¦.0-{h24}-{h146}"),
    ("databricks", "da¦pi{h32}"),
    ("planetscale", "psc¦ale_tkn_{B43}"),
    ("doppler", "dp.¦pt.{A43}"),
    ("vault", "hv¦s.{B95}"),
    ("vault batch", "hv¦b.{B150}"),
    ("terraform", "{A14}.atlasv1.{B67}"),
    ("pulumi", "pu¦l-{h40}"),
    ("supabase", "sb¦p_{h40}"),
    ("supabase secret", "sb_¦secret_{B31}"),
    ("netlify", "nf¦p_{A36}"),
    ("vercel", "vc¦p_{A56}"),
    ("neon", "na¦pi_{l64}"),
    ("tailscale", "tsk¦ey-auth-{A17}-{A32}"),
    ("age", "AGE¦-SECRET-KEY-1{C58}"),
    ("openai", "sk-¦proj-{B74}T3BlbkFJ{B74}"),
    ("openai old", "s¦k-{A20}T3BlbkFJ{A20}"),
    ("anthropic", "sk-¦ant-api03-{B93}AA"),
    ("openrouter", "sk-¦or-v1-{h64}"),
    ("groq", "gs¦k_{A52}"),
    ("perplexity", "pp¦lx-{A48}"),
    ("xai", "xa¦i-{A80}"),
    ("huggingface", "h¦f_{a34}"),
    ("replicate", "r¦8_{A37}"),
    ("langsmith", "lsv¦2_pt_{h32}_{h10}"),
    ("notion", "nt¦n_{D11}{A35}"),
    ("airtable", "p¦at{A14}.{h64}"),
    ("figma", "fi¦gd_{B40}"),
    ("linear", "lin¦_api_{A40}"),
    ("sentry", "snt¦ryu_{h64}"),
];

/// Places, with `@` where the token stands. `␛` is an escape sign.
#[rustfmt::skip] // A row a place.
pub(crate) const CONTEXTS: &[&str] = &[
    "@",
    "please use @ for the deployment",
    "TOKEN=@\nexport A=b",
    "let token = \"@\";",
    "{\"note\":\"see @ there\"}",
    "curl -H 'Authorization: Bearer @' https://api.local/",
    "https://api.local/x?access=@&page=2",
    "␛[32m@␛[0m",
    "\\u001b[33m@\\u001b[0m done",
    "+  token: @\n-  token: none",
    "config/prod.yml:12:  value: @",
    "    12→key @\n    13→",
    "<td>&quot;@&quot;</td>",
    "printf 'first\\n@\\nlast'",
];

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// A token of the form.
pub(crate) fn token(form: &str, dice: &mut Dice) -> String {
    let form = form.replace('¦', "");
    let mut token = String::new();
    let mut rest = form.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let (class, behind) = after.split_once('}').expect("a form");
        token += before;
        token += &class_of(class, dice);
        rest = behind;
    }
    token + rest
}

fn class_of(class: &str, dice: &mut Dice) -> String {
    let count = class[1..].parse().unwrap_or(0);
    let alphabet = match &class[..1] {
        "A" => format!("{LOWER}{UPPER}{DIGITS}"),
        "a" => format!("{LOWER}{UPPER}"),
        "B" => format!("{LOWER}{UPPER}{DIGITS}-_"),
        "l" => format!("{LOWER}{DIGITS}"),
        "U" => format!("{UPPER}{DIGITS}"),
        "W" => format!("{UPPER}234567"),
        "C" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_owned(),
        "D" => DIGITS.to_owned(),
        "h" => format!("{DIGITS}abcdef"),
        "X" => format!("{DIGITS}ABCDEF"),
        _ => return [8, 4, 4, 4, 12].map(|count| dice.letters("0123456789abcdef", count)).join("-"),
    };
    // No token ends in a sign: services avoid it, and a text's own sign could not be told from it.
    let most = alphabet.trim_end_matches(['-', '_']);
    dice.letters(&alphabet, count - 1) + &dice.letters(most, 1)
}
