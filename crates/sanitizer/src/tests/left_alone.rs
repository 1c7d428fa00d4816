//! Texts that look a little like secrets and stay as they are.

use super::{cleaned, sanitizer};
use crate::{Context, Source};

fn check(cases: &[&str]) {
    for text in cases {
        assert_eq!(cleaned(text), *text);
    }
}

#[test]
fn ids_and_hashes_stay() {
    check(&[
        r#"{"id":"01K3ZQ8M5V7X9B2D4F6H8J0K1M","uuid":"6680df8b-2ca8-468b-9519-018198f89c9e"}"#,
        r#"{"tool_use_id":"toolu_01TTzTGbhhmVVSjzCLf3n8A4","call_id":"call_RrXzWLHhFcMxPhkJod0tHSUr"}"#,
        r#"{"requestId":"req_011CXLSZCEAr4Qe3KPXR4qdT","id":"msg_01Whawmu7h8mjameNUcvTvxN"}"#,
        "commit 846c26542a31b7e0851160128f8e24e603dfd309",
        "uses: codecov/codecov-action@846c26542a31b7e0851160128f8e24e603dfd309",
        "sha512-mNAgZ1GmyNhD7AuqnTG3lKUnmEc1LeZYS3QAAmNAgZ1GmyNhD7AuqnTG3lKUnmEc1LeZYS3QAA==",
        "go.sum h1:k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP12345678=",
        r#"{"kms_key_id":"555ea4a3-d53a-4412-9c66-3a7cb667b0d6","clientId":"73082700-1f09-405b-80d0-3131bfd6272d"}"#,
        "mise cache restored from key: mise-v0-linux-x64-f804a68745ce7318dacd9fc03814b81b",
    ]);
}

#[test]
fn sealed_values_stay() {
    let sealed = "EssBCkYICxgCKkC6MFdvOYvqmTnKhuZvlZy11YcWfg5N19UuChFvzDKtCzG171YftMzJRHkRbfCibySu";
    for key in ["signature", "encrypted_content", "reasoningOpaque"] {
        check(&[&format!(r#"{{"{key}":"{sealed}","type":"thinking"}}"#)]);
    }
}

#[test]
fn placeholders_and_variables_stay() {
    check(&[
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "export OPENAI_API_KEY=sk-...",
        "API_KEY=your-api-key-here",
        "password: ${DB_PASSWORD}",
        "password = process.env.DB_PASSWORD1",
        "password = os.environ['DB_PASSWORD1']",
        "PASSWORD=changeme",
        "password: '********'",
        "token = xxxxxxxxxxxxxxxxxxxxxxxx",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "postgres://user:password@localhost:5432/db",
        "GITHUB_API_KEY=\nDYNATRACE_API_KEY=",
        "curl -u \"$USER:$PASSWORD\" https://h/",
        "mysql -u ann -p shop2 -P 3306",
        "docker run -p 8080:80 image9",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYD\n-----END CERTIFICATE-----",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP ann@host",
    ]);
}

#[test]
fn code_and_prose_stay() {
    check(&[
        "fn password(&self) -> &str { &self.password }",
        "const token = await getToken(user2);",
        "password: string; passwordHash: string;",
        "if (token === null) return refreshToken();",
        r#"{"input_tokens":51122,"output_tokens":17,"max_tokens":4096}"#,
        "schemaKey = 'DOC_Vector_5_32'",
        "const verdict = passed ? 'pass' : 'fail';",
        "pub const ERROR_TOKEN: windows_sys::core::HRESULT = 0x8001013C_u32 as _;",
        "installation identified by `EXEPATH` avoids that",
        "adds a --password flag to the parser",
        "const STORAGE_KEY = 'vue-todo-list';",
        "KEYCHAIN_PASSWORD=$(openssl rand -hex 20)",
        "password={{ password }}",
        "pub const ERROR_WRONG_PASSWORD: u32 = 0x80090032;",
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyDatabaseSecret-a1b2c3",
        "readFile('/etc/passwd', 'utf8')",
        "The password must have 8 characters, the token expires after 3600 seconds.",
        "next_page_token = \"CAUQAA9f86d081884c7d65\"",
        "public_key = \"9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit\"",
        "PWD=/home/ann/project1",
        "src/sanitizer/tests/taken_out.rs:42",
        "https://docs.rs/regex/1.10.2/regex/struct.Regex.html#method.find",
    ]);
}

#[test]
fn code_that_hands_on_or_asks_about_a_secret_stays() {
    check(&[
        "self._password1: str = password1",
        "        self._password2 = password2",
        "if (typeof options.accessToken === 'function') {",
        "let f = typeof this.password === 'function'",
        "throw 1;n.password=n2}return this.settings=o",
        "t.auth=h1,t}{const a=1",
        "const apiKey = `:${credentials.apiKey}`;",
        "auth: `oauth2:${opts.token}`,",
        r#"re.sub(r"\"accessToken\": \"(.*?)(\"|$)", "x", output)"#,
        "BearerToken = BearerTokenGenerator",
        "SECRET_KEY = 'AWSSecretKey'",
        "MSG_USERAUTH_GSSAPI_TOKEN: \"userauth-gssapi-token\",",
        "<protocol>://[<user>[:<password>]@]<hostname>[:<port>]",
        "if (body.forceChangePassword === 'forceChangePasswordNextSignIn') {",
        "return t.auth=h,t}{const{preview:t,response:e}=await zr(p);try{}",
        "return a.previousToken=i,a.name=Gi,a}return e}(zt);",
        "t.ERR_IV=t.ERR_INVALID_PASSWORD=t.ERR_KEY=t.ERR_PRIVATE_KEY=void 0,t.a=1",
        "((!!rule.username && !!rule.password) || !!rule.token));",
        "auth = { user: credentials!.publicId as string, pass: credentials!.privateApiKey as string };",
        "    get_token=lambda _, **__: expected_token,",
        "const apiKey = `${credentials.apiKey}:X`;",
        r"let sourceCredential = `<${escapedName}>\n`;",
        "![cover](https://codecov.io/gh/a/b/graph/badge.svg?token=mDP3mQJNnn)",
    ]);
}

#[test]
fn calls_and_constants_stay() {
    check(&[
        "    KRB5_PASSWORD=str(self._get_cloud_config(KRB5_PASSWORD_ENV)),",
        "dict(DB_PASSWORD=os.environ[\"DB_PASSWORD1\"], API_KEY=config.get(\"api_key2\"))",
        "    CRED_TYPE_DOMAIN_VISIBLE_PASSWORD = 0x4",
        "prompt = \"{}@{}'s password: \".format(user, host)",
    ]);
}

#[test]
fn numbers_of_errors_stay() {
    check(&[
        "ER_MUST_CHANGE_PASSWORD = 1820",
        "ER_NOT_VALID_PASSWORD = 1819\n",
        "    INCORRECT_USERNAME_PASSWORD: '390100',",
        "    readonly INVALID_PASSWORD: \"390100\";",
    ]);
}

#[test]
fn names_of_things_at_a_service_stay() {
    check(&[
        "// https://source.example.org/src/common/globals.h;drc=1946212ac0100668f14eb9e2843bdd846e510a1e;l=1275",
        "type binaryType = Blob|DataView|Int8Array|Uint8Array|Uint8ClampedArray|Int16Array|Uint16Array|stream.Stream;",
        "type slackBody = Uint8ClampedArray|Int16Array|Uint16Array|Float32Array|stream.Stream;",
        "enrtree://AKA3AM6LPBYEUDMVNU3BSVQJ5AD45Y7YPOHJLEF6W26QOE4VTUDPE@all.nodes.example.net",
        "uri: 'spotify:artist:6XyY86QOPPrYVGvF9ch6wz',",
        "if (discord.operation === n8n_workflow_1.SEND_AND_WAIT_OPERATION) {",
        "For example, cloudflare: d111111abcdef8.cloudfront.net.",
    ]);
}

#[test]
fn names_of_types_and_hosts_stay() {
    check(&[
        "    apiKey: SensitiveString2048;",
        "        segment?: Schema$GoogleCloudVideoV1p1beta1_VideoSegment;",
        "    Password?: XmlStringMaxLen256;",
        "For example, cloudflare: d111111abcdef8.edge.net",
        "# token          = 1*tchar",
        "'training_mean_squared_error': 1.9721522630525295e-31,",
        "let hasLoc = !!nodeLoc;",
        "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
    ]);
}

#[test]
fn names_that_are_their_own_examples_stay() {
    check(&[
        r#"  //   "siteSecret": "my_siteSecret","#,
        r#"RESOURCE_TYPE_GATEWAY_SECRET = "gateway_secret""#,
        "# Run the default password hasher once to reduce the timing difference for a login",
        "a genuine `N`-token decode input: the traced graph",
        "password = \":****\"",
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        r#"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example"}"#,
    ]);
}

#[test]
fn what_only_looks_like_a_name_goes() {
    for text in [
        "password: Summer2024Winter",
        "apiKey: \"aB3xY9kQ2mV7tR4wZ8bN1c\"",
        "apiKey: 'SuNsHiNe7xQ2mV9kTr4wZb'",
        "haslo = hunter7",
        "db_haslo: hunter7\n",
        "password = \"my_hunter\"",
        "DB_SECRET = \"gateway_hunter7\"",
        "user = \"ann\"; password = \"annals@\";",
        "machine h\n  login ann\n  password hunter",
        "password=a[b7c&x=1",
        "disable anonymous login\npassword: \"P@ssword1\"",
        "server->user = \"anonymous\";\nserver->password = \"annals@\";",
        "redis://anonymous:hunter7x@h/",
        "jdbc://scott:tiger@db/shop",
        "DB_PASSWORD=\"my_db_password\"",
        "PROD_DB_PASSWORD=\"db_password\"",
        "connect(db_password=password1, user=ann)",
        "secret: 'mySecret'",
        "password: \"forceChange7\"",
        "db.password=n}return",
        "x.password=hunter7,x\n",
        "password: `hunter:7${x}`",
        "spotify:key:6XyY86QOPPrYVGvF9ch6wz",
        "<password>]@7]</password>",
        "DB_PASSWORD = 1820",
        "DB_PASSWORD=P(word)1",
        "PASSWORD = 0x4hunter",
        "PASSWORD = 0x1234567890abc",
        "ERP_PASSWORD: '390100'",
        "error.password: 390100\n",
        "MUST_CHANGE_PASSWORD = Summer24",
        "dbPassword = 'dbPasswordProd'",
        "myDbPassword = 'myDbPasswordProd'",
        "return t.password=hunter7;x.y=1\n",
        "connect(password=ab.cd=efg7!, 1)",
        "f(password=!!rule7token)",
        "pass: credentials!hunter2",
        "password=lambda\n",
        "password=lambda user=ann",
        "password=await user=ann",
        "apiKey = `${credentials.apiKey}:hunter2`",
        "password: `abc${x}`",
        "password: `<${x}>hunter`",
        "lob.key = 1946212ac0100668f14eb9e2843bdd846e510a1e",
        "mylob_key = \"1946212ac0100668f14eb9e2843bdd846e510a1e\"",
        "slack = aB3xY9kQ2mV7|tR4wZ8bN1cL6yH5dF0s",
        "https://AKA3AM6LPBYEUDMVNU3BSVQJ5AD45Y7YPOHJLEF6W26QOE4VTUDPE@all.nodes.example.net",
    ] {
        assert_ne!(cleaned(text), text);
    }
}

#[test]
fn empty_and_odd_texts_stay() {
    check(&[
        "", " ", "\u{0}", "password", "password=", "token: ", "://", "-----BEGIN", "s.", "=", "ey", "a://@", "\\",
        "\"\\",
    ]);
}

#[test]
fn a_clean_text_is_not_even_copied() {
    let (sanitizer, context) = (sanitizer(), Context::of(Source::Output));
    assert!(matches!(sanitizer.sanitize_text("nothing here", &context).text, std::borrow::Cow::Borrowed(_)));
    assert!(matches!(sanitizer.sanitize_json(r#"{"a":[1,"b"]}"#, &context).text, std::borrow::Cow::Borrowed(_)));
}

#[test]
fn what_only_names_a_secret_stays() {
    check(&[
        "FAIL: test_bar\nPASS: test_foo\nPASS: tests/login.test.ts\n PASS: t/basic.t\nPASS: check-utils.sh",
        "PASS: integration-tests",
        "existingSecret: postgres-credentials",
        "auth:\n  existingSecret: \"pg-credentials\"",
        "--set auth.existingSecret=pg-credentials",
        "secret \"my-app\" deleted",
        "gcloud run deploy x --set-secrets=DB_PASSWORD=db-pass:latest",
        "gcloud run deploy x --update-secrets=API_KEY=api-key:2",
        "docker build --secret id=npmrc,src=.npmrc .",
        "docker run --secret db_password x",
        "podman run --secret=db_password x",
        "pulumi config set --secret dbPassword",
        "ansible-playbook --ask-vault-pass x.yml",
        "password: !vault",
        "password: !Ref DBPassword",
        "MasterUserPassword: !Ref DBPassword",
        r#"{"label":"Password","text":"Choose a new password"}"#,
        r#"{"element":"Search field","text":"tulpenfeld9"}"#,
    ]);
}

/// A line whose only bracket is its first letter is the margin of no `git blame`.
#[test]
fn a_bracket_at_the_beginning_of_a_line_is_no_margin() {
    check(&[")password://", ") token://x\n) token://y", "^)password://"]);
}
