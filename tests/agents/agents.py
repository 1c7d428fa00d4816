"""How each agent is started, told and stopped offline: its binary, its settings in a scratch home, its hooks, its transcripts.

An agent runs in a network namespace of its own that has nothing but the loopback, beside `fakes/model.py`.
"""
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PORT = 8917
BASE = f"http://127.0.0.1:{PORT}"
FAKE = os.path.join(os.environ.get("ANNALS_AGENTS") or os.path.join(HERE, "fakes"), "model.py")


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value, indent=1))



class Agent:
    """What all four have in common; `home` and `project` are scratch folders."""
    name = kind = setup = variable = ""
    events = ()

    def __init__(self, home, project):
        self.home, self.project = home, project

    @classmethod
    def program(cls):
        """The command that starts the agent, or None: a variable, then the PATH. A script of node is started by node."""
        found = os.environ.get(cls.variable) or shutil.which(cls.executable)
        if not found or not os.path.exists(found):
            return None
        return ["node", found] if found.endswith((".js", ".mjs")) else [found]

    def environment(self):
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "TZ", "TMPDIR") if name in os.environ}
        return dict(keep, HOME=self.home, TERM="xterm-256color", GIT_CONFIG_NOSYSTEM="1", **self.variables())

    def prepare(self):
        """Settings in the scratch home, so that nothing is asked at the start."""

    def hooks(self, command):
        """Hooks that run `command EVENT`, in the person's settings."""

    def fork(self, prompt, session):
        return None


class Claude(Agent):
    name, kind, setup, variable, executable = "claude", "claude-code", "claude-code", "ANNALS_CLAUDE", "claude"
    events = ("SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest "
              "PermissionDenied Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification").split()

    def variables(self):
        return dict(ANTHROPIC_BASE_URL=BASE, ANTHROPIC_API_KEY="x", DISABLE_AUTOUPDATER="1", DISABLE_TELEMETRY="1",
                    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")

    def prepare(self):
        write(self.home + "/.claude.json", {
            "hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": ["x"], "rejected": []},
            "projects": {self.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}})

    def hooks(self, command):
        groups = {event: [{"hooks": [{"type": "command", "command": f"{command} {event}"}]}] for event in self.events}
        write(self.home + "/.claude/settings.json", {"hooks": groups})

    def prompt(self, text, session=None):
        more = ["--resume", session] if session else []
        return [*self.program(), "-p", text, "--allowedTools", "Bash Read Write Edit Agent", *more]

    def fork(self, text, session):
        return [*self.prompt(text, session), "--fork-session"]

    def interactive(self):
        return [*self.program(), "--permission-mode", "default"]

    def transcripts(self):
        return glob.glob(self.home + "/.claude/projects/*/*.jsonl") + glob.glob(self.home + "/.claude/projects/*/*/subagents/*")


class Codex(Agent):
    name, kind, setup, variable, executable = "codex", "codex", "codex", "ANNALS_CODEX", "codex"
    events = ("SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PermissionRequest PreCompact PostCompact "
              "SubagentStart SubagentStop Stop Interrupt").split()

    def variables(self):
        return dict(CODEX_HOME=self.home + "/.codex", FAKE_KEY="x")

    def prepare(self):
        write(self.home + "/.codex/config.toml", f"""model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "{BASE}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[analytics]
enabled = false
[features]
multi_agent_v2 = true
[projects."{self.project}"]
trust_level = "trusted"
""")

    def hooks(self, command):
        groups = {event: [{"hooks": [{"type": "command", "command": f"{command} {event}", "timeout": 30}]}] for event in self.events}
        write(self.home + "/.codex/hooks.json", {"hooks": groups})

    def flags(self):
        return ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"]

    def prompt(self, text, session=None):
        return [*self.program(), "exec", *self.flags(), *(["resume", session] if session else []), text]

    def fork(self, text, session):
        return [*self.program(), "exec", *self.flags(), "fork", session, text]

    def interactive(self):
        return [*self.program(), "--dangerously-bypass-hook-trust", "-a", "on-request", "-s", "workspace-write", "--no-alt-screen"]

    def transcripts(self):
        return glob.glob(self.home + "/.codex/sessions/*/*/*/*.jsonl")


class Gemini(Agent):
    name, kind, setup, variable, executable = "gemini", "gemini-cli", "gemini", "ANNALS_GEMINI", "gemini"
    events = ("SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool "
              "PreCompress Notification").split()

    def variables(self):
        return dict(GEMINI_API_KEY="x", GOOGLE_GEMINI_BASE_URL=BASE, GEMINI_CLI_TRUST_WORKSPACE="true")

    def settings(self, **more):
        write(self.home + "/.gemini/settings.json", dict({
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "telemetry": {"enabled": False}, "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False}}, **more))

    def prepare(self):
        self.settings()

    def hooks(self, command):
        groups = {event: [{"hooks": [{"type": "command", "command": f"{command} {event}"}]}] for event in self.events}
        self.settings(hooks=groups)

    def prompt(self, text, session=None):
        more = ["--resume", session] if session else []
        return [*self.program(), "--yolo", *more, "-p", text]

    def interactive(self):
        return self.program()

    def transcripts(self):
        return glob.glob(self.home + "/.gemini/tmp/*/chats/**/*.json*", recursive=True)


class Copilot(Agent):
    name, kind, setup, variable, executable = "copilot", "copilot-cli", "copilot", "ANNALS_COPILOT", "copilot"
    events = ("sessionStart sessionEnd userPromptSubmitted preToolUse postToolUse postToolUseFailure errorOccurred agentStop "
              "subagentStart subagentStop preCompact permissionRequest notification").split()

    def variables(self):
        cache = os.environ.get("ANNALS_COPILOT_CACHE")
        return dict(COPILOT_PROVIDER_TYPE="anthropic", COPILOT_PROVIDER_BASE_URL=BASE, COPILOT_PROVIDER_API_KEY="x",
                    COPILOT_MODEL="claude-sonnet-4.5", COPILOT_OFFLINE="true", COPILOT_AUTO_UPDATE="false",
                    GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS="true",
                    **({"XDG_CACHE_HOME": cache} if cache else {}))

    def prepare(self):
        write(self.home + "/.copilot/config.json", {"trustedFolders": [self.project], "trusted_folders": [self.project], "banner": "never"})

    def hooks(self, command):
        write(self.home + "/.copilot/hooks/tap.json", {"version": 1, "hooks": {
            event: [{"type": "command", "bash": f"{command} {event}", "timeoutSec": 30}] for event in self.events}})

    def prompt(self, text, session=None):
        more = [f"--resume={session}"] if session else ["--trust-folder"]
        return [*self.program(), *more, "-p", text, "--allow-all-tools", "--allow-all-paths"]

    def interactive(self):
        return self.program()

    def transcripts(self):
        return glob.glob(self.home + "/.copilot/session-state/*/events.jsonl")


AGENTS = {agent.name: agent for agent in (Claude, Codex, Gemini, Copilot)}


def namespace():
    """The words that start a command without a network, or None where that cannot be done."""
    for words in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        if shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
            return words
    return None


def into_namespace(variable="ANNALS_AGENTS_INSIDE"):
    """Start this script again without a network; says why not where that cannot be done."""
    if os.environ.get(variable):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    words = namespace()
    if not words or not shutil.which("ip"):
        print("skipped: no network namespace can be made here (unshare -n, ip)")
        sys.exit(0)
    sys.exit(subprocess.run([*words, sys.executable, *sys.argv], env=dict(os.environ, **{variable: "1"}), check=False).returncode)


class Model:
    """The scripted model, while a run lasts."""

    def __init__(self, plays, log):
        write(plays[0], plays[1])
        self.process = subprocess.Popen([sys.executable, FAKE, str(PORT), plays[0], log])
        import socket
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the scripted model did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def run(agent, words, log, limit=180, stop=None):
    """Run a command of an agent to its end. `stop` is (file that must appear, signal): how it is interrupted in the middle."""
    with open(log, "ab") as out:
        process = subprocess.Popen(words, cwd=agent.project, env=agent.environment(), stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=out, start_new_session=True)
        try:
            if stop:
                until(stop[0], 60)
                process.send_signal(stop[1])
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "timeout"


def until(condition, limit):
    end = time.time() + limit
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


class Terminal:
    """A terminal on which an agent runs, for what only a person can do: Esc, a "No", /compact."""

    def __init__(self, agent, words, log):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(agent.project)
            os.execvpe(words[0], words, agent.environment())
        self.pid, self.seen, self.log = pid, "", open(log, "ab")
        import fcntl
        import struct
        import termios
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                if not select.select([self.fd], [], [], 1)[0]:
                    continue
                data = os.read(self.fd, 65536)
            except OSError:
                return
            if not data:
                return
            self.log.write(data)
            self.log.flush()
            if b"\x1b[6n" in data:
                self.send("\x1b[1;1R")
            if b"\x1b[c" in data:
                self.send("\x1b[?62c")
            self.seen += re.sub(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9])", "", data.decode("utf-8", "replace"))

    def expect(self, pattern, limit=40):
        found = until(lambda: re.search(pattern, self.seen), limit)
        self.seen = ""
        return found

    def send(self, text):
        try:
            os.write(self.fd, text.encode())
        except OSError:
            pass

    def type(self, text, enter=True):
        self.send(text)
        time.sleep(0.7)
        if enter:
            self.send("\r")

    def close(self, limit=15):
        def gone():
            try:
                return os.waitpid(self.pid, os.WNOHANG)[0] != 0
            except ChildProcessError:
                return True
        if not until(gone, limit):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
