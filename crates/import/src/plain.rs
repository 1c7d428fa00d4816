//! Opening a file that somebody else names: only a plain one, so that nothing waits for a pipe or reads a device.
//!
//! Does not say how much of it is read.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Whether the file may be a link to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// A person named it, or it lies where they lie.
    Followed,
    /// A payload named it.
    Refused,
}

/// Opens a plain file for reading; fails at once where it is none.
pub fn open(path: &Path, links: Links) -> io::Result<File> {
    let flags = match links {
        // Opening a pipe would otherwise wait for its writer: one held the process in the background, and every job
        // after it, for ever.
        Links::Followed => OFlags::NONBLOCK,
        // A link to the transcript of another session would bring that into this project, and into its git.
        Links::Refused => OFlags::NONBLOCK | OFlags::NOFOLLOW,
    };
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let is_plain = file.metadata()?.is_file();
    if is_plain { Ok(file) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_file_is_opened_and_a_pipe_holds_nobody_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("plain"), "x").expect("written");
        std::os::unix::fs::symlink(at("plain"), at("link")).expect("linked");
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).expect("made");
        let opens = |name: &str| [Links::Followed, Links::Refused].map(|links| open(&at(name), links).is_ok());
        assert_eq!(opens("plain"), [true, true]);
        assert_eq!(opens("link"), [true, false]);
        for name in ["pipe", "", "nothing"] {
            assert_eq!(opens(name), [false, false], "{name:?}");
        }
        assert!(open(Path::new("/dev/zero"), Links::Followed).is_err());
    }
}
