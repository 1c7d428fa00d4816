//! Files that a person names for a question to a model: none that holds secrets goes into one (AFS 11.3, `shouldExcludeFile`).
//!
//! By names: that of the file, of every link on the way, and of what is led into stdin. Reads none.

use std::path::Path;

use crate::cli::run::excluded::is_excluded;
use crate::cli::shell::Usage;
use crate::sanitizer::Sanitizer;

/// What stands for stdin where a text is asked for, and where it lies.
const STDIN: (&str, &str) = ("-", "/dev/stdin");

/// Refuses a file that holds secrets; what names no file is a text, and may be told.
pub(in crate::cli) fn may_be_told(sanitizer: &Sanitizer, folder: &Path, named: &str) -> anyhow::Result<()> {
    let path = if named == STDIN.0 { STDIN.1 } else { named };
    let is_file = !path.contains(['\0', '\n']) && folder.join(path).is_file();
    if is_file && is_excluded(sanitizer, folder, path) {
        let why = "it holds secrets by its name, or by that of what it leads to";
        return Err(Usage(format!("{named} is told to no model: {why} (`sanitization.excluded_files`)")).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::sanitizer::Config;

    #[test]
    fn no_file_that_holds_secrets_is_told_however_it_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at(".aws")).expect("made");
        for name in [".env", ".aws/credentials", "plain.md", "PROD.ENV"] {
            fs::write(at(name), "x").expect("written");
        }
        for (to, link) in [(".env", "alias.md"), ("alias.md", "second.md"), (".aws", "keys"), ("plain.md", "id_rsa")] {
            symlink(to, at(link)).expect("linked");
        }
        symlink("id_rsa", at("third.md")).expect("linked");
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let absolute = at(".env").to_string_lossy().into_owned();
        let (by_alias, up) = (at("alias.md").to_string_lossy().into_owned(), "keys/../.env");
        let secret = [
            ".env", "./.env", "alias.md", "second.md", "keys/credentials", "id_rsa", "third.md", "PROD.ENV", &absolute,
            &by_alias, up,
        ];
        for (names, is_told) in
            [(&secret[..], false), (&["plain.md", "not-there.env", "a text\nof .env", "", "keys"], true)]
        {
            for name in names {
                assert_eq!(may_be_told(&sanitizer, folder.path(), name).is_ok(), is_told, "{name}");
            }
        }
    }
}
