//! What tools put around and into a text, and that it hides nothing.

use super::{cleaned, joined};

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(cleaned(&joined(text)), *expected);
    }
}

#[test]
fn terminal_sequences_hide_nothing() {
    check(&[
        (
            "\u{1b}[33mpassword\u{1b}[0m=\u{1b}[32mhunter\u{1b}[0m",
            "\u{1b}[33mpassword\u{1b}[0m=\u{1b}[32m[REDACTED_PASSWORD]\u{1b}[0m",
        ),
        ("pass\u{1b}[1mword\u{1b}[0m: hunter\n", "pass\u{1b}[1mword\u{1b}[0m: [REDACTED_PASSWORD]\n"),
        (r"\x1b[31mDB_PASSWORD\x1b[0m=hunter\x1b[0m", r"\x1b[31mDB_PASSWORD\x1b[0m=[REDACTED_PASSWORD]\x1b[0m"),
        (r"\u001b[31mpassword\u001b[0m: 'hunter'", r"\u001b[31mpassword\u001b[0m: '[REDACTED_PASSWORD]'"),
        (r"^[[1mpassword^[[0m = 'hunter'", r"^[[1mpassword^[[0m = '[REDACTED_PASSWORD]'"),
        (r"\033[1mtoken gh¦p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP\033[0m", r"\033[1mtoken [REDACTED_TOKEN]\033[0m"),
    ]);
}

#[test]
fn margins_hide_nothing() {
    check(&[
        (
            "@@ -1 +1 @@\n+password: hunter\n-password: winter\n",
            "@@ -1 +1 @@\n+password: [REDACTED_PASSWORD]\n-password: [REDACTED_PASSWORD]\n",
        ),
        ("> password: hunter\n", "> password: [REDACTED_PASSWORD]\n"),
        ("config/a.yml:12:  password: hunter\n", "config/a.yml:12:  password: [REDACTED_PASSWORD]\n"),
        (
            "12-DB_PASSWORD=hunter\n13:DB_PASSWORD=winter\n",
            "12-DB_PASSWORD=[REDACTED_PASSWORD]\n13:DB_PASSWORD=[REDACTED_PASSWORD]\n",
        ),
        ("    12→  password: hunter\n    13→  port: 1\n", "    12→  password: [REDACTED_PASSWORD]\n    13→  port: 1\n"),
        ("  12 | password: hunter\n", "  12 | password: [REDACTED_PASSWORD]\n"),
    ]);
}

#[test]
fn escapes_of_all_kinds_hide_nothing() {
    check(&[
        ("pass%77ord=hunter&x=1", "pass%77ord=[REDACTED_PASSWORD]&x=1"),
        ("%7B%22password%22%3A%22hunter%22%7D", "%7B%22password%22%3A%22[REDACTED_PASSWORD]%22%7D"),
        (
            "<p>{&quot;password&quot;:&quot;hunter&quot;}</p>",
            "<p>{&quot;password&quot;:&quot;[REDACTED_PASSWORD]&quot;}</p>",
        ),
        ("{&#34;password&#34;:&#x22;hunter&#x22;}", "{&#34;password&#34;:&#x22;[REDACTED_PASSWORD]&#x22;}"),
        (r"x \u0022password\u0022: \u0022hunter\u0022", r"x \u0022password\u0022: \u0022[REDACTED_PASSWORD]\u0022"),
        (
            r"x \u003cpassword\u003ehunter\u003c/password\u003e",
            r"x \u003cpassword\u003e[REDACTED_PASSWORD]\u003c/password\u003e",
        ),
        ("user=3Dann&password=3Dhunter&x=3D1", "user=3Dann&password=3D[REDACTED_PASSWORD]&x=3D1"),
        ("a=3Db\npass=\nword: hunter\n", "a=3Db\npass=\nword: [REDACTED_PASSWORD]\n"),
        ("https://ann:hunt%65r@host/", "https://ann:[REDACTED_PASSWORD]@host/"),
    ]);
}

#[test]
fn commands_and_files_of_passwords_hide_nothing() {
    check(&[
        ("sshpass -p hunter ssh ann@host", "sshpass -p [REDACTED_PASSWORD] ssh ann@host"),
        ("redis-cli -h h -a hunter ping", "redis-cli -h h -a [REDACTED_PASSWORD] ping"),
        ("mysql -uann -phunter shop", "mysql -uann -p[REDACTED_PASSWORD] shop"),
        ("curl -u ann:hunter https://h/", "curl -u ann:[REDACTED_PASSWORD] https://h/"),
        ("echo 'ann:hunter' | sudo chpasswd", "echo 'ann:[REDACTED_PASSWORD]' | sudo chpasswd"),
        (
            "echo hunter | docker login -u ann --password-stdin",
            "echo [REDACTED_PASSWORD] | docker login -u ann --password-stdin",
        ),
        ("htpasswd -bc .htpasswd ann hunter", "htpasswd -bc .htpasswd ann [REDACTED_PASSWORD]"),
        ("db.local:5432:shop:ann:hunter\n", "db.local:5432:shop:ann:[REDACTED_PASSWORD]\n"),
        ("*:*:*:ann:hunter\n", "*:*:*:ann:[REDACTED_PASSWORD]\n"),
        ("machine h login ann password hunter", "machine h login ann password [REDACTED_PASSWORD]"),
        ("CREATE USER ann IDENTIFIED BY 'hunter'", "CREATE USER ann IDENTIFIED BY '[REDACTED_PASSWORD]'"),
        ("Authorization: Basic YW5uOmh1bnRlcg==", "Authorization: Basic [REDACTED_TOKEN]"),
        ("docker run -e DB_PASSWORD=hunter image", "docker run -e DB_PASSWORD=[REDACTED_PASSWORD] image"),
        ("$env:DB_PASSWORD = 'hunter'", "$env:DB_PASSWORD = '[REDACTED_PASSWORD]'"),
        ("密码：hunter\n", "密码：[REDACTED_PASSWORD]\n"),
        (
            "https://api.local/hooks/incoming/k3J9xQ2mV7tR4wZ8bN1cL6yH",
            "https://api.local/hooks/incoming/[REDACTED_SECRET]",
        ),
    ]);
}

#[test]
fn what_was_made_to_be_public_stays() {
    for text in [
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPabcdef ann@host",
        "SHA256:k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPabcdefg",
        r#"{"signature":"k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPabcdefghijklmA=="}"#,
        r#"{"key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uPabcdef"}"#,
        "public_key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ] {
        assert_eq!(cleaned(text), text);
    }
}
