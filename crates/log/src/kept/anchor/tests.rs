//! Two never hold the lock, whatever git removes and whoever else comes, before each step.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::super::tests::Thief;
use super::super::{Disk, Kept, Lock};
use crate::disk::RealDisk;
use crate::second::SecondNames;

/// How the names of the lock may stand before somebody takes it.
#[derive(Debug, Clone, Copy)]
enum Names {
    None,
    First,
    Second,
    Both,
    /// As in a copy of the folder.
    OfTwoFiles,
    /// Git's directory cannot be written.
    FirstAlone,
}

/// What may happen before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Git removes the first name of the lock.
    Remove,
    /// Git removes `local/`.
    RemoveAll,
    /// Another process tries the lock, and holds it if it can.
    Try,
}

/// A folder, and those who hold its lock.
struct Scene {
    folder: tempfile::TempDir,
    held: Mutex<Vec<Box<dyn Lock>>>,
}

impl Scene {
    fn new(names: Names) -> Self {
        let scene = Self { folder: tempfile::tempdir().expect("a folder"), held: Mutex::default() };
        fs::create_dir_all(scene.path(".context/local")).expect("made");
        if matches!(names, Names::FirstAlone) {
            fs::write(scene.path("seconds"), "").expect("written");
        } else {
            fs::create_dir_all(scene.path("seconds/local")).expect("made");
        }
        let (first, second) = (scene.first(), scene.path("seconds/local/lock"));
        if matches!(names, Names::First | Names::Both | Names::OfTwoFiles | Names::FirstAlone) {
            fs::write(&first, "").expect("written");
        }
        if matches!(names, Names::Second | Names::OfTwoFiles) {
            fs::write(&second, "").expect("written");
        }
        if matches!(names, Names::Both) {
            fs::hard_link(&first, &second).expect("linked");
        }
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn first(&self) -> PathBuf {
        self.path(".context/local/lock")
    }

    fn kept(&self, disk: impl Disk + 'static) -> Kept {
        Kept::new(disk, Some(SecondNames::new(&self.path(".context"), &self.path("seconds"))))
    }

    fn hold_if_free(&self, kept: &Kept) {
        // Below a folder that is gone nobody gets it.
        if let Ok(Some(lock)) = kept.try_lock(&self.first()) {
            self.held.lock().expect("no panic").push(lock);
        }
    }

    fn act(&self, act: Act) {
        match act {
            Act::Remove => drop(fs::remove_file(self.first())),
            Act::RemoveAll => drop(fs::remove_dir_all(self.path(".context/local"))),
            Act::Try => self.hold_if_free(&self.kept(RealDisk)),
        }
    }

    fn holders(&self) -> usize {
        self.held.lock().expect("no panic").len()
    }
}

/// Somebody takes the lock; before the step of a number something happens, and at the end somebody tries once more.
fn holders(names: Names, acts: &[Act], at: usize) -> usize {
    let scene = Arc::new(Scene::new(names));
    let (between, step) = (Arc::clone(&scene), AtomicUsize::new(0));
    let acts = acts.to_vec();
    let thief = Thief::between_steps(move || {
        if step.fetch_add(1, Ordering::Relaxed) == at {
            for act in &acts {
                between.act(*act);
            }
        }
    });
    scene.hold_if_free(&scene.kept(thief));
    scene.act(Act::Try);
    scene.holders()
}

/// More steps than taking the lock has.
const STEPS: usize = 20;

#[test]
fn one_at_most_holds_the_lock_whatever_happens_before_any_step() {
    use Act::{Remove, RemoveAll, Try};
    let happenings: [&[Act]; 8] = [
        &[Try],
        &[Remove],
        &[RemoveAll],
        &[Remove, Try],
        &[Try, Remove],
        &[Try, RemoveAll],
        &[RemoveAll, Try],
        &[Remove, Try, Remove, Try],
    ];
    for names in [Names::None, Names::First, Names::Second, Names::Both, Names::OfTwoFiles] {
        for (acts, at) in happenings.iter().flat_map(|acts| (0..STEPS).map(move |at| (acts, at))) {
            assert!(holders(names, acts, at) <= 1, "{names:?}, before step {at}: {acts:?}");
        }
    }
}

#[test]
fn whoever_comes_when_the_first_name_is_gone_waits_for_the_one_who_holds_the_lock() {
    let scene = Scene::new(Names::None);
    scene.act(Act::Try);
    for act in [Act::Remove, Act::Try, Act::RemoveAll, Act::Try, Act::Try] {
        scene.act(act);
    }
    assert_eq!(scene.holders(), 1);
    scene.held.lock().expect("no panic").clear();
    scene.act(Act::Try);
    assert_eq!((scene.holders(), scene.first().exists()), (1, true));
}

#[test]
fn what_stands_in_local_is_there_again_before_the_lock_has_its_first_name() {
    let scene = Scene::new(Names::Both);
    let missing = Arc::new(Mutex::new(Vec::new()));
    for name in ["bookmark", "calls/a.json", "spool/b.json"] {
        let path = scene.path("seconds/local").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, name).expect("written");
    }
    scene.act(Act::RemoveAll);
    let (local, seen) = (scene.path(".context/local"), Arc::clone(&missing));
    let thief = Thief::between_steps(move || {
        let names = ["bookmark", "calls/a.json", "spool/b.json"];
        let gone = names.iter().filter(|name| local.join("lock").exists() && !local.join(name).exists());
        seen.lock().expect("no panic").extend(gone.map(ToString::to_string));
    });
    drop(Arc::new(scene.kept(thief)).below(&scene.path(".context")));
    assert_eq!(*missing.lock().expect("no panic"), Vec::<String>::new());
    assert!(scene.first().exists() && scene.path(".context/local/bookmark").exists());
}

#[test]
fn who_waits_for_two_locks_gets_them_when_both_are_free() {
    let scene = Scene::new(Names::OfTwoFiles);
    let old = RealDisk.lock(&scene.first()).expect("free");
    let kept = scene.kept(RealDisk);
    assert!(kept.try_lock(&scene.first()).expect("tried").is_none(), "one who knows no second names has it");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| kept.lock(&scene.first()).map(drop));
        drop(old);
        waits.join().expect("no panic").expect("free");
    });
}

#[test]
fn without_a_place_for_second_names_the_first_one_is_the_lock() {
    let scene = Scene::new(Names::FirstAlone);
    scene.act(Act::Try);
    scene.act(Act::Try);
    assert_eq!(scene.holders(), 1);
}
