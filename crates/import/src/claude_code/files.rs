//! The files that the arguments of a call name.
//!
//! Reads names only; asks no disk whether there is such a file.

use serde::Deserialize;

use super::raw::Raw;

/// The files, relative to where the session works.
pub fn files_touched(arguments: Raw<'_>, cwd: Option<&str>) -> Option<Vec<Box<str>>> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct FileMembers<'a> {
        #[serde(borrow)]
        file_path: Raw<'a>,
        notebook_path: Raw<'a>,
        path: Raw<'a>,
        #[serde(rename = "filePath")]
        camel_path: Raw<'a>,
    }

    let members: FileMembers<'_> = Some(arguments).filter(|arguments| arguments.is_object())?.read()?;
    let mut files: Vec<Box<str>> = Vec::new();
    for path in [members.file_path, members.notebook_path, members.path, members.camel_path] {
        let file = path.name().map(|path| relative(&path, cwd).into());
        files.extend(file.filter(|file| !files.contains(file)));
    }
    Some(files).filter(|files| !files.is_empty())
}

/// A path inside `cwd` without it; any other path as it is.
pub fn relative<'p>(path: &'p str, cwd: Option<&str>) -> &'p str {
    let cwd = cwd.map(|cwd| cwd.trim_end_matches(['/', '\\'])).filter(|cwd| !cwd.is_empty());
    let Some(rest) = cwd.and_then(|cwd| path.strip_prefix(cwd)) else { return path };
    match rest.strip_prefix(['/', '\\']) {
        Some("") => ".",
        Some(inside) => inside,
        None if rest.is_empty() => ".",
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_inside_the_working_directory_become_relative() {
        let cwd = Some("/home/dev/app");
        assert_eq!(relative("/home/dev/app/src/a.rs", cwd), "src/a.rs");
        assert_eq!(relative("/home/dev/app", cwd), ".");
        assert_eq!(relative("/home/dev/application/a.rs", cwd), "/home/dev/application/a.rs");
        assert_eq!(relative("src/a.rs", cwd), "src/a.rs");
        assert_eq!(relative(r"C:\app\a.rs", Some(r"C:\app\")), "a.rs");
        assert_eq!(relative("/a", Some("/")), "/a");
    }

    #[test]
    fn each_file_is_named_once() {
        let arguments = serde_json::from_str(r#"{"path":"/w/a","file_path":"/w/a","notebook_path":7}"#).expect("JSON");
        assert_eq!(files_touched(arguments, Some("/w")), Some(vec!["a".into()]));
    }
}
