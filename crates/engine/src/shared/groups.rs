//! `~/.context/global/shared/project-groups.json`: which projects share what (AFS 6.4, appendix F).
//!
//! Reads and checks; does not look whether the projects are there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use annals_log::disk::Disk;
use annals_rules::domain::hivemind::EntryCategory;
use annals_rules::domain::hivemind::sync::is_store_name;

/// More bytes no such file has.
const MOST_BYTES: u64 = 1 << 20;

/// Why the file says nothing that could be gone by.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadGroups {
    /// It cannot be read.
    #[error("it cannot be read")]
    Unreadable(#[from] std::io::Error),
    /// It is something else.
    #[error("it has more than {MOST_BYTES} bytes")]
    TooLarge,
    /// It is not JSON, or not of this shape.
    #[error(transparent)]
    NotGroups(#[from] serde_json::Error),
    /// It is of a later version.
    #[error("version \"{0}\" is not known here: 1.0 is")]
    UnknownVersion(Box<str>),
    /// It could not be a folder.
    #[error("\"{0}\" cannot be the name of a group or project: letters, digits, dots, dashes and underscores make one")]
    BadName(Box<str>),
    /// A group of nobody.
    #[error("the group {0} has no projects")]
    NoProjects(Box<str>),
    /// A project stands in it twice.
    #[error("the group {group} names the project {project} twice")]
    Twice {
        /// The group.
        group: Box<str>,
        /// The project.
        project: Box<str>,
    },
    /// AFS 6.5.
    #[error(
        "the group {group} shares {category}, which stays in its project: knowledge, decision and preference can be shared"
    )]
    StaysHere {
        /// The group.
        group: Box<str>,
        /// What it would share.
        category: EntryCategory,
    },
}

/// AFS 6.4.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ProjectGroups {
    /// Of the file.
    pub version: Box<str>,
    /// By name.
    pub groups: BTreeMap<Box<str>, Group>,
    /// Where projects are, by name; `~/` is the home.
    #[serde(default, alias = "projectPaths")]
    pub project_paths: BTreeMap<Box<str>, Box<str>>,
}

/// Projects that share something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Group {
    /// What they have in common.
    #[serde(default)]
    pub description: Box<str>,
    /// Their names.
    pub projects: Vec<Box<str>>,
    /// What they share.
    #[serde(alias = "sharedCategories")]
    pub shared_categories: BTreeSet<EntryCategory>,
}

impl ProjectGroups {
    /// Reads the file; nothing where there is none.
    pub fn load(disk: &dyn Disk, path: &Path) -> Result<Option<Self>, BadGroups> {
        match disk.look(path)? {
            None => Ok(None),
            Some(look) if look.len > MOST_BYTES => Err(BadGroups::TooLarge),
            Some(_) => {
                let bytes = disk.read(path)?.unwrap_or_default();
                Self::read(&String::from_utf8_lossy(&bytes)).map(Some)
            }
        }
    }

    /// Reads and checks a text.
    pub fn read(text: &str) -> Result<Self, BadGroups> {
        let groups: Self = serde_json::from_str(text)?;
        if groups.version.split('.').next() != Some("1") {
            return Err(BadGroups::UnknownVersion(groups.version.chars().take(40).collect()));
        }
        let names = groups.groups.keys().chain(groups.project_paths.keys());
        names.chain(groups.groups.values().flat_map(|group| &group.projects)).try_for_each(|name| plain(name))?;
        groups.groups.iter().try_for_each(|(name, group)| group.check(name))?;
        Ok(groups)
    }

    /// The project whose folder this is.
    pub fn project_at(&self, folder: &Path, home: &Path) -> Option<&str> {
        let own = folder.canonicalize().ok()?;
        let is_own = |path: &str| expanded(path, home).canonicalize().is_ok_and(|path| path == own);
        self.project_paths.iter().find(|(_, path)| is_own(path)).map(|(name, _)| &**name)
    }

    /// The groups of a project.
    pub fn of<'g>(&'g self, project: &'g str) -> impl Iterator<Item = (&'g str, &'g Group)> {
        let has = move |group: &Group| group.projects.iter().any(|name| **name == *project);
        self.groups.iter().filter(move |(_, group)| has(group)).map(|(name, group)| (&**name, group))
    }
}

impl Group {
    fn check(&self, name: &str) -> Result<(), BadGroups> {
        if self.projects.is_empty() {
            return Err(BadGroups::NoProjects(name.into()));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.projects.iter().find(|project| !seen.insert(*project)) {
            return Err(BadGroups::Twice { group: name.into(), project: twice.clone() });
        }
        let stays = self.shared_categories.iter().find(|category| !category.travels());
        stays.map_or(Ok(()), |category| Err(BadGroups::StaysHere { group: name.into(), category: *category }))
    }
}

/// Whether a text can be the name of a project or group.
pub fn is_plain(name: &str) -> bool {
    is_store_name(name) && !name.contains('/')
}

fn plain(name: &str) -> Result<(), BadGroups> {
    if is_plain(name) { Ok(()) } else { Err(BadGroups::BadName(name.chars().take(40).collect())) }
}

fn expanded(path: &str, home: &Path) -> PathBuf {
    path.strip_prefix("~/").map_or_else(|| PathBuf::from(path), |below| home.join(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of AFS, appendix F, shortened to two groups.
    const EXAMPLE: &str = r#"{
        "version": "1.0",
        "groups": {
            "zelda": {
                "description": "Zelda 3 ROM hacking projects",
                "projects": ["yaze", "oracle-of-secrets", "usdasm"],
                "shared_categories": ["knowledge", "decision", "preference"]
            },
            "agentic": { "description": "", "projects": ["hafs", "yaze"], "shared_categories": ["knowledge"] }
        },
        "project_paths": { "yaze": "~/Code/yaze", "hafs": "/srv/hafs" }
    }"#;

    /// AFS appendix F.
    #[test]
    fn groups_are_read() {
        let groups = ProjectGroups::read(EXAMPLE).expect("groups");
        let of = |project| groups.of(project).map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!((of("yaze"), of("usdasm"), of("nobody")), (vec!["agentic", "zelda"], vec!["zelda"], vec![]));
        let shared = &groups.groups["zelda"].shared_categories;
        assert_eq!(
            shared.iter().copied().collect::<Vec<_>>(),
            [EntryCategory::Knowledge, EntryCategory::Decision, EntryCategory::Preference]
        );
    }

    #[test]
    fn a_project_is_known_by_its_folder() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("Code/yaze");
        std::fs::create_dir_all(&folder).expect("made");
        let groups = ProjectGroups::read(EXAMPLE).expect("groups");
        assert_eq!(groups.project_at(&folder, home.path()), Some("yaze"));
        assert_eq!(groups.project_at(home.path(), home.path()), None);
    }

    /// AFS 6.4.
    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let with =
            |from: &str, to: &str| ProjectGroups::read(&EXAMPLE.replacen(from, to, 1)).map_err(|e| e.to_string());
        for (from, to, problem) in [
            ("\"1.0\"", "\"2.0\"", "version \"2.0\" is not known here: 1.0 is"),
            (
                "\"zelda\":",
                "\"../x\":",
                "\"../x\" cannot be the name of a group or project: letters, digits, dots, dashes and underscores make one",
            ),
            (
                "\"usdasm\"",
                "\"a/b\"",
                "\"a/b\" cannot be the name of a group or project: letters, digits, dots, dashes and underscores make one",
            ),
            ("[\"hafs\", \"yaze\"]", "[]", "the group agentic has no projects"),
            ("\"usdasm\"", "\"yaze\"", "the group zelda names the project yaze twice"),
            (
                "\"decision\"",
                "\"fear\"",
                "the group zelda shares fear, which stays in its project: knowledge, decision and preference can be shared",
            ),
        ] {
            assert_eq!(with(from, to), Err(problem.to_owned()));
        }
        let unknown = with("\"decision\"", "\"dream\"").expect_err("no category");
        assert!(unknown.starts_with("unknown variant `dream`") && unknown.contains("at line 7"), "{unknown}");
        let broken = ProjectGroups::read("{").expect_err("no JSON");
        assert!(std::error::Error::source(&broken).is_none(), "it is said once");
        let missing = with("\"groups\"", "\"gropus\"").expect_err("no groups");
        assert!(missing.starts_with("missing field `groups`"), "{missing}");
        assert!(ProjectGroups::read("").is_err() && ProjectGroups::read("[]").is_err());
    }
}
