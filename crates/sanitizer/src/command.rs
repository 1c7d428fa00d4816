//! Passwords in the short options of well-known commands: `curl -u user:password`, `mysql -ppassword`.
//!
//! Long options name what they hold; `assignment` finds those.

use std::ops::Range;

use memchr::memmem;

use super::bytes::{is_blank, is_quote, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::Kind;
use super::placeholder::is_placeholder;

/// A command, and its options.
#[derive(Debug)]
struct Command {
    name: &'static str,
    flags: &'static [&'static str],
    value: OptionValue,
}

/// What stands behind the option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OptionValue {
    /// `user:password`.
    UserAndPassword,
    /// `user%password`.
    UserPercentPassword,
    /// A password.
    Password,
    /// A password without a blank before it; with one, the command asks for it.
    Attached,
    /// A password behind a blank; other options begin with the same letters.
    Apart,
    /// A name, and behind it the password.
    Second,
    /// `user,password`.
    UserCommaPassword,
}

const COMMANDS: &[Command] = &[
    Command { name: "curl", flags: &["--proxy-user", "--user", "-u", "-U"], value: OptionValue::UserAndPassword },
    Command { name: "docker login", flags: &["-p"], value: OptionValue::Password },
    Command { name: "podman login", flags: &["-p"], value: OptionValue::Password },
    Command { name: "sshpass", flags: &["-p"], value: OptionValue::Password },
    Command { name: "redis-cli", flags: &["-a"], value: OptionValue::Password },
    Command { name: "mysql", flags: &["-p"], value: OptionValue::Attached },
    Command { name: "mariadb", flags: &["-p"], value: OptionValue::Attached },
    Command { name: "ldapsearch", flags: &["-w"], value: OptionValue::Password },
    Command { name: "ldapmodify", flags: &["-w"], value: OptionValue::Password },
    Command { name: "ldapadd", flags: &["-w"], value: OptionValue::Apart },
    Command { name: "ldapdelete", flags: &["-w"], value: OptionValue::Apart },
    Command { name: "ldappasswd", flags: &["-w"], value: OptionValue::Apart },
    Command { name: "ldapwhoami", flags: &["-w"], value: OptionValue::Apart },
    Command { name: "mongo -u", flags: &["-p"], value: OptionValue::Apart },
    Command { name: "mongorestore", flags: &["-p"], value: OptionValue::Apart },
    Command { name: "mongoexport", flags: &["-p"], value: OptionValue::Apart },
    Command { name: "cqlsh", flags: &["-p"], value: OptionValue::Apart },
    Command { name: "rdesktop", flags: &["-p"], value: OptionValue::Apart },
    Command { name: "ipmitool", flags: &["-P"], value: OptionValue::Apart },
    Command { name: "bcp ", flags: &["-P"], value: OptionValue::Apart },
    Command { name: "openssl enc", flags: &["-k"], value: OptionValue::Apart },
    Command { name: "ssh-keygen", flags: &["-N", "-P"], value: OptionValue::Apart },
    Command { name: "plink", flags: &["-pw"], value: OptionValue::Apart },
    Command { name: "pscp", flags: &["-pw"], value: OptionValue::Apart },
    Command { name: "psftp", flags: &["-pw"], value: OptionValue::Apart },
    Command { name: "sqlcmd", flags: &["-P"], value: OptionValue::Password },
    Command { name: "mongosh", flags: &["-p"], value: OptionValue::Password },
    Command { name: "mongodump", flags: &["-p"], value: OptionValue::Password },
    Command { name: "az login", flags: &["-p"], value: OptionValue::Password },
    Command { name: "helm registry login", flags: &["-p"], value: OptionValue::Password },
    Command { name: "unzip", flags: &["-P"], value: OptionValue::Password },
    Command { name: "gh secret set", flags: &["--body", "-b"], value: OptionValue::Apart },
    Command { name: "keyvault secret set", flags: &["--value"], value: OptionValue::Apart },
    Command { name: "oc login", flags: &["-p"], value: OptionValue::Password },
    Command { name: "pulumi config set", flags: &["--secret"], value: OptionValue::Second },
    Command { name: "lftp", flags: &["-u"], value: OptionValue::UserCommaPassword },
    Command { name: "7z a", flags: &["-p"], value: OptionValue::Attached },
    Command { name: "7z x", flags: &["-p"], value: OptionValue::Attached },
    Command { name: "smbclient", flags: &["-U"], value: OptionValue::UserPercentPassword },
];

#[rustfmt::skip] // A list of words, as text.
pub(super) const KEYWORDS: &[&str] = &[
    "curl", "docker login", "podman login", "sshpass", "redis-cli", "mysql", "mariadb", "ldapsearch", "ldapmodify",
    "ldapadd", "ldapdelete", "ldappasswd", "ldapwhoami", "mongo -u", "mongorestore", "mongoexport", "cqlsh", "rdesktop", "ipmitool",
    "bcp ", "openssl enc", "ssh-keygen", "plink", "pscp", "psftp", "sqlcmd", "mongosh", "mongodump", "az login", "helm registry login", "unzip", "smbclient",
    "gh secret set", "keyvault secret set", "oc login", "pulumi config set", "lftp", "7z a", "7z x",
];

/// How far behind the command its option may stand.
const LONGEST: usize = 400;

/// The edit for the password in the options of the command at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let (range, value) = option(text, hit)?;
    let password = match value {
        OptionValue::UserAndPassword => behind_user(text, range, b':')?,
        OptionValue::UserPercentPassword => behind_user(text, range, b'%')?,
        OptionValue::UserCommaPassword => behind_user(text, range, b',')?,
        OptionValue::Password | OptionValue::Attached | OptionValue::Apart | OptionValue::Second => range,
    };
    let found = &text[password.clone()];
    let fits = match value {
        OptionValue::UserAndPassword | OptionValue::UserPercentPassword | OptionValue::UserCommaPassword => {
            found.len() >= 3 && !is_placeholder(found) && !found.contains(&b' ')
        }
        OptionValue::Attached => is_secret(Kind::Password, found, Manner::Argument) && !found.starts_with(b"rotocol"),
        OptionValue::Password | OptionValue::Apart | OptionValue::Second => {
            is_secret(Kind::Password, found, Manner::Argument)
        }
    };
    fits.then(|| Edit::new(password, "command-password", Class::Password))
}

/// Whether the option is there at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    flag(text, hit).is_some()
}

/// The password of `user:password`, unless the value is a URL.
fn behind_user(text: &[u8], range: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let colon = range.start + text[range.clone()].iter().position(|byte| *byte == sign)?;
    let password = &text[colon + 1..range.end];
    (!password.starts_with(b"//")).then_some(colon + 1..range.end)
}

/// Where the value of the option stands.
fn option(text: &[u8], hit: &Range<usize>) -> Option<(Range<usize>, OptionValue)> {
    let (rest, mut start, value) = flag(text, hit)?;
    if value == OptionValue::Second {
        start += run(rest, start, 4, is_blank);
        start += run(rest, start, LONGEST, |byte| !byte.is_ascii_whitespace());
    }
    let at = start + run(rest, start, 4, |byte| is_blank(byte) || byte == b'=');
    let open = at + run(rest, at, 3, |byte| is_quote(byte) || byte == b'\\');
    let quote = rest[at..open].iter().copied().rfind(|byte| is_quote(*byte));
    let ends = |byte: u8| match quote {
        Some(quote) => byte == quote || byte == b'\n',
        None => byte.is_ascii_whitespace() || is_quote(byte),
    };
    let end = open + run(rest, open, LONGEST, |byte| !ends(byte));
    (open < end).then_some((hit.end + open..hit.end + end, value))
}

/// The command's line, and where in it the option's flag ends.
fn flag<'a>(text: &'a [u8], hit: &Range<usize>) -> Option<(&'a [u8], usize, OptionValue)> {
    let command = COMMANDS.iter().find(|command| text[hit.clone()].eq_ignore_ascii_case(command.name.as_bytes()))?;
    let rest = &text[hit.end..text.len().min(hit.end + LONGEST)];
    let next = memmem::find(rest, &text[hit.clone()]).unwrap_or(rest.len());
    let rest = one_command(&rest[..next]);
    let start = command.flags.iter().find_map(|flag| {
        let ends = |at: usize| ends_flag(flag, rest.get(at), command.value);
        let begins = |at: &usize| *at > 0 && is_blank(rest[at - 1]) && ends(at + flag.len());
        memmem::find_iter(rest, flag).find(begins).map(|at| at + flag.len())
    })?;
    Some((rest, start, command.value))
}

/// A long flag ends at its value's blank or sign; a short one may be written together with it.
fn ends_flag(flag: &str, next: Option<&u8>, value: OptionValue) -> bool {
    let Some(next) = next else { return false };
    let is_apart = is_blank(*next) || *next == b'=';
    if value == OptionValue::Apart {
        return is_blank(*next);
    }
    let is_attached = flag.len() == 2 && next.is_ascii_graphic() && *next != b'-';
    is_quote(*next) || is_apart && value != OptionValue::Attached || is_attached
}

/// Up to the end of the line, or of all its continuations, or to the next command.
fn one_command(rest: &[u8]) -> &[u8] {
    let ends = |at: &usize| match rest[*at] {
        b'\n' => !rest[..*at].trim_ascii_end().ends_with(b"\\"),
        b'|' | b';' => rest[..*at].ends_with(b" "),
        _ => false,
    };
    let end = (0..rest.len()).find(ends).unwrap_or(rest.len());
    &rest[..end]
}
