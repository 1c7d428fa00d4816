"""What the scripted model does, in the words of each agent's own tools. `plays(agent, project)` gives the plays by name.

Every agent gets the same tale, as far as it has tools for it: a call that succeeds, one that exits with 3, a file made, read,
edited, an edit that fails, three calls at once (one fails), the same call twice at once, a tool that does not exist, a
command in the background, a sub-agent with a call that succeeds and one that exits with 7, last words.
"""


def say(text):
    return {"say": text}


def call(tool, /, **given):
    return {"call": tool, "input": given}


def claude(project):
    def sh(command, **more):
        return call("Bash", command=command, description="x", **more)
    file = project + "/new.txt"
    main = [
        [{"think": "Let me think about it."}, say("I will run it."), sh("echo out; echo err >&2; sleep 0.4")],
        [sh("echo failing; exit 3")],
        [call("Write", file_path=file, content="alpha\nbeta\n")],
        [call("Read", file_path=file)],
        [call("Edit", file_path=file, old_string="alpha", new_string="gamma")],
        [call("Edit", file_path=file, old_string="does-not-exist", new_string="z")],
        [say("three at once"), sh("sleep 0.6; echo a"), sh("sleep 0.2; echo b"), call("Read", file_path=project + "/missing.txt")],
        [sh("echo same"), sh("echo same")],
        [call("NoSuchTool", a=1)],
        [sh("sleep 1; echo late; exit 4", run_in_background=True)],
        [call("Agent", description="sub task", prompt="play:child do it", subagent_type="general-purpose", run_in_background=False)],
        [sh("sleep 2; echo waited")],
        [say("All done, final words.")],
    ]
    child = [[say("child starts"), sh("echo from-child")], [sh("exit 7")], [say("child report")]]
    denied = [[call("Write", file_path=project + "/.context/history/2026-01-01-x.jsonl", content="evil")], [say("denied then")]]
    slow = [[say("slow"), sh("echo begun; sleep 60", timeout=100000)], [say("slow done")]]
    write = [[call("Write", file_path=project + "/asked.txt", content="x\n")], [say("asked done")]]
    return dict(main=main, child=child, denied=denied, slow=slow, write=write, **common(sh))


def codex(project):
    def sh(command, **more):
        return call("exec_command", cmd=command, **more)

    def patch(body):
        return {"patch": f"*** Begin Patch\n{body}*** End Patch\n"}
    main = [
        [{"think": "I think first"}, say("I will run it."), sh("echo out; echo err >&2; sleep 0.4")],
        [sh("echo failing; exit 3")],
        [patch("*** Add File: new.txt\n+alpha\n+beta\n")],
        [patch("*** Update File: new.txt\n@@\n-alpha\n+gamma\n")],
        [patch("*** Update File: new.txt\n@@\n-does not exist\n+z\n")],
        [say("three at once"), sh("sleep 0.6; echo a"), sh("sleep 0.2; echo b"), sh("cat missing.txt")],
        [sh("echo same"), sh("echo same")],
        [call("nosuchtool", a=1)],
        [sh("sleep 2; echo late; exit 4", yield_time_ms=500)],
        [call("write_stdin", session_id="find:session ID ([0-9]+)", chars="", yield_time_ms=4000)],
        [dict(call("spawn_agent", task_name="worker_one", message="play:child do it", fork_turns="none"), space="collaboration")],
        [dict(call("wait_agent", timeout_ms=15000), space="collaboration")],
        [say("All done, final words.")],
    ]
    child = [[say("child starts"), sh("echo from-child")], [sh("exit 7")], [say("child report")]]
    denied = [[patch("*** Add File: .context/history/2026-01-01-x.jsonl\n+evil\n")], [say("denied then")]]
    slow = [[say("slow"), sh("echo begun; sleep 60", yield_time_ms=30000)], [say("slow done")]]
    write = [[sh("touch /etc/asked", sandbox_permissions="require_escalated", justification="x")], [say("asked done")]]
    return dict(main=main, child=child, denied=denied, slow=slow, write=write, **common(sh))


def gemini(project):
    def sh(command, **more):
        return call("run_shell_command", command=command, description="x", **more)
    file = project + "/new.txt"
    main = [
        [{"think": "Let me think about it."}, say("I will run it."), sh("echo out; echo err >&2; sleep 0.4")],
        [sh("echo failing; exit 3")],
        [call("write_file", file_path=file, content="alpha\nbeta\n")],
        [call("read_file", file_path=file)],
        [call("replace", file_path=file, instruction="x", old_string="alpha", new_string="gamma")],
        [call("replace", file_path=file, instruction="x", old_string="does-not-exist", new_string="z")],
        [say("three at once"), sh("sleep 0.6; echo a"), sh("sleep 0.2; echo b"), call("read_file", file_path=project + "/missing.txt")],
        [sh("echo same"), sh("echo same")],
        [call("no_such_tool", a=1)],
        [sh("sleep 1; echo late; exit 4", is_background=True)],
        [call("invoke_agent", agent_name="generalist", prompt="play:child do it")],
        [say("All done, final words.")],
    ]
    child = [[say("child starts"), sh("echo from-child")], [sh("exit 7")], [call("complete_task", result={"response": "child report"})]]
    denied = [[call("write_file", file_path=project + "/.context/history/2026-01-01-x.jsonl", content="evil")], [say("denied then")]]
    slow = [[say("slow"), sh("echo begun; sleep 60")], [say("slow done")]]
    write = [[call("write_file", file_path=project + "/asked.txt", content="x\n")], [say("asked done")]]
    heavy = [[{"heavy": 900_000}, sh("echo heavy")], [say("heavy done")]]
    return dict(main=main, child=child, denied=denied, slow=slow, write=write, heavy=heavy, **common(sh))


def copilot(project):
    def sh(command, **more):
        return call("bash", command=command, description="x", **more)
    file = project + "/new.txt"
    main = [
        [{"think": "Let me think about it."}, say("I will run it."), sh("echo out; echo err >&2; sleep 0.4")],
        [sh("echo failing; exit 3")],
        [call("create", path=file, file_text="alpha\nbeta\n")],
        [call("view", path=file)],
        [call("edit", path=file, old_str="alpha", new_str="gamma")],
        [call("edit", path=file, old_str="does-not-exist", new_str="z")],
        [say("three at once"), sh("sleep 0.6; echo a"), sh("sleep 0.2; echo b"), call("view", path=project + "/missing.txt")],
        [sh("echo same"), sh("echo same")],
        [call("nosuchtool", a=1)],
        [sh("sleep 1; echo late; exit 4", mode="async", shellId="bg1")],
        [call("read_bash", shellId="bg1", delay=3)],
        [call("task", agent_type="general-purpose", name="subber", description="sub", prompt="play:child do it", mode="sync")],
        [say("All done, final words.")],
    ]
    child = [[say("child starts"), sh("echo from-child")], [sh("exit 7")], [say("child report")]]
    denied = [[call("create", path=project + "/.context/history/2026-01-01-x.jsonl", file_text="evil")], [say("denied then")]]
    slow = [[say("slow"), sh("echo begun; sleep 60", initial_wait=90)], [say("slow done")]]
    write = [[call("create", path=project + "/asked.txt", file_text="x\n")], [say("asked done")]]
    return dict(main=main, child=child, denied=denied, slow=slow, write=write, **common(sh))


def common(sh):
    """Plays that differ in the name of the shell only."""
    return {
        "two": [[sh("echo second")], [say("second answer")]],
        "three": [[sh("echo third; exit 9")], [say("third answer")]],
        "words": [[say("only words")]],
        "broken": [[{"status": 529}], [say("after the error")]],
    }


def plays(agent, project):
    return globals()[agent](project)
