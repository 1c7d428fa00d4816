//! The forms in which programs, files and languages write a password, and what looks like each and is none.

use super::cleaned;

/// Every `hunter7`, `Berlin#17`, `x-y.z7` and `winter` in the texts goes, and nothing else.
fn goes(texts: &[&str]) {
    for text in texts {
        let mut expected = (*text).to_owned();
        for secret in ["hunter7", "Berlin#17", "x-y.z7", "winter"] {
            expected = expected.replace(secret, "[REDACTED_PASSWORD]");
        }
        assert_ne!(expected, *text, "a text without a secret");
        assert_eq!(cleaned(text), expected);
    }
}

fn stays(texts: &[&str]) {
    for text in texts {
        assert_eq!(cleaned(text), *text);
    }
}

#[test]
fn margins_without_a_blank_hide_nothing() {
    goes(&[
        "7:password: winter",
        "7:password=hunter7\n8:port=1",
        "12-password: winter\n",
        "12-DB_PASSWORD=winter\n",
        "src/a.yml:12:password: winter\n",
        "src/a.yml-12-password: \"winter\"\n",
        "conf/a.env:password = winter\n",
        "app.ini:db_password: winter\n",
        "\u{1b}[0m\u{1b}[32m7\u{1b}[0m:\u{1b}[0m\u{1b}[1m\u{1b}[31mpassword\u{1b}[0m: winter",
        "\u{1b}[32m\u{1b}[K7\u{1b}[m\u{1b}[K\u{1b}[36m\u{1b}[K:\u{1b}[m\u{1b}[K\u{1b}[01;31m\u{1b}[Kpassword\u{1b}[m\u{1b}[K=winter",
    ]);
    stays(&[
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:Database7-a1b2c3",
        "12:    password: String,",
        "7:let password = read_password();",
        "src/x.py:password = get_password(user)",
        "12-    password = self.password2",
        "urn:a.b:token:hunter7",
    ]);
}

#[test]
fn what_only_begins_like_a_vendors_token_stays() {
    stays(&[
        "https://example.org/bot123456:AAname/page",
        "client.login(\"MTA5ODc2NTQzMjEwOTg3NjU0MQ\")",
        "MTA5ODc2NTQzMjEwOTg3NjU0MQ==.txt.gz",
        "mtay.list.append(first.second.third.fourth.fifth.sixth.seventh.eighth.ninth)",
        "list.append(request.headers)",
        "ngrok config add-authtoken YOUR_AUTHTOKEN",
        "ATTACHMENT_TYPE and monkey_patch_everything_again",
        "unkey_some_words_of_code",
        "sk-ant-admin01-your-key-goes-here",
    ]);
}
