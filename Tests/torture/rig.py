# SPDX-License-Identifier: MIT
"""The fault library, the server, and one run of a scenario with its folder and processes."""
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
# GRDB takes a few failures of SQLite for impossible, such as no memory for a collation: nothing that its users can catch.
TRAPS = "Fatal error: 'try!' expression unexpectedly raised an error: SQLite error 7", "GRDB/"
# Sent as a request field and in a query; neither may appear in any output.
SECRETS = "planted-field-secret", "planted-query-secret"


@dataclasses.dataclass(frozen=True)
class Fault:
    """What the library is given. `call` is N or N+, `error` a number or `kill`."""

    call: str
    error: str = "0"
    kinds: str = ""

    def words(self):
        kinds = f" --kinds {self.kinds}" if self.kinds else ""
        return f"--call {self.call} --error {self.error}{kinds}"


@dataclasses.dataclass(frozen=True)
class Call:
    """A line of the library's log."""

    number: int
    kind: str
    name: str
    errors: int
    code: int
    stack: str
    path: str

    @staticmethod
    def all(path):
        if not path.exists():
            return []
        lines = path.read_text(errors="replace").splitlines()
        fields = [line.split("\t") for line in lines]
        return [Call(int(f[0]), f[1], f[2], int(f[3]), int(f[4]), f[5].strip(), f[6]) for f in fields if len(f) == 7]

    @property
    def place(self):
        return self.name, self.stack


@dataclasses.dataclass
class Outcome:
    words: list
    code: int  # negative: a signal
    output: str
    errors: str
    hung: bool = False

    @property
    def succeeded(self):
        return self.code == 0 and not self.hung

    def __str__(self):
        end = "hung" if self.hung else f"signal {-self.code}" if self.code < 0 else f"exit {self.code}"
        return f"fileq {' '.join(self.words)}\n    {end}\n    stdout: {self.output!r}\n    stderr: {self.errors!r}"


class Rig:
    def __init__(self, binary, folder, limit, kinds=""):
        """`kinds`: those that are counted."""
        self.kinds = kinds
        self.binary = os.path.abspath(binary)
        self.folder = pathlib.Path(folder).resolve()
        self.limit = limit
        shutil.rmtree(self.folder, ignore_errors=True)
        self.root = self.folder / "served"
        (self.root / "data").mkdir(parents=True)
        self.library = self.folder / "faults.so"
        subprocess.run(
            [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-ftls-model=initial-exec", "-Wall", "-Wextra",
             "-Werror", "-o", str(self.library), str(HERE / "faults.c"), "-ldl"], check=True)
        self.files = {}
        chance = random.Random(14)
        for name, size in [("a.bin", 4096), ("b.bin", 0), ("c.bin", 20_000), ("large.bin", (3 << 20) + 17),
                           ("wide.bin", (9 << 20) + 5)]:
            self.files[name] = chance.randbytes(size)
            path = self.root / "data" / name
            path.write_bytes(self.files[name])
            # A validator is strong once it is old.
            os.utime(path, (1_700_000_000, 1_700_000_000))
        self.source = self.folder / "source"
        shutil.copytree(self.root / "data", self.source)
        self.field = self.folder / "field"
        self.field.write_text(f"X-Secret: {SECRETS[0]}\n")
        self.field.chmod(0o600)
        table = subprocess.run([self.binary, "help", "exit-codes"], capture_output=True, text=True, check=True).stdout
        self.codes = {int(line.split()[0]) for line in table.splitlines()}
        self.servers = []
        self.origin = self.serve("server", self.root)
        # Connections of it are worth dividing. A folder has one server.
        slow = self.folder / "served-slowly"
        shutil.copytree(self.root, slow)
        self.slow_origin = self.serve("slow", slow, "--rate", "2M")
        self.count = 0
        self.lock = threading.Lock()

    def serve(self, name, root, *options):
        home = self.folder / name
        home.mkdir()
        server = subprocess.Popen(
            [self.binary, "serve", str(root), "--port", "0", *options], stdout=subprocess.PIPE,
            stderr=open(home / "log", "wb"), stdin=subprocess.DEVNULL, text=True, env=environment(home))
        self.servers.append(server)
        line = re.fullmatch(r"listening on (\S+)\n", server.stdout.readline())
        if not line:
            self.close()
            raise RuntimeError(f"the server does not start: {(home / 'log').read_text()}")
        return line.group(1)

    def close(self):
        for server in self.servers:
            server.terminate()
        for server in self.servers:
            server.wait()

    def run(self, scenario, fault):
        """Plays `scenario` once. `fault`: None counts the calls."""
        with self.lock:
            self.count += 1
            number = self.count
        run = Run(self, number, fault)
        try:
            scenario(run)
        except Stop:
            pass
        except Exception as error:  # A scenario that cannot continue is a finding, too.
            run.violate(f"the scenario broke: {error!r}")
        finally:
            run.end()
        return run


def environment(home):
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(home), "TMPDIR": str(home),
        "FILEQ_HOME": str(home / "state"), "LANG": "C.UTF-8",
        # The handler of crashes stops all threads, also one that loads a library, and then makes calls that are looked up.
        "SWIFT_BACKTRACE": "enable=no",
    }


class Stop(Exception):
    """Nothing more can be learned from this run."""


class Run:
    def __init__(self, rig, number, fault):
        self.rig, self.number, self.fault = rig, number, fault
        self.folder = rig.folder / "runs" / str(number)
        self.out, self.home = self.folder / "out", self.folder / "home"
        self.out.mkdir(parents=True)
        self.home.mkdir()
        self.inbox = rig.root / "in" / str(number)
        self.log = self.folder / "calls"
        self.violations, self.outcomes, self.running = [], [], []
        self.has_trapped = False
        # The calls of the log, at the end.
        self.calls = []

    def violate(self, words):
        self.violations.append(words)

    def expect(self, holds, words):
        if not holds:
            self.violate(words)
        return holds

    # Addresses and files

    def url(self, name, is_slow=False):
        return f"{self.rig.slow_origin if is_slow else self.rig.origin}/data/{name}?token={SECRETS[1]}"

    @property
    def target(self):
        return f"{self.rig.origin}/in/{self.number}/"

    def source(self, name):
        return str(self.rig.source / name)

    # Processes

    def start(self, *words, faulty=False, fault_in=None, fault=None, stdin=None):
        number = len(self.running)
        surroundings = environment(self.home)
        if faulty:
            surroundings |= {
                "LD_PRELOAD": str(self.rig.library), "FAULT_LOG": str(self.log), "FAULT_IN": fault_in or words[0]}
            if fault := fault or self.fault:
                surroundings |= {"FAULT_CALL": fault.call, "FAULT_ERROR": fault.error}
            if kinds := fault.kinds if fault else self.rig.kinds:
                surroundings["FAULT_KINDS"] = kinds
        output, errors = self.folder / f"{number}.out", self.folder / f"{number}.err"
        with open(stdin or os.devnull, "rb") as given, open(output, "wb") as out, open(errors, "wb") as err:
            process = subprocess.Popen(
                [self.rig.binary, *words], stdin=given, stdout=out, stderr=err, env=surroundings, cwd=self.out)
        started = Started(self, list(words), process, output, errors)
        self.running.append(started)
        return started

    def fileq(self, *words, **options):
        return self.start(*words, **options).wait()

    def faulty(self, *words, **options):
        """The process with the fault, to its end, with the checks that apply to each."""
        outcome = self.fileq(*words, faulty=True, **options)
        self.check(outcome)
        return outcome

    @property
    def is_kill(self):
        return self.fault is not None and self.fault.error == "kill"

    def check(self, outcome):
        if not self.expect(not outcome.hung, f"did not end within {self.rig.limit:.0f} s"):
            return
        if outcome.code < 0:
            if all(words in outcome.errors for words in TRAPS):
                self.has_trapped = True
            elif not (self.is_kill and outcome.code == -signal.SIGKILL):
                self.violate(f"ended by signal {-outcome.code}")
            return
        self.expect(outcome.code in self.rig.codes, f"exit code {outcome.code} is not documented")
        if outcome.code != 0:
            self.expect(outcome.errors.strip(), f"exit code {outcome.code} without a message")

    # Results

    def compare(self, folder, names, whole):
        """No final name has wrong bytes; with `whole`, all names are there and nothing else."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = folder / name
            if not path.exists():
                self.expect(not whole, f"{name} is missing")
            elif path.read_bytes() != self.rig.files[name]:
                self.violate(f"{name} has wrong bytes: {path.stat().st_size} of {len(self.rig.files[name])}")
        if whole:
            left = sorted({path.name for path in folder.iterdir()} - set(names))
            removes = any(call.name.startswith("unlink") for call in Call.all(self.log)) if self.fault else False
            if self.is_kill:
                # What an earlier run has stored may be another version's.
                left = [name for name in left if ".fileq-part" not in name]
            self.expect(not left or removes, f"left behind: {', '.join(left)}")

    def end(self):
        for started in self.running:
            if started.process.poll() is None:
                started.process.kill()
                started.process.wait()
        self.kill_service()
        texts = [(path.name, path.read_bytes()) for path in self.folder.glob("*.out")]
        texts += [(path.name, path.read_bytes()) for path in self.folder.glob("*.err")]
        log = self.home / "state" / "service.log"
        if log.exists():
            texts.append((log.name, log.read_bytes()))
        for name, text in texts:
            for secret in SECRETS:
                # `list --json` is for programs, and gives the URL as it was added.
                self.expect(secret.encode() not in text, f"{name} has a secret: {secret}")
        self.calls = Call.all(self.log)
        if not self.violations:
            shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.inbox, ignore_errors=True)

    def kill_service(self):
        """A service that a command has started is no child: its lock names it."""
        lock = self.home / "state" / "service.lock"
        words = lock.read_text().split() if lock.exists() else []
        if not words or not words[0].isdigit():
            return
        pid = int(words[0])
        try:
            line = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            if f"FILEQ_HOME={self.home}/state".encode() in line:
                os.kill(pid, signal.SIGKILL)
                eventually(lambda: not os.path.exists(f"/proc/{pid}/fd/0"), 5)
        except OSError:
            pass

    def transfers(self):
        """The queue and its history, or None where the service does not reply."""
        found = {}
        outcome = self.fileq("list", "--json")
        if not outcome.succeeded:
            return None
        for line in outcome.output.splitlines():
            transfer = json.loads(line)
            found[transfer["id"]] = transfer["state"]
        return found


class Started:
    def __init__(self, run, words, process, output, errors):
        self.run, self.words, self.process, self.output, self.errors = run, words, process, output, errors

    @property
    def has_ended(self):
        return self.process.poll() is not None

    def wait(self, limit=None):
        hung = False
        try:
            self.process.wait(limit or self.run.rig.limit)
        except subprocess.TimeoutExpired:
            hung = True
            self.process.kill()
            self.process.wait()
        outcome = Outcome(
            self.words, self.process.returncode, self.output.read_text(errors="replace"),
            self.errors.read_text(errors="replace"), hung)
        self.run.outcomes.append(outcome)
        return outcome


def eventually(condition, limit, pause=0.02):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True
