//! The forms in which programs, files and languages write a password, and what looks like each and is none.

use super::cleaned;

/// Every `hunter7`, `Berlin#17`, `x-y.z7` and `winter` in the texts goes, and nothing else.
pub(super) fn goes(texts: &[&str]) {
    for text in texts {
        let mut expected = (*text).to_owned();
        for secret in ["hunter7", "Berlin#17", "x-y.z7", "winter"] {
            expected = expected.replace(secret, "[REDACTED_PASSWORD]");
        }
        assert_ne!(expected, *text, "a text without a secret");
        assert_eq!(cleaned(text), expected);
    }
}

pub(super) fn stays(texts: &[&str]) {
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

#[test]
fn statements_hide_nothing() {
    goes(&[
        "ALTER USER 'root'@'%' IDENTIFIED WITH mysql_native_password BY 'winter';",
        "alter user root identified with 'caching_sha2_password' by \"Berlin#17\"",
        "CREATE USER scott IDENTIFIED BY winter;",
        "ALTER USER scott IDENTIFIED BY hunter7 ACCOUNT UNLOCK;",
        "CREATE LOGIN app WITH PASSWORD = N'Berlin#17', CHECK_POLICY=OFF;",
        "ALTER LOGIN app WITH PASSWORD=N'winter'",
        "CREATE ROLE app ENCRYPTED PASSWORD 'winter';",
    ]);
    stays(&[
        "a user is identified by winter",
        "an account identified with a number by 'winter'",
        "CREATE USER scott IDENTIFIED BY :password;",
        "ALTER USER scott IDENTIFIED WITH caching_sha2_password BY '${PASSWORD}';",
        "the element identified by name1 is gone",
    ]);
}

#[test]
fn signs_in_what_a_variable_is_given_hide_nothing() {
    goes(&[
        "define('DB_PASSWORD', 'Berlin#17');",
        "define( \"DB_PASSWORD\", \"winter\" );",
        "ENV DB_PASSWORD Berlin#17\nEXPOSE 80",
        "set -gx DB_PASSWORD x-y.z7",
        "set -Ux DB_PASSWORD 'winter'\n",
        "setenv DB_PASSWORD winter\n",
        "'password' => env('DB_PASSWORD', 'Berlin#17'),",
        "os.environ.get('X_PASSWORD', 'winter')",
        "ENV.fetch(\"DB_PASSWORD\", \"x-y.z7\")",
        "openssl rsa -in k.pem -passin pass:Berlin#17 -out o.pem",
    ]);
    stays(&[
        "os.environ.get('X_PASSWORD', '')",
        "os.environ.get('DB_PASSWORD', None)",
        "define('DB_PASSWORD', 'password_here');",
        "ENV DB_PASSWORD $DB_PASSWORD",
        "the env DB_PASSWORD holds it",
        "options.get('password', 'winter')",
        "openssl rsa -in k.pem -passin env:SECRET -out o.pem",
        "map.get(PASSWORD_KEY, winter)",
    ]);
}

#[test]
fn members_blocks_and_tags_of_yaml_hide_nothing() {
    goes(&[
        "env:\n- name: DB_PASSWORD\n  value: winter\n- name: X\n  value: \"1\"",
        "        - name: DB_PASSWORD\n          value: \"winter\"\n",
        "Here it is:\n{\"env\": [{\"name\": \"DB_PASSWORD\", \"value\": \"winter\"}]}",
        "Here it is:\n{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"Berlin#17\"\n}",
        "db:\n  password: |\n    winter\n  user: ann\n",
        "db:\n  password: >-\n    Berlin#17\n",
        "password: |\n  winter",
        "password: !!str winter\n",
        "password: &a winter\nuser: ann\n",
        "password: &a \"winter\"\n",
        "[remote]\nuser = ann\npass = winter",
        "variable \"db_password\" {\n  type    = string\n  default = \"winter\"\n}",
        "$ terraform output -json\n{\n  \"db_password\": {\n    \"sensitive\": true,\n    \"value\": \"winter\"\n  }\n}",
        "{\"db_password\": {\"sensitive\": true, \"type\": \"string\", \"value\": \"winter\"}}",
        "<key>password</key>\n<string>winter</string>",
    ]);
    stays(&[
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: password\n",
        "- name: password\n  type: string\n  value: string\n",
        "- name: DB_PASSWORD\n  value: $(DB_PASSWORD)\n",
        "password: |\n  The password of the user.\n  At least 8 letters.\n",
        "fn login(password: &str, token: &Token) -> bool {",
        "let password: &mut String = &mut text;",
        "password: &str,",
        "pass = next(passes)",
        "variable \"db_password\" {\n  type = string\n  sensitive = true\n}\nvariable \"x\" {\n  default = \"winter\"\n}",
        "\"password\": {\"type\": \"string\", \"default\": \"winter\"}",
        "<key>name</key>\n<string>winter</string>",
    ]);
}

#[test]
fn arguments_of_calls_hide_nothing() {
    goes(&[
        "var credential = new NetworkCredential(\"ann\", \"winter\");",
        "$c = mysqli_connect(\"localhost\", \"root\", \"Berlin#17\", \"app\");",
        "$pdo = new PDO('mysql:host=h;dbname=app', 'root', 'winter');",
        "DriverManager.getConnection(url, \"root\", \"winter\");",
        "requests.get(url, auth=('ann', 'x-y.z7'))",
        "auth=HTTPBasicAuth(\"ann\", \"winter\")",
        "sql.Open(\"mysql\", \"root:Berlin#17@tcp(127.0.0.1:3306)/app\")",
        "DSN=root:winter@tcp(db:3306)/app?parseTime=true",
        "ds.setUsername(\"sa\");\nds.setPassword(\"winter\");",
        "const DB_PASSWORD: &str = \"winter\";",
        "pub static PASSWORD: &'static str = \"x-y.z7\";",
        "Dim password As String = \"winter\"",
    ]);
    stays(&[
        "new NetworkCredential(user, password)",
        "mysqli_connect($host, $user, $password2)",
        "DriverManager.getConnection(url, properties)",
        "requests.get(url, auth=('user', 'password'))",
        "auth=(user, os.environ[\"X\"])",
        "user:password@tcp(localhost:3306)/db",
        "const PASSWORD: &str = \"password\";",
        "pub const KDF_RAW_SECRET: &'static str = \"TRUNCATE\";",
        "pub const OID_USER_PASSWORD: &'static str = \"2.5.4.35\";",
        "Dim password As String = ReadPassword()",
        "ann@tcp(h:1)",
    ]);
}

#[test]
fn words_of_servers_and_tools_hide_nothing() {
    goes(&[
        "port 6379\nrequirepass winter\nmaxmemory 1gb",
        "command: redis-server --requirepass x-y.z7 --appendonly yes",
        "redis-cli CONFIG SET requirepass winter\n",
        "- **Password**: `winter`\n- **User**: `ann`",
        "**Password**: hunter7\n",
        "network={\n  ssid=\"home\"\n  psk=\"winter\"\n}",
        "[wifi-security]\nkey-mgmt=wpa-psk\npsk=winter\n",
        "keytool -list -keystore k.jks -storepass winter -v",
        "htpasswd -b -c .htpasswd ann winter",
        "htpasswd -c -b .htpasswd ann 'Berlin#17'",
        "htpasswd -B -bn ann winter",
        "<add key=\"DbPassword\" value = \"winter\"/>",
    ]);
    stays(&[
        "requirepass is a directive of the server",
        "the option requirepass sets it",
        "htpasswd -c .htpasswd ann",
        "keytool -storepass $PASSWORD -v",
        "key-mgmt=wpa-psk\n",
        "- **password**: string\n",
        "- **Password**: The password of the user\n",
        "<input name=\"password\" value>",
    ]);
}

#[test]
fn names_written_apart_together_or_twice_hide_nothing() {
    goes(&[
        "{\"passwordConfirmation\": \"winter\", \"password_repeat\": \"winter\"}",
        "password_confirmation=x-y.z7&passwordAgain=x-y.z7&x=1",
        "contraseña_confirm: \"winter\"",
        "passwordClear: 'winter'",
        "password_plaintext = \"Berlin#17\"",
        "pass1 = \"winter\"",
        "PASS2=winter\n",
        "{\"pw1\": \"winter\"}",
        "pass_word: winter\n",
        "pass-phrase = 'x-y.z7'",
        "MYPASS=winter\n",
        "adminpass: \"winter\"",
        "<smtppass>winter</smtppass>",
        "$userpw = 'winter';",
        "psk = \"winter\"",
        "pw = 'winter'",
        "char pass[32] = \"winter\";",
    ]);
    stays(&[
        "bypass = \"winter\"",
        "compass: \"winter\"",
        "surpass = 'winter'",
        "pass1 = run_pass(ir, 1)",
        "pass2: 12ms\n",
        "pw=1920 ph=1080",
        "pw: 3.5\n",
        "ProxyPass /app http://localhost:8080/",
        "password_confirmation: true",
        "passwordHint: \"winter\"",
        "const pass1 = new RenderPass(scene, camera);",
        "psk=sae",
        "token=ident",
        "sed -i 's/password=.*/password=REDACTED/' .env",
        "gcloud secrets versions access latest --secret=db-password",
        "'password' => 'required|string|min:8|confirmed',",
        concat!("STRIPE_KEY=pk_li", "ve_51HabcDEFghiJKLmnoPQRstuVWXyz"),
        concat!("pk_li", "ve_51HabcDEFghiJKLmnoPQRstuVWXyz"),
    ]);
}

#[test]
fn what_a_variable_has_where_nothing_is_set_hides_nothing() {
    goes(&[
        "password: ${DB_PASSWORD:-winter}",
        "PASSWORD=\"${PASSWORD:=x-y.z7}\"",
        "- POSTGRES_PASSWORD=${POSTGRES_PASSWORD:-Berlin#17}",
        ": \"${DB_PASSWORD:='winter'}\"",
        "password: ${db.password:winter}",
        "{\"db\": \"${DB_PASSWORD:-winter}\"}",
        "password: ${PG_X:-winter}\n",
        "DB_PASSWORD=${PG_X-winter}\n",
        "password: {{ db_password | default('winter') }}",
        "password: \"{{ .Values.password | default \"winter\" }}\"",
        "{{ lookup('env', 'DB_PASSWORD') | default('x-y.z7', true) }}",
        "password = os.environ.get(\"DB_PASSWORD\") or \"winter\"",
        "password: process.env.DB_PASSWORD ?? 'winter',",
        "password = ENV.fetch(\"DB_PASSWORD\") { \"winter\" }",
    ]);
    stays(&[
        "password: ${DB_PASSWORD:-changeme}",
        "password: ${DB_PASSWORD:?no password}",
        "password: ${DB_PASSWORD:+set}",
        "password: ${DB_PASSWORD:-}",
        "password: ${DB_PASSWORD:-${OTHER}}",
        "password: ${DB_PASSWORD:-$(cat secret)}",
        "${secret:database}",
        "password: {{ db_password | default('') }}",
        "password: {{ db_password | default(omit) }}",
        "password: {{ db_password | b64encode }}",
        "password: options.password ?? creds.password ?? '',",
        "if get(\"password\") or \"winter\" in options:",
        "the password or \"winter\"",
    ]);
}

#[test]
fn types_and_wrappers_hide_nothing() {
    goes(&[
        "var password string = \"winter\"",
        "\tconst dbPassword string = \"x-y.z7\"",
        "static const char password[] PROGMEM = \"winter\";",
        "char password[64] = \"Berlin#17\";",
        "std::string password{\"winter\"};",
        "let password = String::from(\"winter\");",
        "let password: Option<&str> = Some(\"winter\");",
        "password: SecretStr = SecretStr(\"x-y.z7\")",
        "QString password = QStringLiteral(\"winter\");",
        "password = (\"winter\")",
        "password = [\"winter\"]",
        "jwt_secret_password := []byte(\"winter\")",
    ]);
    stays(&[
        "password = getpass(\"winter\")",
        "password = vault.read(\"winter\")",
        ",\"auth\":[\"aws.auth#sigv4\"]},\"op\":{\"D\":1}",
        "<input type=password id=\"winter\">",
        "password string `json:\"winter\"`",
        "password == \"\" && x = \"winter\"",
        "let password = Some(winter);",
        "password = (\"winter\", 3)",
    ]);
}

#[test]
fn the_column_of_a_match_hides_nothing() {
    goes(&["config.yml:12:3:password: winter", "src/a.yml:7:15:password=winter\n"]);
    stays(&["arn:aws:12:3:secret:winter", "a.rs:12:3:let password = winter();"]);
}
