//! What is opened below a guarded folder, and what is not.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;
use crate::disk::Shut;

/// Asked of the kernel, and step by step where it cannot be asked.
fn doors(folder: &Path) -> [Arc<dyn Disk>; 2] {
    [Arc::new(Guarded(Door::new(folder))), Arc::new(Guarded(Door::by_steps(folder)))]
}

/// A folder `in` that is guarded, beside a folder `out` with a file `secret` and an empty folder `canary`.
fn stage() -> tempfile::TempDir {
    let stage = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(stage.path().join("in/history/blobs/ab")).expect("made");
    fs::create_dir_all(stage.path().join("out/canary")).expect("made");
    fs::write(stage.path().join("out/secret"), "secret").expect("written");
    stage
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}

fn refused(done: io::Result<()>) -> PathBuf {
    let error = done.expect_err("nothing is done through a link");
    match Shut::of(&error) {
        Some(Shut::Link { path } | Shut::Special { path, .. } | Shut::NotPlain { path }) => path.clone(),
        Some(Shut::TooLarge { .. }) | None => panic!("another error: {error}"),
    }
}

#[test]
fn nothing_is_done_through_a_link_and_the_link_is_named() {
    let stage = stage();
    let root = stage.path().join("in");
    symlink("../out", root.join("linked")).expect("linked");
    symlink("../../out/secret", root.join("history/day")).expect("linked");
    symlink("../../../../out", root.join("history/blobs/cd")).expect("linked");
    let below =
        [("linked", "linked/secret"), ("history/day", "history/day"), ("history/blobs/cd", "history/blobs/cd/secret")];
    for disk in doors(&root) {
        for (link, path) in below {
            let (link, path) = (root.join(link), root.join(path));
            assert_eq!(refused(disk.look(&path).map(drop)), link);
            assert_eq!(refused(disk.open(&path).map(drop)), link);
            assert_eq!(refused(disk.append_to(&path).map(drop)), link);
            assert_eq!(refused(disk.replace(&path, b"x", Safety::Synced)), link);
            assert_eq!(refused(disk.overwrite(&path, b"x")), link);
            assert_eq!(refused(disk.lock(&path).map(drop)), link);
            assert_eq!(refused(disk.try_lock(&path).map(drop)), link);
            assert_eq!(refused(disk.list(&path).map(drop)), link);
            assert_eq!(refused(disk.folders(&path).map(drop)), link);
            assert_eq!(refused(disk.sync_folder(&path)), link);
            assert_eq!(refused(disk.create_folder(&path.join("new"))), link);
            if link != path {
                assert_eq!(refused(disk.remove(&path)), link);
                assert_eq!(refused(disk.link(&path, &root.join("second"))), link);
                assert_eq!(refused(disk.rename(&path, &root.join("second"))), link);
            }
        }
    }
    assert_eq!(fs::read(stage.path().join("out/secret")).expect("read"), b"secret");
    assert_eq!(fs::read_dir(stage.path().join("out")).expect("a folder").count(), 2);
}

#[test]
fn a_link_is_removed_and_moved_itself_and_never_what_it_leads_to() {
    for number in 0..2 {
        let stage = stage();
        let root = stage.path().join("in");
        let disk = &doors(&root)[number];
        symlink("../out/secret", root.join("a")).expect("linked");
        symlink("../out", root.join("b")).expect("linked");
        disk.remove(&root.join("a")).expect("removed");
        disk.rename(&root.join("b"), &root.join("c")).expect("moved");
        assert!(fs::symlink_metadata(root.join("a")).is_err() && root.join("c").is_symlink());
        assert!(stage.path().join("out/secret").exists());
    }
}

#[test]
fn a_path_that_leads_out_of_the_folder_is_refused() {
    let stage = stage();
    let root = stage.path().join("in");
    for disk in doors(&root) {
        for path in ["../out/secret", "history/../../out/secret", ".."] {
            assert_eq!(refused(disk.open(&root.join(path)).map(drop)), root.join(path));
            assert_eq!(refused(disk.remove(&root.join(path))), root.join(path));
        }
    }
}

#[test]
fn a_pipe_holds_nobody_up_and_is_refused() {
    let stage = stage();
    let root = stage.path().join("in");
    for name in ["pipe", "history/pipe"] {
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(rustix::fs::CWD, root.join(name), rustix::fs::FileType::Fifo, mode, 0).expect("made");
    }
    let _listener = std::os::unix::net::UnixListener::bind(root.join("history/socket")).expect("bound");
    for disk in doors(&root) {
        for name in ["pipe", "history/pipe", "history/socket"] {
            let path = root.join(name);
            assert_eq!(refused(disk.open(&path).map(drop)), path);
            assert_eq!(refused(disk.append_to(&path).map(drop)), path);
            assert_eq!(refused(disk.overwrite(&path, b"x")), path);
            assert_eq!(refused(disk.replace(&path, b"x", Safety::Cached)), path);
            assert_eq!(refused(disk.lock(&path).map(drop)), path);
        }
    }
}

#[test]
fn what_is_not_a_link_is_read_and_written_as_without_a_guard() {
    let stage = stage();
    let root = stage.path().join("in");
    for disk in doors(&root) {
        let path = root.join("history/new/deep/file");
        assert_eq!(disk.look(&path).expect("none"), None);
        assert_eq!(disk.read(&path).expect("none"), None);
        disk.remove(&path).expect("gone already");
        disk.create_folder(path.parent().expect("a folder")).expect("made");
        disk.append_to(&path).expect("opened").append(b"one").expect("written");
        disk.append_to(&path).expect("opened").append(b"two").expect("written");
        assert_eq!(disk.read(&path).expect("read").as_deref(), Some(&b"onetwo"[..]));
        disk.overwrite(&path, b"1").expect("written");
        assert_eq!(disk.read(&path).expect("read").as_deref(), Some(&b"1netwo"[..]));
        disk.replace(&path, b"three", Safety::Synced).expect("written");
        assert_eq!(disk.read(&path).expect("read").as_deref(), Some(&b"three"[..]));
        disk.link(&path, &root.join("second")).expect("linked");
        assert_eq!(disk.look(&path).expect("looked"), disk.look(&root.join("second")).expect("looked"));
        assert_eq!(disk.folders(&root.join("history/new")).expect("listed"), ["deep"]);
        let names: Vec<_> = disk.list(&root).expect("listed").into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["second"]);
        disk.remove(&root.join("second")).expect("removed");
        disk.remove(&path).expect("removed");
    }
}

#[test]
fn what_is_made_is_for_its_owner_alone_and_what_is_replaced_keeps_its_mode() {
    let stage = stage();
    let root = stage.path().join("in");
    let (new, old) = (root.join("history/new/file"), root.join("history/old"));
    for disk in doors(&root).into_iter().chain([Arc::new(RealDisk) as Arc<dyn Disk>]) {
        disk.create_folder(new.parent().expect("a folder")).expect("made");
        disk.append_to(&new).expect("made");
        assert_eq!((mode(new.parent().expect("a folder")), mode(&new)), (0o700, 0o600));
        disk.replace(&new, b"x", Safety::Synced).expect("replaced");
        assert_eq!(mode(&new), 0o600);
        fs::write(&old, "").expect("written");
        for before in [0o644, 0o600, 0o400, 0o640] {
            fs::set_permissions(&old, fs::Permissions::from_mode(before)).expect("set");
            disk.replace(&old, b"x", Safety::Synced).expect("replaced");
            assert_eq!(mode(&old), before);
        }
        fs::remove_dir_all(new.parent().expect("a folder")).expect("removed");
        fs::remove_file(&old).expect("removed");
    }
}

#[test]
fn a_folder_that_was_made_again_is_the_one_that_counts() {
    let stage = stage();
    let root = stage.path().join("in");
    for disk in doors(&root) {
        disk.create_folder(&root.join("local")).expect("made");
        disk.append_to(&root.join("local/file")).expect("made");
        fs::remove_dir_all(&root).expect("removed");
        disk.create_folder(&root.join("local")).expect("made");
        disk.append_to(&root.join("local/other")).expect("made");
        assert!(root.join("local/other").exists());
        drop(disk.lock(&root.join("local/lock")).expect("free"));
    }
}

#[test]
fn a_temporary_that_a_repository_brings_does_no_harm() {
    let stage = stage();
    let root = stage.path().join("in");
    for disk in doors(&root) {
        for count in 0..200 {
            let name = format!(".file.{}-{count}.tmp", std::process::id());
            let _ = symlink("../out/secret", root.join(name));
        }
        disk.replace(&root.join("file"), b"x", Safety::Synced).expect("replaced");
        assert_eq!(fs::read(root.join("file")).expect("read"), b"x");
        assert!(!root.join("file").is_symlink());
    }
    assert_eq!(fs::read(stage.path().join("out/secret")).expect("read"), b"secret");
}

#[test]
fn the_folder_itself_may_be_a_link_of_its_person() {
    let stage = stage();
    let link = stage.path().join("link");
    symlink("in", &link).expect("linked");
    for disk in doors(&link) {
        disk.replace(&link.join("history/file"), b"x", Safety::Cached).expect("written");
        assert_eq!(disk.read(&link.join("history/file")).expect("read").as_deref(), Some(&b"x"[..]));
    }
}

#[test]
fn a_second_name_that_is_taken_is_refused_and_left_alone() {
    let stage = stage();
    let (first, second) = (stage.path().join("in/a"), stage.path().join("in/b"));
    for disk in doors(&stage.path().join("in")).into_iter().chain([Arc::new(RealDisk) as Arc<dyn Disk>]) {
        fs::write(&first, "one").expect("written");
        fs::write(&second, "two").expect("written");
        let copied = Spot::free(&first).copy(&Spot::free(&second));
        for done in [disk.link(&first, &second), disk.rename(&first, &second), copied] {
            assert_eq!(done.expect_err("taken").kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(fs::read(&second).expect("read"), b"two");
    }
}

#[test]
fn a_copy_where_links_cannot_be_is_whole_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("a"), folder.path().join("b"));
    fs::write(&first, "one").expect("written");
    Spot::free(&first).copy(&Spot::free(&second)).expect("copied");
    assert_eq!((fs::read(&second).expect("read"), mode(&second)), (b"one".to_vec(), 0o600));
    let names: Vec<_> = RealDisk.list(folder.path()).expect("listed").into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["a", "b"]);
}

/// As a child of another thread has it between the call that makes it and the one that makes it another program.
#[test]
fn a_lock_that_is_dropped_is_free_although_a_copy_of_its_file_is_open() {
    let stage = stage();
    let path = stage.path().join("in/lock");
    let waits: fn(&Path) -> HeldFile = |path| locked(&RealDisk, path).expect("locked");
    let asks: fn(&Path) -> HeldFile = |path| locked_if_free(&RealDisk, path).expect("asked").expect("free");
    for take in [waits, asks] {
        let held = take(&path);
        let copy = held.0.try_clone().expect("a copy");
        assert!(RealDisk.try_lock(&path).expect("asked").is_none());
        drop(held);
        assert!(RealDisk.try_lock(&path).expect("asked").is_some());
        drop(copy);
    }
}
