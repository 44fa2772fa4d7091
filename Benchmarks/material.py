# SPDX-License-Identifier: MIT
"""The transferred files: their folders, their content, and its verification."""

import hashlib
import os
import shutil
import tempfile

from processes import Failure

MIB = 1 << 20
SMALL_SIZE = 4096


class Material:
    """A fresh folder with what the clients read and write, and one folder for each server (`fileq serve` wants its
    own) in which the same files are hard links: large.bin, both to download and to upload, and small/NNNNN."""

    def __init__(self, size, files, copies=1, uploads=False):
        self.size, self.files = size, files
        # A large file and its copies, the small ones and theirs, and a margin.
        self.work, self.where = choose_folder((1 + copies) * size + (3 if uploads else 2) * files * SMALL_SIZE + 128 * MIB)
        self.large = self.path("large.bin")
        self.small = self.path("small")
        self.received = self.path("received.bin")
        self.uploaded = set()
        self.upload_folders = set()
        self.collected = self.path("collected")
        self.disk = self.on_disk = None

    def use_disk(self, parent):
        """Creates a folder below `parent` for files on a disk."""
        if file_system(parent) in ("tmpfs", "ramfs"):
            raise Failure(f"{parent} is not a disk; --disk names a folder on one")
        self.disk = tempfile.mkdtemp(prefix="fileq-bench-", dir=parent)
        self.on_disk = os.path.join(self.disk, "received.bin")

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def create(self):
        os.mkdir(self.small)
        if self.size:
            with open(self.large, "wb", buffering=0) as file:
                for begin in range(0, self.size, MIB):
                    file.write(os.urandom(min(MIB, self.size - begin)))
        for number in range(self.files):
            with open(os.path.join(self.small, f"{number:05}"), "wb") as file:
                file.write(os.urandom(SMALL_SIZE))

    def create_root(self, name):
        """A server's folder; what arrives there as uploaded.bin and in up is removed by `clear`."""
        root = self.path(name)
        os.makedirs(os.path.join(root, "small"))
        open(os.path.join(root, "empty"), "wb").close()
        if self.size:
            os.link(self.large, os.path.join(root, "large.bin"))
        for number in range(self.files):
            os.link(os.path.join(self.small, f"{number:05}"), os.path.join(root, "small", f"{number:05}"))
        self.uploaded.add(os.path.join(root, "uploaded.bin"))
        self.upload_folders.add(os.path.join(root, "up"))
        return root

    def remove_root(self, root):
        self.uploaded.discard(os.path.join(root, "uploaded.bin"))
        self.upload_folders.discard(os.path.join(root, "up"))
        shutil.rmtree(root)

    def large_digest(self):
        """SHA-256 of the large file, in hexadecimal."""
        digest = hashlib.sha256()
        with open(self.large, "rb", buffering=0) as file:
            while piece := file.read(MIB):
                digest.update(piece)
        return digest.hexdigest()

    def write_lists(self, base, name):
        """The same transfers as options of each client; the paths of a list for fileq and one for curl."""
        for_fileq, for_curl = self.path(f"list-{name}.txt"), self.path(f"list-{name}.curl")
        with open(for_fileq, "w", encoding="utf-8") as urls, open(for_curl, "w", encoding="utf-8") as pairs:
            for number in range(self.files):
                url = f"{base}/small/{number:05}"
                urls.write(url + "\n")
                pairs.write(f'url = "{url}"\noutput = "{self.collected}/{number:05}"\n')
        return for_fileq, for_curl

    def write_upload_lists(self, base, name):
        """As `write_lists`, of all small files to the server's folder up."""
        for_fileq, for_curl = self.path(f"uploads-{name}.txt"), self.path(f"uploads-{name}.curl")
        with open(for_fileq, "w", encoding="utf-8") as paths, open(for_curl, "w", encoding="utf-8") as pairs:
            for number in range(self.files):
                path = os.path.join(self.small, f"{number:05}")
                paths.write(path + "\n")
                pairs.write(f'upload-file = "{path}"\nurl = "{base}/up/{number:05}"\n')
        return for_fileq, for_curl

    def clear(self):
        """Removes a client's output, so that the next one writes new files."""
        for path in filter(None, (self.received, self.on_disk, *self.uploaded)):
            if os.path.exists(path):
                os.unlink(path)
        for folder in (self.collected, *self.upload_folders):
            if os.path.isdir(folder):
                shutil.rmtree(folder)
            os.mkdir(folder)

    def check_large(self, path):
        if not os.path.isfile(path) or os.path.getsize(path) != self.size:
            raise Failure(f"{os.path.basename(path)} is not there, or not {self.size} bytes long")
        with open(self.large, "rb", buffering=0) as one, open(path, "rb", buffering=0) as other:
            for begin in range(0, self.size, MIB):
                if one.read(MIB) != other.read(MIB):
                    raise Failure(f"{os.path.basename(path)} differs in the MiB at {begin}")

    def check_small(self, folder=None):
        folder = folder or self.collected
        names = sorted(os.listdir(folder))
        if len(names) != self.files:
            raise Failure(f"{len(names)} files arrived instead of {self.files}")
        for name in names:
            with open(os.path.join(folder, name), "rb") as one:
                with open(os.path.join(self.small, name), "rb") as other:
                    if one.read() != other.read():
                        raise Failure(f"the small file {name} differs")

    def remove(self):
        shutil.rmtree(self.work, ignore_errors=True)
        if self.disk:
            shutil.rmtree(self.disk, ignore_errors=True)


def file_system(path):
    """The type of the file system that a folder is on."""
    best, kind = "", "?"
    with open("/proc/mounts", encoding="utf-8") as file:
        for line in file:
            _, where, found = line.split()[:3]
            if len(where) >= len(best) and os.path.commonpath([where, os.path.realpath(path)]) == where:
                best, kind = where, found
    return kind


def choose_folder(needed):
    """A new folder with space for `needed` bytes, and its description; in memory if there is space."""
    temporary = os.environ.get("TMPDIR") or "/tmp"
    for parent, where in (("/dev/shm", "in memory (/dev/shm)"),
                          (temporary, "in the temporary folder; where that is a disk, its speed is in the figures")):
        if not os.access(parent, os.W_OK):
            continue
        status = os.statvfs(parent)
        room = status.f_bavail * status.f_frsize
        if parent == "/dev/shm":
            room = min(room, available_memory() - 512 * MIB)
        if room >= needed:
            work = os.path.join(os.path.realpath(parent), f"fileq-bench-{os.getpid()}-{os.urandom(4).hex()}")
            os.mkdir(work, 0o700)
            return work, where
    raise Failure(f"neither /dev/shm nor {temporary} has space for {needed // MIB} MiB; --size makes it less")


def available_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0
