//! Views that a team has in git, and views that it has not.

use super::Tree;

impl Tree {
    fn comment(&self, text: &str) -> String {
        self.annals(&["issue", "comment", "1", text]);
        let run = self.project.annals(["render"], "");
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout + &run.stderr
    }
}

/// What another clone rendered comes with a pull, and is nobody's change.
#[test]
fn what_git_has_of_a_view_is_not_kept_aside() {
    const VIEW: &str = ".context/issues/0001-valves.md";
    let tree = Tree::new();
    tree.project.write(".context/.gitignore", "/local/\n");
    tree.annals(&["issue", "new", "Valves"]);
    tree.annals(&["render"]);
    for text in ["theirs\n", "theirs, again\n"] {
        tree.project.write(VIEW, text);
        tree.git("add -A");
        tree.git("commit -qm theirs");
        let said = tree.comment("There is another one below the deck, behind the pump.");
        assert!(!said.contains("kept"), "{said}");
        assert!(tree.project.read(VIEW).contains("below the deck"));
    }
    tree.project.write(VIEW, "mine, and in no commit\n");
    let said = tree.comment("And a last one in the hold, where nobody looks.");
    assert!(said.contains("kept"), "{said}");
}

#[test]
fn no_view_goes_into_git_unasked() {
    let tree = Tree::new();
    tree.annals(&["session", "start", "Valves"]);
    tree.annals(&["issue", "new", "Valves"]);
    tree.annals(&["render"]);
    tree.project.write(".context/knowledge/mine.md", "mine\n");
    tree.git("add -A");
    let staged = tree.git("diff --cached --name-only");
    let others: Vec<_> = staged.lines().filter(|path| !path.starts_with(".context/history/2")).collect();
    assert_eq!(others, [".context/knowledge/mine.md"], "{staged}");
}
