//! Texts with secrets, category by category, and what is left of them.

use super::{cleaned, history, joined, sanitizer, with_pii};
use crate::{Class, Finding};

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(cleaned(&joined(text)), *expected);
    }
}

#[test]
fn tokens_of_known_shapes_go_wherever_they_stand() {
    check(&[
        ("run with gh¦p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP now", "run with [REDACTED_TOKEN] now"),
        ("glp¦at-x7Kq2mR9vT4wZ8bN1cLy", "[REDACTED_TOKEN]"),
        ("id AK¦IAQ3EGRIYZNH5KT2VM, region eu", "id [REDACTED_API_KEY], region eu"),
        ("https://x/?t=np¦m_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP&y=1", "https://x/?t=[REDACTED_TOKEN]&y=1"),
        ("xo¦xb-482913375521-7719204483315-k3J9xQ2mV7tR4wZ8bN1cL6yH", "[REDACTED_TOKEN]"),
        ("sk_li¦ve_k3J9xQ2mV7tR4wZ8bN1cL6yH", "[REDACTED_API_KEY]"),
        (
            "ey¦JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm5hbHMiLCJpYXQiOjE3fQ.k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP",
            "[REDACTED_TOKEN]",
        ),
        (
            "printf 'dop_¦v1_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'",
            "printf '[REDACTED_TOKEN]'",
        ),
        (r"first line\ngh¦o_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP\nlast", r"first line\n[REDACTED_TOKEN]\nlast"),
    ]);
}

#[test]
fn passwords_go_and_their_names_stay() {
    check(&[
        ("password=hunter2", "password=[REDACTED_PASSWORD]"),
        ("connect DB_PASSWORD=Sommer2024x: refused", "connect DB_PASSWORD=[REDACTED_PASSWORD]: refused"),
        ("GET /?password=Sommer2024x: 404", "GET /?password=[REDACTED_PASSWORD]: 404"),
        ("--password=Sommer2024x: unknown option", "--password=[REDACTED_PASSWORD]: unknown option"),
        ("DB_PASSWORD=correcthorse\nPORT=5432", "DB_PASSWORD=[REDACTED_PASSWORD]\nPORT=5432"),
        ("export PGPASSWORD='k9#mP2$v' # local", "export PGPASSWORD='[REDACTED_PASSWORD]' # local"),
        (r#"{"user":"ann","password":"tr0ub4dor&3"}"#, r#"{"user":"ann","password":"[REDACTED_PASSWORD]"}"#),
        ("mysql --password=S3same7 -u ann", "mysql --password=[REDACTED_PASSWORD] -u ann"),
        (r#"{"password":"blue-Kettle-41"}"#, r#"{"password":"[REDACTED_PASSWORD]"}"#),
        ("tool --password S3same7 --quiet", "tool --password [REDACTED_PASSWORD] --quiet"),
        ("spring.datasource.password: S3same7x", "spring.datasource.password: [REDACTED_PASSWORD]"),
        ("let password: String = \"S3same7x\";", "let password: String = \"[REDACTED_PASSWORD]\";"),
        ("<password>S3same7x</password>", "<password>[REDACTED_PASSWORD]</password>"),
        (r#"<add key="DbPassword" value="S3same7x" />"#, r#"<add key="DbPassword" value="[REDACTED_PASSWORD]" />"#),
        ("machine h login ann password 7f3a9c2e51", "machine h login ann password [REDACTED_PASSWORD]"),
        (
            "Server=db;User Id=ann;Password=S3same7x;Database=shop;",
            "Server=db;User Id=ann;Password=[REDACTED_PASSWORD];Database=shop;",
        ),
        ("CREATE USER ann PASSWORD 'S3same7x';", "CREATE USER ann PASSWORD '[REDACTED_PASSWORD]';"),
    ]);
}

#[test]
fn secrets_and_keys_go_by_their_names() {
    check(&[
        ("STRIPE_SECRET=9f86d081884c7d659a2feaa0c55ad015", "STRIPE_SECRET=[REDACTED_SECRET]"),
        ("api_key: 'k3J9xQ2mV7tR4wZ8bN1c'", "api_key: '[REDACTED_API_KEY]'"),
        ("clientSecret = \"k3J9xQ2mV7tR4wZ8bN1c\"", "clientSecret = \"[REDACTED_SECRET]\""),
        ("?access_token=k3J9xQ2mV7tR4wZ8bN1c&page=2", "?access_token=[REDACTED_TOKEN]&page=2"),
        ("api key=kX9mQ2vR7tLw4zN8bY6c", "api key=[REDACTED_API_KEY]"),
        ("access key: 'k3J9xQ2mV7tR4wZ8bN1c'", "access key: '[REDACTED_API_KEY]'"),
        ("POSTMARK_KEY=k3J9xQ2mV7tR4wZ8bN1cL6yH", "POSTMARK_KEY=[REDACTED_API_KEY]"),
        ("heroku_key = 8ebb214e-95c6-47fd-9cec-3b105ffc780c", "heroku_key = [REDACTED_API_KEY]"),
        ("datadog: \"9f86d081884c7d659a2feaa0c55ad015\"", "datadog: \"[REDACTED_API_KEY]\""),
        ("token: k3J9xQ2mV7tR4wZ8bN1c", "token: [REDACTED_TOKEN]"),
        ("SECRET_KEY_BASE=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "SECRET_KEY_BASE=[REDACTED_SECRET]"),
        ("AK¦IAQ3EGRIYZNH5KT2VM:k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP/+Kq", "[REDACTED_API_KEY]:[REDACTED_SECRET]"),
    ]);
}

/// Neither shorter nor longer than any vendor makes them now.
#[test]
fn the_beginning_of_a_vendor_is_enough() {
    for opening in ["gh¦p_", "glp¦at-", "sk_li¦ve_", "sk-an¦t-api03-", "hv¦s.", "sb¦p_", "xa¦i-", "figd¦_"] {
        for body in ["k3J9xQ2mV7tR4wZ8bN1c", "k3J9xQ2mV7tR4wZ8bN1ck3J9xQ2mV7tR4wZ8bN1ck3J9xQ2mV7tR4wZ8bN1cL6yH5dF"] {
            let token = joined(opening) + body;
            assert!(!cleaned(&format!("see {token} there")).contains("k3J9"), "{token}");
        }
    }
    let text = joined("gh¦p_some_words_of_code and gh¦p_k3J9xQ2mV7tR4wZ8...");
    assert_eq!(cleaned(&text), text);
}

#[test]
fn headers_and_urls_are_cleaned() {
    check(&[
        ("Authorization: Bearer k3J9xQ2mV7tR4wZ8bN1c", "Authorization: Bearer [REDACTED_TOKEN]"),
        ("curl -H 'X-Api-Key: k3J9xQ2mV7t' https://h/", "curl -H 'X-Api-Key: [REDACTED_API_KEY]' https://h/"),
        ("Proxy-Authorization: Basic YW5uOlMzc2FtZTd4", "Proxy-Authorization: Basic [REDACTED_TOKEN]"),
        ("sends Basic YW5uOlMzc2FtZTd4 along", "sends Basic [REDACTED_PASSWORD] along"),
        ("postgres://ann:S3same7x@db.local:5432/shop", "postgres://ann:[REDACTED_PASSWORD]@db.local:5432/shop"),
        ("amqp://guest:guest@localhost/", "amqp://guest:[REDACTED_PASSWORD]@localhost/"),
        ("redis://:S3same7x@cache:6379", "redis://:[REDACTED_PASSWORD]@cache:6379"),
        ("git clone https://k3J9xQ2mV7tR4wZ8bN1cL6yH@git.local/x", "git clone https://[REDACTED_TOKEN]@git.local/x"),
        (
            "Cookie: theme=dark; sid=k3J9xQ2mV7tR4wZ8bN1c; lang=en\nHost: h",
            "Cookie: theme=dark; sid=[REDACTED_TOKEN]; lang=en\nHost: h",
        ),
        ("curl -u ann:S3same7x https://h/", "curl -u ann:[REDACTED_PASSWORD] https://h/"),
        ("curl -s \\\n  --user 'ann:S3same7x' https://h/", "curl -s \\\n  --user 'ann:[REDACTED_PASSWORD]' https://h/"),
        ("docker login -u ann -p S3same7x reg.local", "docker login -u ann -p [REDACTED_PASSWORD] reg.local"),
        ("mysql -u ann -pS3same7x shop", "mysql -u ann -p[REDACTED_PASSWORD] shop"),
        (
            "https://b.core.test/x?sv=2022-11-02&sig=k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP%2Bk3J9xQ2%3D",
            "https://b.core.test/x?sv=2022-11-02&sig=[REDACTED_SECRET]",
        ),
        (
            "https://hooks.sla¦ck.com/services/T00A1B2C3/B00D4E5F6/k3J9xQ2mV7tR4wZ8bN1cL6yH",
            "https://hooks.slack.com/services/[REDACTED_SECRET]",
        ),
    ]);
}

#[test]
fn private_keys_go_as_a_whole() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDk3J9xQ2mV7tR4";
    let block = |line_end: &str| {
        let lines =
            ["-----BEGIN RSA PRIVATE KEY-----", body, "8bN1cL6yH5dF0sA3gE9uP==", "-----END RSA PRIVATE KEY-----"];
        lines.join(line_end)
    };
    for line_end in ["\n", "\r\n", r"\n", r"\\n", "\n    "] {
        let text = format!("key: {} rest", block(line_end));
        assert_eq!(cleaned(&text), "key: [REDACTED_PRIVATE_KEY] rest", "{line_end:?}");
    }
    let cut = format!("-----BEGIN PRIVATE KEY-----\n{body}\n{body}\n");
    assert_eq!(cleaned(&cut), "[REDACTED_PRIVATE_KEY]\n");
    let shown =
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpQIBAAKCAQEAuyf/lNrH9ck8DmNyo3fG... -----END RSA PRIVATE KEY-----";
    assert_eq!(cleaned(shown), shown);
    let pgp =
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{body}\n-----END PGP PRIVATE KEY BLOCK-----");
    assert_eq!(cleaned(&pgp), "[REDACTED_PRIVATE_KEY]");
}

#[test]
fn of_a_private_key_whose_beginning_is_cut_off_the_rest_goes() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDk3J9xQ2mV7tR4";
    for end in ["RSA PRIVATE KEY-----", "PGP PRIVATE KEY BLOCK-----"] {
        for line_end in ["\n", "\r\n", r"\n", r"\\n", "\n    "] {
            let text = ["a log", body, body, "8bN1cL6yH5dF0sA3gE9uP==", "=aB3x", &format!("-----END {end}")];
            let left = cleaned(&text.join(line_end));
            assert!(left.starts_with("a log") && left.ends_with("[REDACTED_PRIVATE_KEY]"), "{left}");
            assert!(!left.contains("MIIE") && !left.contains("8bN1"), "{left}");
        }
    }
    for kept in [
        format!("{body}\n-----END CERTIFICATE-----"),
        "const FOOTER = \"-----END RSA PRIVATE KEY-----\";".to_owned(),
        "behind the lines of the key stands\n-----END PRIVATE KEY-----".to_owned(),
        "MIIEpQIBAAKCAQEAuyf/lNrH9ck8DmNyo3fG...\n-----END RSA PRIVATE KEY-----".to_owned(),
    ] {
        assert_eq!(cleaned(&kept), kept);
    }
}

#[test]
fn margins_leave_nothing_of_a_private_key() {
    let lines = [
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
        "QyNTUxOQAAACDk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPk3J9xQ2mV7tR4wZ8bN1cL6y",
        "7aB3xY9kQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE",
        "AAAAAwQF8bN1",
        "-----END OPENSSH PRIVATE KEY-----",
    ];
    let margins: [fn(usize) -> String; 10] = [
        |line| format!("{line}:"),
        |line| format!("{}-", line + 98),
        |line| format!("{:6}\t", line + 998),
        |line| format!("{line:6}→"),
        |line| format!("{line:4} | "),
        |line| format!("{line:4} │ "),
        |line| format!("keys/id-ed25519.pem:{}:", line + 9),
        |line| format!("keys/a.pem-{line}-"),
        |_| "+".to_owned(),
        |_| "-".to_owned(),
    ];
    for margin in margins {
        for line_end in ["\n", "\r\n", "\\n"] {
            for cut in [lines.len(), lines.len() - 1, lines.len() - 2] {
                let written: Vec<String> =
                    lines[..cut].iter().enumerate().map(|(at, line)| margin(at + 1) + line).collect();
                let left = cleaned(&(written.join(line_end) + " and so on"));
                assert_eq!(left, margin(1) + "[REDACTED_PRIVATE_KEY] and so on", "{written:?}");
            }
            // The beginning may be cut off, too.
            for first in 1..lines.len() - 2 {
                let written: Vec<String> =
                    lines.iter().enumerate().skip(first).map(|(at, line)| margin(at + 1) + line).collect();
                let left = cleaned(&("bytes cut]\n".to_owned() + &written.join(line_end) + " and so on"));
                let kept = left.strip_prefix("bytes cut]\n").and_then(|left| left.strip_suffix(" and so on"));
                let margin = kept.and_then(|kept| kept.strip_suffix("[REDACTED_PRIVATE_KEY]"));
                assert!(margin.is_some_and(|margin| margin.len() < 30), "{written:?}: {left}");
            }
        }
    }
}

#[test]
fn manifests_of_secrets_lose_their_values() {
    let manifest =
        "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: YW5uYWxz\n  pin: czNzYW1l\ntype: Opaque\n---\nkind: Pod\n";
    let expected = "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: [REDACTED_SECRET]\n  pin: [REDACTED_SECRET]\ntype: Opaque\n---\nkind: Pod\n";
    assert_eq!(cleaned(manifest), expected);
    assert_eq!(cleaned("data:\n  a: YW5uYWxz\n---\nkind: Pod\n"), "data:\n  a: YW5uYWxz\n---\nkind: Pod\n");
}

#[test]
fn people_go_only_where_it_is_asked_for() {
    let text = "write to ann@annals.test or call +49 30 1234567 or (212) 555-0123; clone git@host:a/b";
    assert_eq!(cleaned(text), text);
    let cleaned = with_pii().sanitize_text(text, &history());
    assert_eq!(
        cleaned.text,
        "write to [REDACTED_EMAIL] or call [REDACTED_PHONE] or [REDACTED_PHONE]; clone git@host:a/b"
    );
    let classes: Vec<Class> = cleaned.findings.iter().map(|finding| finding.class).collect();
    assert_eq!(classes, [Class::Email, Class::Phone, Class::Phone]);
}

#[test]
fn findings_name_the_rule_and_never_the_secret() {
    let text = r#"{"input":{"env":["A=1","DB_PASSWORD=hunter2x"]}}"#;
    let cleaned = sanitizer().sanitize_json(text, &history());
    let expected = Finding { rule: "named-password".into(), class: Class::Password, path: "input.env.1".into() };
    assert_eq!(cleaned.findings, [expected]);
    assert!(cleaned.is_redacted());
}

#[test]
fn beside_what_only_names_a_secret_a_password_goes() {
    for text in [
        "PASS: tulpenfeld9",
        "user: ann\nPASS: testing123",
        "docker run -e PASSWORD=tulpenfeld9 --secret db_password x",
        "existingSecret: Tulpenfeld_9",
        "pulumi config set --secret dbPassword tulpenfeld9",
        "gh secret set DB_PASSWORD --body tulpenfeld9",
        "az keyvault secret set --vault-name v --name DbPassword --value tulpenfeld9",
        "oc login -u ann -p tulpenfeld9",
        "lftp -u ann,tulpenfeld9 ftp.example.org",
        "7z a -ptulpenfeld9 a.7z b",
        r#"{"element":"Password field","ref":"e12","text":"tulpenfeld9"}"#,
        r##"{"selector":"#password","value":"tulpenfeld9"}"##,
        r#"{"selector":"input[name=\"password\"]","value":"tulpenfeld9"}"#,
        r#"{"field":"password","value":"tulpenfeld9"}"#,
    ] {
        let cleaned = cleaned(text);
        let is_gone = !["ulpenfeld", "testing123"].iter().any(|part| cleaned.contains(part));
        assert!(is_gone && cleaned.contains("[REDACTED"), "{text} -> {cleaned}");
    }
}
