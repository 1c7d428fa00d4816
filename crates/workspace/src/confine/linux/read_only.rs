//! Makes what a view shows unchangeable, but for what may be worked in.
//!
//! Landlock keeps a command from writing to a file, and not from changing its mode, its owner or its times. A mount that is
//! read-only keeps it from these, too.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, mount_remount};

/// A mount, as the kernel lists it.
#[derive(Debug, PartialEq)]
struct Mounted {
    at: PathBuf,
    options: Vec<String>,
}

/// What is mounted at or below `root`, and is not below one of `worked_in`, becomes read-only; the root itself last.
pub(super) fn make_read_only(root: &Path, worked_in: &[PathBuf]) -> io::Result<()> {
    let listed = fs::read("/proc/self/mountinfo")?;
    let mut mounts: Vec<Mounted> = listed.split(|byte| *byte == b'\n').filter_map(Mounted::of).collect();
    mounts.retain(|mount| mount.at.starts_with(root));
    mounts.retain(|mount| mount.at == root || !worked_in.iter().any(|path| mount.at.starts_with(path)));
    mounts.sort_by(|one, other| other.at.cmp(&one.at));
    for mount in mounts.iter().filter(|mount| mount.is_changeable()) {
        mount_remount(&mount.at, MountFlags::BIND | MountFlags::RDONLY | mount.kept_flags(), c"")?;
    }
    Ok(())
}

impl Mounted {
    /// `36 35 98:0 /mnt1 /mnt2 rw,noatime …`
    fn of(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|byte| *byte == b' ').skip(4);
        let (at, options) = (fields.next()?, fields.next()?);
        let options = std::str::from_utf8(options).ok()?;
        Some(Self { at: unescaped(at), options: options.split(',').map(str::to_owned).collect() })
    }

    fn is_changeable(&self) -> bool {
        self.options.iter().any(|option| option == "rw")
    }

    /// Those that were set by who mounted it cannot be taken away.
    fn kept_flags(&self) -> MountFlags {
        let flag = |option: &String| match option.as_str() {
            "nosuid" => MountFlags::NOSUID,
            "nodev" => MountFlags::NODEV,
            "noexec" => MountFlags::NOEXEC,
            "noatime" => MountFlags::NOATIME,
            "nodiratime" => MountFlags::NODIRATIME,
            "relatime" => MountFlags::RELATIME,
            _ => MountFlags::empty(),
        };
        self.options.iter().map(flag).fold(MountFlags::empty(), MountFlags::union)
    }
}

/// A blank stands as `\040`.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..3).filter(|digits| *first == b'\\' && digits.iter().all(|d| (b'0'..=b'7').contains(d)));
        let (byte, length) = match digits {
            Some(digits) => (digits.iter().fold(0_u8, |sum, digit| (sum << 3) | (digit - b'0')), 4),
            None => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_read_as_the_kernel_lists_it() {
        let line =
            b"36 35 98:0 /a\\040b /mnt\\134x\\040y rw,noatime,nosuid master:1 - ext3 /dev/root rw,errors=continue";
        let mounted = Mounted::of(line).unwrap();
        assert_eq!(mounted.at, Path::new("/mnt\\x y"));
        assert!(mounted.is_changeable());
        assert_eq!(mounted.kept_flags(), MountFlags::NOATIME | MountFlags::NOSUID);
        assert_eq!(Mounted::of(b""), None);
        assert!(!Mounted::of(b"1 2 3 / /x ro,relatime - a b c").unwrap().is_changeable());
    }
}
