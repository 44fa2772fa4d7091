# SPDX-License-Identifier: MIT
"""Runs one command after the other for `processes.py`, and reports what each took.

A process of its own because Linux counts what the starting process occupies into the peak memory of what it starts
(the maximum outlives exec), so it has to stay small: few modules, no data.

A line in: the log for standard error, the time limit in s, the command's words, separated by NUL.
A line out: wall s, CPU s, peak bytes, and the exit code, -N after signal N.
"""

import os
import signal
import sys
import time

running = None


def kill(*_):
    if running:
        os.kill(running, signal.SIGKILL)


def end(*_):
    kill()
    os._exit(1)


def measure(log, limit, *argv):
    global running
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
               (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    # A signal between the start and the registration of the process would leak it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    begin = time.perf_counter()
    running = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions, setsigmask=mask,
                             setsigdef=(signal.SIGPIPE, signal.SIGINT, signal.SIGHUP))
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    signal.alarm(int(limit))
    _, status, usage = os.wait4(running, 0)
    wall = time.perf_counter() - begin
    running = None
    signal.alarm(0)
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, code


# Ctrl-C reaches every process of the terminal; the parent handles it, with SIGTERM to this one.
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGALRM, kill)
for line in sys.stdin:
    print(*measure(*line.rstrip("\n").split("\0")), flush=True)
