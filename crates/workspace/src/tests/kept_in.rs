//! A command behind the walls: what it has, what it has not, and that nothing of it is left.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::world::{SECRET, Tools, World};
use crate::confine::{Cancel, CommandEnd, ConfinementStatus, Opening};
use crate::tool::{ToolResult, Unconfined};
use crate::workspace::Workspace;

/// Whether a process runs that has this among its words.
fn is_running(word: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
}

/// Some ways are tried in Python; without it they are none.
fn has_python(tools: &Tools<'_>) -> bool {
    tools.shell("python3 -c 1").exit == Some(0)
}

/// So that tests that are passed over are not passed over unseen: whoever can build walls by hand has all of them here.
#[test]
fn where_the_kernel_can_all_walls_stand() {
    let by_hand = Command::new("unshare").args(["-Urmpinf", "--mount-proc", "true"]).output();
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let version: Vec<u32> = release.split(['.', '-']).map_while(|part| part.parse().ok()).collect();
    let has_rules = fs::read_to_string("/sys/kernel/security/lsm").map_or(true, |names| names.contains("landlock"));
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    if by_hand.is_ok_and(|output| output.status.success()) && version >= vec![6, 14] && has_rules {
        assert_eq!(*tools.confinement.status(), ConfinementStatus::Full);
    }
}

#[test]
fn a_command_ends_as_a_shell_says_it() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    for (line, exit, output) in [
        ("cat a", 0, "1\n"),
        ("echo out; echo err >&2; exit 3", 3, "out\nerr\n"),
        ("kill -9 $$", 137, ""),
        ("cat", 0, ""),
        ("read x; echo $?", 0, "1\n"),
        ("tty", 1, "not a tty\n"),
        ("echo x > \"$TMPDIR\"/x; echo y > ~/y; cat \"$TMPDIR\"/x ~/y /dev/null", 0, "x\ny\n"),
        ("echo $PWD | grep -c tree", 0, "1\n"),
        ("sleep 1000 & echo done", 0, "done\n"),
        ("printf 'caf\\351'", 0, "caf\u{fffd}"),
        ("git status --porcelain; git log --format=%s", 0, "begin\n"),
        ("echo x > b && git add b && git commit -qm mine && git log --format='%an %s'", 0, "annals mine\np begin\n"),
    ] {
        let end = tools.shell(line);
        assert_eq!((end.exit, &*end.output), (Some(exit), output), "{line}");
        assert_eq!(end.result == ToolResult::Worked, exit == 0, "{line}");
    }
    assert!(tools.shell("no-such-program").output.contains("not found"));
    let long = tools.shell(&format!("# {}", "x".repeat(300_000)));
    assert!(long.output.contains("too long"), "{}", long.output);
}

#[test]
fn a_command_has_nothing_of_the_persons_environment() {
    let mut world = World::of(&[("a", "1\n")]);
    world.outside.environment.insert("TOKEN".to_owned(), SECRET.to_owned());
    world.outside.environment.insert("SSH_AUTH_SOCK".to_owned(), SECRET.to_owned());
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let end = tools.shell(
        "env; cat /proc/*/environ | tr '\\0' '\\n'; id -u; grep -E 'Cap(Eff|Prm|Amb)|NoNewPrivs' /proc/self/status",
    );
    assert!(!end.output.contains(SECRET), "{}", end.output);
    for part in
        ["CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1"]
    {
        assert!(end.output.contains(part), "{part}\n{}", end.output);
    }
}

#[test]
fn a_file_that_was_left_open_for_children_does_not_reach_a_command() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let file = File::open(world.secret()).unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let end = tools.shell("for f in /proc/self/fd/*; do n=${f##*/}; eval \"cat <&$n\" 2>/dev/null; done; echo end");
    assert_eq!((end.exit, end.output.contains(SECRET)), (Some(0), false), "{}", end.output);
    drop(file);
}

#[test]
fn nothing_is_left_of_a_command() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(mut tools) = Tools::walled(&world, &workspace) else { return };
    for (number, line) in [
        "setsid sleep W & echo x",
        "nohup sleep W >/dev/null 2>&1 & disown; echo x",
        "(setsid sh -c 'trap \"\" TERM HUP INT; sleep W' >/dev/null 2>&1 &)",
        "python3 -c 'import os,sys\nif os.fork(): sys.exit()\nos.setsid()\nif os.fork(): sys.exit()\nos.execvp(\"sleep\", [\"sleep\", \"W\"])'",
    ]
    .into_iter()
    .enumerate()
    {
        let word = format!("7777{number}{}", std::process::id());
        let end = tools.shell(&line.replace('W', &word));
        assert!(end.exit == Some(0) || !has_python(&tools), "{line}: {}", end.output);
        assert!(!is_running(&word), "{line}");
    }
    tools.limits.deadline = Duration::from_secs(1);
    for (number, line) in
        ["trap '' TERM HUP INT; sleep W; sleep W", "setsid sleep W & wait", "sleep W"].into_iter().enumerate()
    {
        let word = format!("8888{number}{}", std::process::id());
        let end = tools.shell(&line.replace('W', &word));
        assert!(end.output.ends_with("[ended: its time was up after 1 s]"), "{line}: {end:?}");
        assert!(!is_running(&word), "{line}");
    }
}

#[test]
fn a_command_that_multiplies_is_bounded_and_ended() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(mut tools) = Tools::walled(&world, &workspace) else { return };
    tools.limits.deadline = Duration::from_secs(2);
    let word = format!("9999{}", std::process::id());
    let end = tools.shell(&format!("f() {{ sleep {word} & f | f & }}; f; sleep {word}"));
    assert_eq!(end.result, ToolResult::Failed, "{end:?}");
    assert!(!is_running(&word));
    assert_eq!(tools.shell("echo still").output, "still\n");
}

#[test]
fn output_without_end_grows_neither_memory_nor_disk() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(mut tools) = Tools::walled(&world, &workspace) else { return };
    let end = tools.shell("echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo last");
    assert_eq!(end.exit, Some(0));
    assert!(end.output.len() < 70_000 && end.output.starts_with("first\n") && end.output.ends_with("last\n"));
    assert!(end.output.contains(" bytes left out …]"));
    tools.limits.deadline = Duration::from_secs(1);
    let end = tools.shell("yes; yes");
    assert!(end.output.len() < 70_000 && end.output.ends_with("[ended: its time was up after 1 s]"));
    tools.limits.file_bytes = 1 << 20;
    let end = tools.shell("yes > big");
    assert_eq!(end.result, ToolResult::Failed);
    assert_eq!(fs::metadata(workspace.path().join("big")).unwrap().len(), 1 << 20);
}

#[test]
fn the_network_is_off_and_other_programs_cannot_be_asked() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let path = world.dir.path().join("secret/socket");
    let by_path = UnixListener::bind(&path).unwrap();
    let name = format!("annals-test-{}", std::process::id());
    let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    for listener in [&by_path, &by_name] {
        listener.set_nonblocking(true).unwrap();
    }
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
    let python = |body: &str| format!("python3 -c 'import socket as s\n{body}'");
    for line in [
        format!("curl -s --max-time 2 http://127.0.0.1:{tcp_port}/"),
        format!("exec 3<>/dev/tcp/127.0.0.1/{tcp_port}"),
        format!("echo x > /dev/udp/127.0.0.1/{udp_port}"),
        python(&format!("s.create_connection((\"127.0.0.1\", {tcp_port}), 2)")),
        python(&format!("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b\"x\", (\"127.0.0.1\", {udp_port}))")),
        python("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b\"x\", (\"192.0.2.1\", 53)); raise SystemExit(1)"),
        python(&format!("s.socket(s.AF_UNIX).connect(\"{}\")", path.display())),
        python(&format!("s.socket(s.AF_UNIX).connect(\"\\0{name}\")")),
        python("s.socket(s.AF_INET, s.SOCK_RAW, s.IPPROTO_ICMP)"),
        python("s.socket(s.AF_PACKET, s.SOCK_RAW)"),
        "getent hosts example.org".to_owned(),
    ] {
        // A datagram goes to a network in which nobody is, and is lost there.
        tools.shell(&line);
        assert!(tcp.accept().is_err(), "{line}");
        assert!(udp.recv(&mut [0; 8]).is_err(), "{line}");
        assert!(by_path.accept().is_err() && by_name.accept().is_err(), "{line}");
    }
    // A test that talks to a server of its own works.
    let own = python(
        "l = s.create_server((\"127.0.0.1\", 0))\nc = s.create_connection(l.getsockname())\nl.accept()[0].send(b\"hello\")\nprint(c.recv(5))",
    );
    if has_python(&tools) {
        assert_eq!(tools.shell(&own).output, "b'hello'\n");
    }
}

#[test]
fn the_persons_processes_get_no_signal() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    tools.shell(&format!("kill -9 {}; kill -9 -{0}; kill -9 -1", child.id()));
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_call_is_stopped_by_the_person() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let cancel = Cancel::default();
    let word = format!("6666{}", std::process::id());
    // Once it runs: it says so by a file.
    let begun = workspace.path().join("begun");
    thread::scope(|scope| {
        scope.spawn(|| {
            while !begun.exists() {
                thread::yield_now();
            }
            cancel.cancel();
        });
        let argv = ["sh", "-c", &format!("touch begun; sleep {word}")].map(str::to_owned).to_vec();
        let outcome = tools.confinement.run(argv, &tools.limits, &cancel);
        assert_eq!(outcome.end, CommandEnd::Stopped);
    });
    assert!(!is_running(&word));
}

#[test]
fn without_walls_nothing_is_run_that_nobody_allowed() {
    let mut world = World::of(&[("a", "1\n")]);
    let missing = world.dir.path().join("no-helper");
    world.outside.helper.program = missing;
    let workspace = world.workspace();
    // There is no helper: nothing can be found out, and nothing is run.
    assert!(workspace.confine(&world.outside, &[]).is_err());
    world.outside.helper.program = "/bin/true".into();
    let confinement = workspace.confine(&world.outside, &[]).unwrap();
    assert!(matches!(confinement.status(), ConfinementStatus::None { .. }), "{:?}", confinement.status());
    let limits = crate::confine::CommandLimits::default();
    let tools = Tools { workspace: &workspace, confinement, limits };
    assert!(tools.shell("echo x").output.starts_with("no command is run: nothing keeps it in here"));
    let mut toolbox = tools.toolbox();
    toolbox.unconfined = Unconfined::Allowed;
    let end = toolbox.run(crate::tool::ToolKind::Shell, &serde_json::json!({"command": "echo x"}));
    assert_eq!((end.result, end.output.contains("not run")), (ToolResult::Failed, true), "{end:?}");
}

/// Orders as the program gives them, for a shell line in a workspace.
fn orders(world: &World, workspace: &Workspace, line: &str) -> String {
    let part = |name: &str| world.state().join("t1").join(name);
    let orders = serde_json::json!({
        "argv": ["/bin/sh", "-c", line],
        "environment": {"PATH": "/usr/bin:/bin"},
        "folder": workspace.path(),
        "reach": {
            "read": ["/usr", "/bin", "/lib", "/lib64"], "write": [workspace.path()], "hidden": [], "own": [],
            "scratch": part("tmp"), "view": part("view"),
        },
        "file_bytes": 1_000_000,
        "processes": 400,
        "walls": {"landlock": 0, "others": []},
        "required": {"landlock": 0, "others": []},
    });
    format!("{orders}\n")
}

fn piped(mut command: Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The program that waits is killed: its command goes with it.
#[test]
fn a_command_does_not_outlive_the_program_that_waits_for_it() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    if Tools::walled(&world, &workspace).is_none() {
        return;
    }
    let word = format!("5555{}", std::process::id());
    let mut helper = piped(Command::new(&world.outside.helper.program));
    let mut input = helper.stdin.take().unwrap();
    input.write_all(orders(&world, &workspace, &format!("echo begun; setsid sleep {word}")).as_bytes()).unwrap();
    let mut said = [0; 6];
    helper.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
    assert_eq!(&said, b"begun\n");
    // As the kernel does it for one that is killed.
    drop(input);
    assert!(helper.wait().unwrap().success());
    assert!(!is_running(&word));
}

#[test]
fn where_no_namespace_is_given_files_are_kept_all_the_same_and_orphans_are_ended() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let (word, secret) = (format!("4444{}", std::process::id()), world.dir.path().join("secret"));
    let mut command = Command::new("unshare");
    let none = "echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-all --inh-caps=-all \"$0\"";
    command.args(["-Ur", "sh", "-c", none]).arg(&world.outside.helper.program);
    if Tools::walled(&world, &workspace).is_none()
        || !Command::new("setpriv").arg("true").status().is_ok_and(|s| s.success())
    {
        return;
    }
    let before = super::world::all_of(&secret);
    let mut helper = piped(command);
    let mut input = helper.stdin.take().unwrap();
    let way = format!(
        "cat S/key; echo mine > S/key; touch S/x; exec 3<>/dev/tcp/127.0.0.1/1; cat /proc/$PPID/environ; \
         setsid sleep {word} & (setsid sleep {word} &); kill -9 $PPID; echo end"
    );
    let line = way.replace("S/", &format!("{}/", secret.display()));
    input.write_all(orders(&world, &workspace, &line).as_bytes()).unwrap();
    let output = helper.wait_with_output().unwrap();
    drop(input);
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(told.starts_with("{\"walled\":{\"landlock\":") && told.contains("\"others\":[]"), "{told}");
    assert!(said.contains("Permission denied") && !said.contains(SECRET), "{said}");
    assert_eq!(super::world::all_of(&secret), before);
    assert!(!is_running(&word));
}

/// What stood when it was looked is asked for at each call.
#[test]
fn a_command_is_not_run_where_a_wall_fell_meanwhile() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let mut helper = piped(Command::new(&world.outside.helper.program));
    let mut input = helper.stdin.take().unwrap();
    let asked = "\"required\":{\"landlock\":0,\"others\":[]}";
    let more = "\"required\":{\"landlock\":99,\"others\":[]}";
    let orders = orders(&world, &workspace, "touch begun").replace(asked, more);
    assert!(orders.contains(more));
    input.write_all(orders.as_bytes()).unwrap();
    let output = helper.wait_with_output().unwrap();
    drop(input);
    assert!(String::from_utf8_lossy(&output.stderr).contains("a wall that stood before is missing now"));
    assert!(!workspace.path().join("begun").exists());
}

/// Their content, that is: by whatever name, link or program it is asked for.
#[test]
fn what_is_hidden_is_empty_for_a_command_and_stays_as_it_is() {
    let world = World::of(&[("a", "1\n"), (".env", "TOKEN=whale\n"), ("in/key.pem", "whale\n")]);
    std::os::unix::fs::symlink(".env", world.project().join("cfg.txt")).unwrap();
    let workspace = world.workspace();
    let Some(mut tools) = Tools::walled(&world, &workspace) else { return };
    let hidden = [".env", "in/key.pem", "not-there"].map(|path| workspace.path().join(path)).to_vec();
    tools.confinement = tools.confinement.widened(&Opening { hidden, ..Opening::default() });
    let tries = "grep -rn whale . --exclude-dir=.git; cat .e''nv cfg.txt ./in/*; cp .env copy; ln .env hard; cat copy hard; \
                 echo x > .env; rm -f .env; mv in out; cat out/*; python3 -c 'print(open(\".env\").read())'; true";
    let end = tools.shell(tries);
    assert!(!end.output.contains("whale"), "{}", end.output);
    assert_eq!(fs::read_to_string(workspace.path().join(".env")).unwrap(), "TOKEN=whale\n");
    assert_eq!(tools.shell("cat a; wc -c < .env").output, "1\n0\n");
}
