//! Passwords in what programs print, keep and are given: lists, calls, members of objects, commands.

use super::cleaned;
use super::forms::{goes, stays};

#[test]
fn words_in_lists_hide_nothing() {
    goes(&[
        "kubectl create secret generic db --from-literal=password=winter",
        "mount -t cifs //h/s /m -o username=a,password=winter",
        "user[password]=winter&x=1",
        "user[password]=winter\n",
        "map[password:winter user:ann]",
        "&{User:ann Password:winter Host:x}",
        "    [password] => winter\n",
        "web-1  | password: winter\n",
        "abc12345 src/a.yml (Ann 2026-01-01 12:00:00 +0000 12)   password: winter\n",
        "winscp /password=winter",
        "wmic /user:a /password:winter",
    ]);
    for text in ["{ name: ann, password: tiger-lily }", "User(name=ann, password=tiger-lily)"] {
        assert!(!cleaned(text).contains("tiger-lily"), "{text}");
    }
    stays(&[
        "connect(user=u,password=winter)", "a[token]=winter;b[c]=d", "{ name: ann, password: winter }",
        "{User: ann, password: winter}", "https://h/password:winter", "cat x | password: winter y\n",
        "password: end-to-end,", "f\"{Password:>10}\"",
    ]);
}

#[test]
fn what_is_put_under_a_name_hides_nothing() {
    goes(&[
        "props.put(\"password\", \"winter\");",
        "System.setProperty(\"db.password\",\"winter\");",
        "System.getenv().getOrDefault(\"DB_PASSWORD\", \"winter\")",
        "localStorage.setItem('password', 'winter')",
        "headers.set(\"X-Password\", \"winter\")",
        "flag.StringVar(&password, \"password\", \"winter\", \"the password\")",
        "await page.fill('#password', 'winter');",
        "parser.add_argument(\"--password\", default=\"winter\")",
        "fill_in \"Password\", with: \"winter\"",
    ]);
    stays(&[
        "errors.put(\"password\", \"winter\");",
        "fieldErrors().set('password', 'winter')",
        "options.get('password', 'winter')",
        "i18n.set('password', 'winter')",
        "parser.add_argument(\"--password\", default=None, help=\"winter\")",
        "parser.add_argument(\"--password\", help=\"x\")\nparser.add_argument(\"--x\", default=\"winter\")",
    ]);
}

#[test]
fn values_before_below_and_beside_their_names_hide_nothing() {
    goes(&[
        "{\"value\":\"winter\",\"name\":\"DB_PASSWORD\"}",
        "[{\"Value\": \"winter\", \"x\": 1, \"Key\": \"DbPassword\"}]",
        "{\"ParameterKey\":\"DBPassword\",\"ParameterValue\":\"winter\"}",
        "  DB_PASSWORD:\n    value: winter\n",
        "Content-Disposition: form-data; name=\"password\"\r\n\r\nwinter\r\n--x",
        "  [\"password\"]=>\n  string(6) \"winter\"\n",
        "<td>Password</td><td>winter</td>",
        "<dt>Password</dt>\n<dd>winter</dd>",
    ]);
    stays(&[
        "{\"value\":\"winter\",\"name\":\"season\"}",
        "{\"value\":\"winter\",\"name\":\"password_hint\"}",
        "{\"a\":{\"value\":\"winter\"},\"name\":\"DB_PASSWORD\"}",
        "password:\n  type: string\n  value: string\n",
        "password:\nvalue: winter\n",
        "Content-Disposition: form-data; name=\"season\"\r\n\r\nwinter\r\n--x",
        "<td>Password</td><td>The password of the user</td>",
        "<td>password</td><td>string</td>",
    ]);
}

#[test]
fn commands_that_are_given_a_password_hide_nothing() {
    goes(&[
        "printf 'winter\\n' | passwd ann",
        "echo winter | kinit ann",
        "ldapadd -x -D cn=a -w winter",
        "mongo -u a -p winter --authenticationDatabase admin",
        "bcp t out f -U sa -P winter",
        "openssl enc -aes-256-cbc -k winter -in a",
        "ssh-keygen -t ed25519 -N winter -f k",
        "rabbitmqctl add_user ann winter",
        "wpa_passphrase home winter",
        "plink -pw winter ann@h",
        "ConvertTo-SecureString \"winter\" -AsPlainText -Force",
        "ConvertTo-SecureString -String 'winter' -AsPlainText",
        "smtp.login(\"ann@x.y\", \"winter\")",
    ]);
    let registry = "//registry.npmjs.org/:_authToken=hunter7";
    assert_eq!(cleaned(registry), "//registry.npmjs.org/:_authToken=[REDACTED_TOKEN]");
    assert!(!cleaned("echo -e \"winter\\nwinter\" | passwd ann").contains("winter"));
    stays(&[
        "cat list | passwd ann",
        "docker run --name mongo -p 27017:27017 mongo",
        "openssl enc -d -in a -kfile winter",
        "ssh-keygen -t ed25519 -N '' -f k",
        "ldapadd -x -W -f a.ldif",
        "plink -P 22 ann@h",
        "ConvertTo-SecureString $password -AsPlainText",
        "smtp.login(user, password)",
        "rabbitmqctl add_user ann $PASSWORD",
        "in BCP 14 the words are said",
    ]);
}
