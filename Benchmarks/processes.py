# SPDX-License-Identifier: MIT
"""Starting, measuring and ending processes."""

import collections
import os
import signal
import sys
import time

# Seconds of wall time, seconds of user and system time together, bytes of the largest resident set.
Sample = collections.namedtuple("Sample", "wall cpu rss")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST_RUN = 900


class Failure(Exception):
    """Why something could not be measured, for the user."""


class Interrupted(BaseException):
    def __init__(self, number):
        super().__init__(number)
        self.number = number

    @classmethod
    def throw(cls, number, _):
        """A signal handler: every terminating signal cleans up like Ctrl-C."""
        raise cls(number)


def run_to_end(program, body):
    """Calls `body` with a function that registers clean-up steps; runs them in reverse order, however the measurement ends.

    Returns `body`'s result, or the exit code of a failure or of the signal that interrupted."""
    undoing = []
    for number in ENDING:
        # nohup ignores SIGHUP; that does not change.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, Interrupted.throw)
    try:
        return body(undoing.append)
    except Failure as failure:
        say(f"{program}: {failure}")
        return 1
    except Interrupted as interruption:
        say("\ninterrupted; nothing was written")
        return 128 + interruption.number
    finally:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
        for undo in reversed(undoing):
            undo()


class Processes:
    """Owns every process that the benchmark starts; `stop_all` leaves none behind."""

    def __init__(self, work):
        self.work = work
        self.running = set()
        # Without settings, proxies and netrc: both programs start from defaults.
        home = os.path.join(work, "home")
        os.mkdir(home)
        self.environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "FILEQ_HOME": home,
                            "TMPDIR": work, "LANG": "C.UTF-8"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        self._start_stopwatch()

    def start(self, argv, output=os.devnull):
        """Starts without waiting; standard error goes to the file that `complaint` reads."""
        write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        return self._spawn(argv, [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                                  (os.POSIX_SPAWN_OPEN, 1, output, write, 0o600),
                                  (os.POSIX_SPAWN_OPEN, 2, self._errors(argv), write, 0o600)])

    def measure(self, argv):
        """Runs to the end, which must be a success."""
        try:
            self.orders.write("\0".join([self._errors(argv), str(LONGEST_RUN)] + argv) + "\n")
            self.orders.flush()
            answer = self.times.readline().split()
        except BrokenPipeError:
            answer = None
        if not answer:
            raise Failure(f"{argv[0]} cannot be measured: {self.complaint([sys.executable])}")
        wall, cpu, rss, code = float(answer[0]), float(answer[1]), int(answer[2]), int(answer[3])
        if wall >= LONGEST_RUN:
            raise Failure(f"{os.path.basename(argv[0])} took longer than {LONGEST_RUN} s")
        if code != 0:
            raise Failure(f"{os.path.basename(argv[0])} ended with {code}: {self.complaint(argv)}")
        return Sample(wall, cpu, rss)

    def output(self, argv):
        """Standard output of a short command that must succeed."""
        path = os.path.join(self.work, "output")
        pid = self.start(argv, output=path)
        _, status = os.waitpid(pid, 0)
        self.running.discard(pid)
        if status != 0:
            raise Failure(f"{' '.join(argv[:2])} failed: {self.complaint(argv)}")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def complaint(self, argv):
        with open(self._errors(argv), encoding="utf-8", errors="replace") as file:
            return file.read(2000).strip() or "it said nothing"

    def has_ended(self, pid):
        try:
            ended = os.waitpid(pid, os.WNOHANG)[0] == pid
        except ChildProcessError:
            ended = True
        if ended:
            self.running.discard(pid)
        return ended

    def stop(self, pid):
        """Ends one, and returns when it has ended."""
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        self.running.discard(pid)

    def stop_all(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in list(self.running):
                if not self.has_ended(pid):
                    os.kill(pid, number)
            deadline = time.monotonic() + 5
            while any([not self.has_ended(pid) for pid in list(self.running)]) and time.monotonic() < deadline:
                time.sleep(0.01)

    def _start_stopwatch(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stopwatch.py")
        argv = [sys.executable, "-I", "-S", "-B", script]
        orders, times = os.pipe(), os.pipe()
        write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self._spawn(argv, [(os.POSIX_SPAWN_DUP2, orders[0], 0), (os.POSIX_SPAWN_DUP2, times[1], 1),
                           (os.POSIX_SPAWN_OPEN, 2, self._errors(argv), write, 0o600)])
        os.close(orders[0])
        os.close(times[1])
        self.orders, self.times = os.fdopen(orders[1], "w"), os.fdopen(times[0])

    def _spawn(self, argv, actions):
        # A signal between the start and the registration of the process would leak it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            pid = os.posix_spawn(argv[0], argv, self.environment, file_actions=actions,
                                 setsigmask=mask, setsigdef=(signal.SIGPIPE,))
            self.running.add(pid)
        except OSError as error:
            raise Failure(f"{argv[0]}: {error.strerror}") from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return pid

    def _errors(self, argv):
        return os.path.join(self.work, "errors-" + os.path.basename(argv[0]))


def say(*words, end="\n"):
    print(*words, end=end, file=sys.stderr, flush=True)
