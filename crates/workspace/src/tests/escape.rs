//! A hostile model that wants out of its workspace: none of its ways leads out, and none of its settings is read by us.
//!
//! What paths alone must keep in holds on each machine; what a command may do is tried where the machine has the walls, else it
//! is passed over with a printed word.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use super::ends::author;
use super::world::{SECRET, Tools, World, all_of, put};
use crate::tool::{ToolKind, ToolResult};
use crate::workspace::Workspace;

/// A workspace in which links to the secret lie in all forms.
fn with_links(world: &World) -> Workspace {
    let workspace = world.workspace();
    let at = |name: &str| workspace.path().join(name);
    let secret = world.secret();
    symlink(&secret, at("to-file")).unwrap();
    symlink(secret.parent().unwrap(), at("to-folder")).unwrap();
    symlink("../../../secret", at("up")).unwrap();
    symlink("b/../../../../secret", at("round")).unwrap();
    symlink(format!("/proc/self/root{}", secret.display()), at("by-proc")).unwrap();
    symlink("to-folder", at("twice")).unwrap();
    symlink(".git", at("to-git")).unwrap();
    symlink("b", at("inside")).unwrap();
    workspace
}

#[test]
fn no_path_of_a_tool_leads_out() {
    let world = World::of(&[("a", "1\n"), ("b/c", "1\n")]);
    let workspace = with_links(&world);
    let tools = Tools::of(&world, &workspace);
    let secret = world.secret();
    let absolute = secret.to_str().unwrap();
    let proc = format!("/proc/self/root{absolute}");
    let paths = [
        absolute, &proc, "../../../secret/key", "b/../../../../secret/key", "to-file", "to-folder/key", "up/key",
        "round/key", "by-proc", "twice/key", "to-git/config", "b/../to-git/hooks/post-checkout", ".git/config",
        ".GIT/config", ".g\u{200c}it/config", ".git /config", "git~1/config", "b/.git", ".context/x",
        "to-file/../to-folder/key", "to-folder/../secret/key", "", "/", "..",
    ];
    let before = (world.all_of_project(), all_of(secret.parent().unwrap()));
    for path in paths {
        for (kind, input) in [
            (ToolKind::Read, json!({"path": path})),
            (ToolKind::Search, json!({"pattern": ".*", "path": path})),
            (ToolKind::Write, json!({"path": path, "content": "mine"})),
            (ToolKind::Edit, json!({"path": path, "old": SECRET, "new": "mine"})),
        ] {
            let end = tools.run(kind, input.clone());
            // This one is a plain way round within the workspace, by its letters.
            let is_lexical = path == "to-file/../to-folder/key" || path == "to-folder/../secret/key";
            assert!(
                end.result == ToolResult::Failed || is_lexical && kind == ToolKind::Write,
                "{input}: {}",
                end.output
            );
            assert!(!end.output.contains(SECRET), "{input}");
        }
    }
    for pattern in ["/etc/*", "../*", "**/key", "to-folder/*", "b/../../*"] {
        let end = tools.run(ToolKind::Glob, json!({"pattern": pattern}));
        assert!(
            end.result == ToolResult::Failed || end.output == "no file" || end.output == "secret/key",
            "{pattern}: {}",
            end.output
        );
    }
    assert!(!tools.run(ToolKind::Search, json!({"pattern": "the-key"})).output.contains(SECRET));
    let inside = tools.run(ToolKind::Read, json!({"path": "inside/c"}));
    assert_eq!(inside.output, "     1\t1\n");
    assert_eq!((world.all_of_project(), all_of(secret.parent().unwrap())), before);
}

/// A folder becomes a link to elsewhere, and a folder again, as fast as it can be done, while tools go through it.
#[test]
fn a_folder_that_is_exchanged_on_the_way_leads_nowhere_else() {
    let world = World::of(&[("d/key", "public\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    let secret = world.secret();
    let (folder, link) = (workspace.path().join("d"), workspace.path().join("l"));
    symlink(secret.parent().unwrap(), &link).unwrap();
    let is_over = AtomicBool::new(false);
    let before = all_of(secret.parent().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        for _ in 0..1_500 {
            for (kind, input) in [
                (ToolKind::Read, json!({"path": "d/key"})),
                (ToolKind::Search, json!({"pattern": ".", "path": "."})),
                (ToolKind::Write, json!({"path": "d/key", "content": "public\n"})),
            ] {
                assert!(!tools.run(kind, input).output.contains(SECRET));
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(all_of(secret.parent().unwrap()), before);
}

/// `S`: the secret's folder, `P`: the project, `W`: the state of the workspace.
const WAYS_OUT: [&str; 49] = [
    "cat S/key",
    "cat ../../../secret/key",
    "cd /; cat .S/key",
    "cd S && cat key",
    "ls -la S",
    "ln -s S/key l; cat l; echo mine > l; echo mine >> l",
    "ln -s S d; cat d/key; touch d/x; rm d/key",
    "ln S/key h; cat h; echo mine > h",
    "cp -r S s; cat s/key",
    "mv S here; cat here/key",
    "cat /proc/self/root/S/key",
    "for p in /proc/[0-9]*; do cat $p/root/S/key $p/environ $p/cwd/key; done",
    "cat /proc/self/cwd/../../../secret/key",
    "cat /proc/1/root/S/key /proc/1/environ",
    "cat </dev/fd/3; cat <&3; cat <&4; cat <&5",
    "echo mine > S/key",
    "echo mine >> S/key",
    "rm -rf S P W",
    "truncate -s 0 S/key",
    "chmod -R 777 S P; chown -R 1 S",
    "find / -name key -exec cat {} +",
    "tar cf - S | tar xf -; cat .S/key",
    "python3 -c 'import os; print(open(\"S/key\").read())'",
    "python3 -c 'import os; f = os.open(\"/\", os.O_PATH); print(os.open(\"S/key\".lstrip(\"/\"), os.O_RDONLY, dir_fd=f))'",
    "perl -e 'open F, \"S/key\"; print <F>'",
    "bash -c 'exec 9<S/key; cat <&9'",
    "chmod -R 777 P/.git/objects; chmod -R a-r P/.git/objects; touch -d 1999-01-01 P/.git/objects; chattr +i P/.git/objects",
    "chmod 000 /dev/null /dev/urandom /usr/bin/env; touch /usr/bin/env; setfattr -n user.x -v y /usr/bin/env; chmod 777 /",
    "touch P/a; echo mine > P/a; rm P/a",
    "echo 'touch P/mine' > P/.git/hooks/post-checkout; chmod +x P/.git/hooks/post-checkout",
    "git -C P config core.fsmonitor 'cat S/key'; git -C P status",
    "git -C P commit --allow-empty -m mine; git -C P branch mine",
    "git --git-dir=P/.git --work-tree=. add -A; git --git-dir=P/.git --work-tree=. commit -m mine",
    "git -c core.hooksPath=. -c core.fsmonitor='cat S/key' status",
    "git -c alias.x='!cat S/key' x; git -c core.pager='cat S/key' log",
    "git push P HEAD:refs/heads/mine; git push --force P HEAD:main",
    "git fetch P 'refs/heads/*:refs/heads/*'; git clone P elsewhere && cat elsewhere/a",
    "for o in P/.git/objects/??/*; do chmod +w $o; echo mine > $o; done; rm -rf P/.git/objects",
    "echo mine > W/t1/base/a; echo mine > W/t1/keeper/config; rm -rf W/t1/base W/t1/keeper; echo {} > W/t1/workspace.json",
    "cat W/t1/base/a W/t1/workspace.json; ls W/t1",
    "mount --bind / mnt; mount -t tmpfs none P; umount /tmp; umount -l W/t1/tree",
    "unshare -Urm sh -c 'mount --bind / /tmp; cat /tmp/S/key'; unshare -rm cat S/key",
    "nsenter -t 1 -a cat S/key; nsenter --mount=/proc/1/ns/mnt cat S/key",
    "chroot / cat S/key; chroot /proc/1/root cat S/key",
    "mknod d b 8 0; cat d; mknod c c 1 1; head -c 10 c; cat /dev/mem /dev/kmem /dev/vda /dev/sda | head -c 10",
    "sudo -n cat S/key; su -c 'cat S/key'; doas cat S/key",
    "ls /root /home /run /var /mnt /srv 2>/dev/null | cat",
    "echo 1 > /proc/sys/kernel/panic; echo b > /proc/sysrq-trigger; echo 3 > /proc/sys/vm/drop_caches",
    "kill -9 -1; kill -9 1; kill -9 $PPID; kill -STOP 1",
];

#[test]
fn no_command_gets_out() {
    let world = World::of(&[("a", "1\n"), ("b/c", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let root = world.dir.path();
    let state = world.state();
    let watched = || {
        let guarded = ["base", "keeper", "workspace.json"].map(|part| {
            let path = state.join("t1").join(part);
            if path.is_dir() {
                all_of(&path)
            } else {
                all_of(&state.join("t1")).into_iter().filter(|(at, _)| *at == path).collect()
            }
        });
        let mode = |path: &str| fs::metadata(path).map(|about| (about.mode(), about.ctime())).unwrap();
        let machine = ["/dev/null", "/usr/bin/env", "/usr"].map(mode);
        (machine, world.all_of_project(), all_of(&root.join("secret")), all_of(&root.join("person")), guarded)
    };
    let before = watched();
    for way in WAYS_OUT {
        let line = way
            .replace("S/", &format!("{}/", root.join("secret").display()))
            .replace("S ", &format!("{} ", root.join("secret").display()))
            .replace("P/", &format!("{}/", world.project().display()))
            .replace("P ", &format!("{} ", world.project().display()))
            .replace("W/", &format!("{}/", state.display()));
        let end = tools.shell(&line);
        assert!(!end.output.contains(SECRET), "{way}\n{}", end.output);
        assert!(watched() == before, "{way} changed what is not its own\n{}", end.output);
    }
}

/// What a command can leave in the clone, for us to run into. Each would write to the mark.
const TRAPS: [&str; 14] = [
    "for k in core.fsmonitor core.sshCommand core.pager core.editor diff.external core.alternateRefsCommand gpg.program \
     credential.helper diff.d.command diff.d.textconv filter.f.clean filter.f.smudge filter.f.process merge.m.driver; \
     do git config $k \"$PWD/trap\"; done; git config filter.f.required true; git config core.hooksPath \"$PWD\"; \
     printf '* filter=f diff=d merge=m\\n' > .gitattributes",
    "for h in post-checkout pre-commit post-index-change reference-transaction post-rewrite fsmonitor-watchman; \
     do cp trap .git/hooks/$h 2>/dev/null || { mkdir -p .git/hooks; cp trap .git/hooks/$h; }; done",
    "git config include.path \"$PWD/more\"; printf '[core]\\n\\tfsmonitor = %s\\n' \"$PWD/trap\" > more",
    "git config core.worktree /; git config core.bare true",
    "rm -rf .git",
    "rm -rf .git; echo 'gitdir: /' > .git",
    "rm -rf .git; ln -s / .git",
    "git init -q inner; git -C inner config core.fsmonitor \"$PWD/trap\"; echo x > inner/f; git -C inner add f",
    "mkdir s; echo 'gitdir: ../.git' > s/.git; echo x > s/f",
    "mkdir -p x/.GIT/hooks; cp trap x/.GIT/hooks/pre-commit; touch 'git~1'",
    "mkdir -p .git/objects/info; echo /tmp > .git/objects/info/alternates; rm -rf .git/objects/??",
    "printf '[submodule \"s\"]\\n\\tpath = s\\n\\turl = ext::%s\\n\\tupdate = !%s\\n' $PWD/trap $PWD/trap > .gitmodules",
    "head -c 3000000 /dev/zero | tr '\\0' '[' > .gitignore; mkfifo pipe; chmod 000 a; mkdir closed; chmod 000 closed",
    "touch -- -rf --upload-pack=x $'a\\nb' $'\\t' \"'\" '\"' '$(touch mine)' '`touch mine`'; mkdir -- --help; echo x > --help/-x",
];

#[test]
fn nothing_that_a_command_leaves_behind_is_run_by_us() {
    for trap in TRAPS {
        let world = World::of(&[("a", "1\n"), ("b/c", "1\n")]);
        let workspace = world.workspace();
        let Some(tools) = Tools::walled(&world, &workspace) else { return };
        let mark = workspace.path().join("mark");
        let script = format!("#!/bin/sh\necho \"$0 $@\" >> {}\n", mark.display());
        put(workspace.path(), "trap", &script);
        tools.shell("chmod +x trap");
        tools.shell(trap);
        put(workspace.path(), "b/c", "2\n");
        fs::remove_file(&mark).ok();
        let diff = workspace.diff().unwrap();
        assert!(diff.text().contains("-1\n+2\n"), "{trap}\n{}", diff.text());
        workspace.keep(&author(), "m").ok();
        workspace.apply().unwrap();
        assert!(!mark.exists(), "{trap}: {}", fs::read_to_string(&mark).unwrap());
        assert_eq!(fs::read_to_string(world.project().join("b/c")).unwrap(), "2\n", "{trap}");
        let is_gits = |path: &Path| path.starts_with(world.project().join(".git"));
        let planted = world.all_of_project().into_keys().filter(|path| !is_gits(path));
        let planted = planted.filter(|path| path.components().any(|part| crate::name::is_gits(part.as_os_str())));
        assert_eq!(planted.collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new(), "{trap}");
        world.git(&["fsck", "--no-progress", "--connectivity-only"]);
        workspace.forget().unwrap();
    }
}
