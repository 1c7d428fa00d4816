//! What a command may reach: the workspace, a home and a `/tmp` of its own; of the machine its toolchains, to look at.
//!
//! A closed list (decision 63). What is not in it is not there, be it the person's keys or another project. Of a folder that
//! holds secrets beside tools, such as that of cargo, only parts are in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::outside::Outside;

/// What a command may reach; everything else is closed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// To read and run.
    pub read: Vec<PathBuf>,
    /// To change, too.
    pub write: Vec<PathBuf>,
    /// Folders and files within those that are shown empty; only where the view is narrowed.
    pub hidden: Vec<PathBuf>,
    /// Where it may put down what it needs for a while.
    pub scratch: PathBuf,
    /// Folders of everybody's in the place of which it sees that one.
    pub own: Vec<PathBuf>,
    /// What is seen elsewhere than where it lies, to change; only where the view is narrowed.
    #[serde(default)]
    pub mapped: Vec<Mapped>,
    /// An empty folder on which the view is built.
    pub view: PathBuf,
}

/// A file or folder that a command sees at another place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapped {
    /// Where it lies.
    pub from: PathBuf,
    /// Where it is seen; a file covers one that is there.
    pub at: PathBuf,
}

/// What a command gets beyond what all of them have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// To read and run.
    pub read: Vec<PathBuf>,
    /// To change, too.
    pub write: Vec<PathBuf>,
    /// To change, seen elsewhere.
    pub mapped: Vec<Mapped>,
    /// Shown empty.
    pub hidden: Vec<PathBuf>,
    /// Variables.
    pub environment: BTreeMap<String, String>,
}

/// What a command has for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnPlace {
    /// Its home.
    pub home: PathBuf,
    /// Where it puts down what it needs for a while.
    pub scratch: PathBuf,
}

/// Devices that every program expects.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Folders that everybody writes to.
const EVERYBODYS: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// Where a system has its programs, and what programs need to know of it.
const SYSTEM: [&str; 49] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/proc",
    "/sys/devices/system/cpu", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/etc/alternatives",
    "/etc/bash.bashrc", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/crypto-policies",
    "/etc/debian_version", "/etc/fonts", "/etc/group", "/etc/host.conf", "/etc/hosts", "/etc/inputrc", "/etc/java",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias", "/etc/localtime",
    "/etc/lsb-release", "/etc/magic", "/etc/maven", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/os-release",
    "/etc/passwd", "/etc/perl", "/etc/php", "/etc/pki/ca-trust", "/etc/pki/tls/certs", "/etc/protocols",
    "/etc/python3", "/etc/resolv.conf", "/etc/services", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/timezone",
];

/// A toolchain that lives in a folder of the person's.
struct Toolchain {
    /// The variable that names its folder, where it is elsewhere.
    variable: &'static str,
    /// Its folder below the person's; empty: there is none that is usual.
    usual: &'static str,
    /// What of it may be read; nothing: all.
    parts: &'static [&'static str],
}

const fn toolchain(variable: &'static str, usual: &'static str, parts: &'static [&'static str]) -> Toolchain {
    Toolchain { variable, usual, parts }
}

const TOOLCHAINS: [Toolchain; 20] = [
    toolchain("CARGO_HOME", ".cargo", &["bin", "config", "config.toml", "env", "git", "registry"]),
    toolchain("RUSTUP_HOME", ".rustup", &[]),
    toolchain("NVM_DIR", ".nvm", &[]),
    toolchain("FNM_DIR", ".local/share/fnm", &[]),
    toolchain("VOLTA_HOME", ".volta", &[]),
    toolchain("BUN_INSTALL", ".bun", &["bin", "install/cache"]),
    toolchain("PNPM_HOME", ".local/share/pnpm", &[]),
    toolchain("PYENV_ROOT", ".pyenv", &[]),
    toolchain("CONDA_PREFIX", "", &[]),
    toolchain("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python", &[]),
    toolchain("RBENV_ROOT", ".rbenv", &[]),
    toolchain("GOROOT", "", &[]),
    toolchain("GOPATH", "go", &["bin", "pkg/mod"]),
    toolchain("JAVA_HOME", "", &[]),
    toolchain("SDKMAN_DIR", ".sdkman", &["bin", "candidates", "src"]),
    toolchain("DOTNET_ROOT", ".dotnet", &[]),
    toolchain("ASDF_DATA_DIR", ".asdf", &[]),
    toolchain("MISE_DATA_DIR", ".local/share/mise", &[]),
    toolchain("GHCUP_INSTALL_BASE_PREFIX", "", &[".ghcup"]),
    toolchain("", ".local/bin", &[]),
];

impl Toolchain {
    fn folder(&self, outside: &Outside) -> Option<PathBuf> {
        let named = outside.variable(self.variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
        let usual = || Some(outside.home()?.join(self.usual)).filter(|_| !self.usual.is_empty());
        named.or_else(usual).filter(|folder| folder.is_dir())
    }

    fn read(&self, folder: &Path) -> Vec<PathBuf> {
        if self.parts.is_empty() {
            return vec![folder.to_owned()];
        }
        self.parts.iter().map(|part| folder.join(part)).collect()
    }
}

impl Reach {
    /// The toolchains of the machine, and nothing to change yet.
    pub(crate) fn of_machine(outside: &Outside) -> Self {
        let mut read: Vec<PathBuf> = SYSTEM.map(PathBuf::from).into();
        for toolchain in TOOLCHAINS {
            read.extend(toolchain.folder(outside).map(|folder| toolchain.read(&folder)).into_iter().flatten());
        }
        read.extend(outside.search_path());
        read.retain(|path| !holds_too_much(path, outside));
        Self { read, ..Self::default() }
    }

    /// Gives it the folder that is worked in, a home, and a place to put things down.
    pub(crate) fn open(&mut self, folder: &Path, home: &Path, scratch: &Path) {
        self.write = vec![folder.to_owned(), home.to_owned(), scratch.to_owned()];
        scratch.clone_into(&mut self.scratch);
        self.find_own();
    }

    /// Gives it another home and another place to put things down.
    pub(super) fn exchange(&mut self, was: &OwnPlace, now: &OwnPlace) {
        self.write.retain(|path| *path != was.home && *path != was.scratch);
        self.write.extend([now.home.clone(), now.scratch.clone()]);
        self.scratch.clone_from(&now.scratch);
        self.find_own();
    }

    /// Opens it further.
    pub(super) fn widen(&mut self, opening: &Opening) {
        self.read.extend(opening.read.iter().cloned());
        self.write.extend(opening.write.iter().cloned());
        self.mapped.extend(opening.mapped.iter().cloned());
        self.hidden.extend(opening.hidden.iter().cloned());
        self.find_own();
    }

    /// Which of everybody's folders can be its own.
    fn find_own(&mut self) {
        // What is reached below such a folder would be open to writing with it: Landlock goes by where a thing is seen.
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let reached: Vec<PathBuf> =
            self.read.iter().chain(&self.write).flat_map(|path| [real(path), path.clone()]).collect();
        let is_free = |own: &PathBuf| !reached.iter().any(|path| path.starts_with(own));
        self.own = EVERYBODYS.map(PathBuf::from).into_iter().filter(is_free).collect();
    }

    pub(super) fn looked_at(&self) -> impl Iterator<Item = &PathBuf> {
        self.read.iter()
    }

    pub(super) fn worked_in(&self) -> impl Iterator<Item = &PathBuf> {
        self.write.iter()
    }
}

/// A search path that names the root or the person's folder would open everything in it.
fn holds_too_much(path: &Path, outside: &Outside) -> bool {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let home = outside.home().map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    real == Path::new("/") || home.is_some_and(|home| home.starts_with(&real))
}

/// The environment of a command: nothing of the person's but where their tools are.
pub(crate) fn variables(outside: &Outside, home: &Path) -> BTreeMap<String, String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let path: Vec<String> = outside.search_path().iter().map(|folder| text(folder)).collect();
    let language = outside.variable("LC_ALL").or_else(|| outside.variable("LANG")).unwrap_or("C.UTF-8");
    let mut variables: BTreeMap<String, String> = [
        ("PATH", path.join(":")),
        ("HOME", text(home)),
        ("LANG", language.to_owned()),
        ("TERM", "dumb".to_owned()),
        ("PAGER", "cat".to_owned()),
        ("GIT_PAGER", "cat".to_owned()),
        ("GIT_TERMINAL_PROMPT", "0".to_owned()),
        ("NO_COLOR", "1".to_owned()),
        ("CARGO_NET_OFFLINE", "true".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    for toolchain in TOOLCHAINS.iter().filter(|toolchain| !toolchain.variable.is_empty()) {
        if let Some(folder) = toolchain.folder(outside) {
            variables.insert(toolchain.variable.to_owned(), text(&folder));
        }
    }
    variables
}
