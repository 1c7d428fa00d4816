//! Keys: who may use them, what a file must be, and that ssh reads ours and we read its.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// Made by `ssh-keygen -t ed25519`, with its public half.
const OF_SSH: &str = concat!(
    "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n",
    "QyNTUxOQAAACBsozUc8BmQgzR8I6QwL3oFNfANis/+ISySO3XAEno1uQAAAJB6mnlXepp5\n",
    "VwAAAAtzc2gtZWQyNTUxOQAAACBsozUc8BmQgzR8I6QwL3oFNfANis/+ISySO3XAEno1uQ\n",
    "AAAEA9MEB7Rs8OftabOHI6yB1z5SrF61K0tJ+0PAG9xUSiwGyjNRzwGZCDNHwjpDAvegU1\n",
    "8A2Kz/4hLJI7dcASejW5AAAAC2FubkBleGFtcGxlAQI=\n",
    "-----END OPENSSH PRIVATE KEY-----\n",
);
const PUBLIC: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGyjNRzwGZCDNHwjpDAvegU18A2Kz/4hLJI7dcASejW5";

fn file() -> (tempfile::TempDir, KeyFile) {
    let state = tempfile::tempdir().expect("a folder");
    let file = KeyFile::below(state.path());
    (state, file)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").mode() & 0o7777
}

#[test]
fn a_key_is_made_once_and_for_nobody_else() {
    let (_state, file) = file();
    assert!(file.load().expect("looked").is_none());
    let made = file.load_or_make(|| [7; 32]).expect("made");
    let again = file.load_or_make(|| panic!("there is one")).expect("read");
    assert_eq!(made.to_bytes(), again.to_bytes());
    let folder = file.path().parent().expect("a folder");
    assert_eq!((mode(file.path()), mode(folder), mode(folder.parent().expect("above"))), (0o600, 0o700, 0o700));
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1);
}

#[test]
fn several_that_make_it_at_once_have_one() {
    let (_state, file) = file();
    let make = |number: u8| file.load_or_make(|| [number; 32]).expect("made").to_bytes();
    let keys: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..9).map(|number| scope.spawn(move || make(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("ended")).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[test]
fn a_key_of_ssh_is_read() {
    let key = read_key(OF_SSH).expect("a key");
    assert_eq!(public(&key).to_string(), PUBLIC);
    assert_eq!(read_key(&write_key(&key)).expect("a key").to_bytes(), key.to_bytes());
}

#[test]
fn a_key_that_others_may_use_is_none() {
    let (_state, file) = file();
    file.load_or_make(|| [7; 32]).expect("made");
    let folder = file.path().parent().expect("a folder").to_owned();
    for (path, wrong, right) in [(file.path().to_owned(), 0o640, 0o600), (folder, 0o720, 0o700)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(wrong)).expect("changed");
        let error = file.load().expect_err("open to others");
        assert!(matches!(&error, KeyError::Open { path: open, mode } if *open == path && *mode == wrong), "{error}");
        fs::set_permissions(&path, fs::Permissions::from_mode(right)).expect("changed");
        assert!(file.load().expect("read").is_some());
    }
}

#[test]
fn a_damaged_key_says_so_and_is_not_replaced() {
    let (_state, file) = file();
    file.load_or_make(|| [7; 32]).expect("made");
    let text = fs::read_to_string(file.path()).expect("read");
    for (damaged, why) in [
        (String::new(), "it is no private key of OpenSSH"),
        (text[..text.len() / 2].to_owned(), "it is no private key of OpenSSH"),
        (text.replacen('A', "*", 1).replacen('*', "AA", 1), "it is no private key of OpenSSH"),
        (text.replace("b3BlbnNz", "b3BlbnN0"), "it is no private key of OpenSSH"),
        (text.replace('\n', "\n*"), "it is no private key of OpenSSH"),
    ] {
        fs::write(file.path(), &damaged).expect("written");
        let error = file.load_or_make(|| panic!("there is one")).expect_err("damaged");
        let KeyError::Broken { why: said, .. } = &error else { panic!("{error}") };
        assert!(*said == why || damaged.contains(BEGIN), "{damaged}: {error}");
        assert_eq!(fs::read_to_string(file.path()).expect("read"), damaged);
    }
}

#[test]
fn no_changed_letter_of_a_key_makes_another_key() {
    let text = write_key(&SigningKey::from_bytes(&[7; 32]));
    for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_ascii_alphanumeric()) {
        let other = if letter == 'A' { "B" } else { "A" };
        let mut changed = text.clone();
        changed.replace_range(at..=at, other);
        if let Ok(key) = read_key(&changed) {
            // The comment and the unused numbers say nothing of the key.
            assert_eq!(key.to_bytes(), [7; 32], "letter {at}");
        }
    }
}
