// SPDX-License-Identifier: MIT
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <limits.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

int64_t clinux_tcp_bytes_acknowledged(int socket) {
    // Of a multipath connection the kernel tells the figures of its first path alone.
    int protocol = 0;
    socklen_t protocol_size = sizeof protocol;
    if (getsockopt(socket, SOL_SOCKET, SO_PROTOCOL, &protocol, &protocol_size) != 0 || protocol != IPPROTO_TCP) return -1;
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
    if (size < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) return -1;
    return (int64_t)info.tcpi_bytes_acked;
}

int64_t clinux_tcp_bytes_queued(int socket) {
    int bytes = 0;
    return ioctl(socket, SIOCOUTQ, &bytes) == 0 ? bytes : -1;
}

// What link(2) reports on a file system without hard links: FAT, shared folders of virtual machines, and most of FUSE.
static int lacks_links(int code) { return code == EPERM || code == ENOSYS || code == EOPNOTSUPP || code == EINVAL; }

// GNU's mv -n does the same.
int clinux_rename_if_free(int folder, const char *from, const char *to) {
    struct stat status;
    if (fstatat(folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) errno = EEXIST;
    if (errno != ENOENT) return -1;
    return renameat(folder, from, folder, to);
}

int clinux_rename_no_replace(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return lacks_links(errno) ? clinux_rename_if_free(AT_FDCWD, from, to) : -1;
    if (unlink(from) == 0) return 0;
    // With both names, what is written to one would change the other.
    int code = errno;
    unlink(to);
    errno = code;
    return -1;
}

static int write_whole(int descriptor, const char *bytes, int64_t count, int64_t modified, int has_modified) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, (size_t)count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        bytes += written;
        count -= written;
    }
    struct timespec time = {.tv_sec = modified};
    struct timespec times[2] = {time, time};
    if (has_modified) futimens(descriptor, times);
    return 0;
}

// By its descriptor where the kernel allows that without a capability, else through proc.
static int link_nameless(int descriptor, int folder, const char *name) {
    if (linkat(descriptor, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EPERM && errno != EINVAL) return errno;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int clinux_names_contain(int folder, const char *text, int most) {
    int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = descriptor < 0 ? 0 : fdopendir(descriptor);
    if (!entries) {
        if (descriptor >= 0) close(descriptor);
        return 1;
    }
    int found = 0;
    struct dirent *entry;
    while (!found && (entry = readdir(entries))) found = most-- <= 0 || strstr(entry->d_name, text) != 0;
    closedir(entries);
    return found;
}

int clinux_is_untouched(int folder, const char *name, const char *const endings[]) {
    char text[NAME_MAX + 1];
    size_t length = strlen(name);
    for (; *endings; endings++) {
        if (length + strlen(*endings) > NAME_MAX) continue;
        memcpy(text, name, length);
        strcpy(text + length, *endings);
        struct stat status;
        if (fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT) return 0;
    }
    return 1;
}

int clinux_create_whole(int folder, const char *name, const char *temporary, const void *bytes, int64_t count, int64_t modified,
                        int has_modified, int *nameless) {
    if (*nameless) {
        int descriptor = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            int code = write_whole(descriptor, bytes, count, modified, has_modified);
            if (code == 0) code = link_nameless(descriptor, folder, name);
            close(descriptor);
            // Without proc or hard links it gets no name.
            if (code != ENOENT && !lacks_links(code)) return code;
        } else if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT) {
            return errno;
        }
        *nameless = 0;
    }
    int descriptor = openat(folder, temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) return errno;
    int code = write_whole(descriptor, bytes, count, modified, has_modified);
    close(descriptor);
    if (code == 0 && renameat2(folder, temporary, folder, name, RENAME_NOREPLACE) == 0) return 0;
    if (code == 0) code = errno;
    if (code == EINVAL || code == ENOSYS) {
        code = linkat(folder, temporary, folder, name, 0) == 0 ? 0 : errno;
        if (lacks_links(code)) {
            if (clinux_rename_if_free(folder, temporary, name) == 0) return 0;
            code = errno;
        }
        // With both names, what is written to one would change the other.
        if (unlinkat(folder, temporary, 0) == 0 || code != 0) return code;
        code = errno;
        unlinkat(folder, name, 0);
        return code;
    }
    unlinkat(folder, temporary, 0);
    return code;
}

int clinux_create_nameless(int folder, const void *bytes, int64_t count, int64_t modified, int has_modified, uint64_t *device,
                           uint64_t *inode) {
    int descriptor = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    int code = write_whole(descriptor, bytes, count, modified, has_modified);
    struct stat status;
    if (code == 0 && fstat(descriptor, &status) == 0) {
        *device = status.st_dev;
        *inode = status.st_ino;
        return descriptor;
    }
    if (code == 0) code = errno;
    close(descriptor);
    errno = code;
    return -1;
}

int clinux_link_nameless(int descriptor, int folder, const char *name) { return link_nameless(descriptor, folder, name); }

int clinux_has_nameless_files(int folder) {
    int descriptor = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return 0;
    close(descriptor);
    return access("/proc/self/fd", X_OK) == 0;
}

int clinux_raise_descriptor_limit(uint64_t most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
    rlim_t wanted = limit.rlim_max < most ? limit.rlim_max : most;
    if (wanted <= limit.rlim_cur) return 0;
    limit.rlim_cur = wanted;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

int clinux_reserve(int descriptor, int64_t bytes) {
    if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0) return 0;
    return errno;
}

int clinux_release_reserved(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return errno;
    off_t end = status.st_size, stored = 0;
    for (off_t data = lseek(descriptor, 0, SEEK_DATA); data >= 0 && data < end;) {
        off_t hole = lseek(descriptor, data, SEEK_HOLE);
        if (hole < 0 || hole > end) hole = end;
        stored += hole - data;
        data = lseek(descriptor, hole, SEEK_DATA);
    }
    // Without reserved blocks no range is freed: ZFS below 2.2.2 may take bytes just written for a gap.
    if ((int64_t)status.st_blocks * 512 - stored <= 65536) return 0;
    off_t hole = lseek(descriptor, 0, SEEK_HOLE);
    while (hole >= 0 && hole < end) {
        off_t data = lseek(descriptor, hole, SEEK_DATA);
        off_t next = data > hole && data < end ? data : end;
        if (fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, hole, next - hole) != 0) break;
        hole = next < end ? lseek(descriptor, next, SEEK_HOLE) : end;
    }
    // To the same length, which leaves nothing behind it: nothing to do where there is little.
    if ((int64_t)status.st_blocks * 512 - end <= 65536) return 0;
    return ftruncate(descriptor, end) == 0 ? 0 : errno;
}

int64_t clinux_append(int descriptor, const void *bytes, int64_t count, int64_t position) {
    struct iovec piece = {(void *)bytes, (size_t)count};
    ssize_t written = pwritev2(descriptor, &piece, 1, position, RWF_APPEND);
    if (written >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return written;
    return pwrite(descriptor, bytes, (size_t)count, position);
}

int clinux_start_write_out(int descriptor, int64_t position, int64_t count) {
    return sync_file_range(descriptor, position, count, SYNC_FILE_RANGE_WRITE) == 0 ? 0 : errno;
}

int clinux_write_out_error(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE) == 0 ? 0 : errno;
}

int clinux_is_in_memory(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

int clinux_is_local(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    switch ((unsigned long)status.f_type) {
    case EXT4_SUPER_MAGIC: // ext2 and ext3, too
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case RAMFS_MAGIC: return 1;
    default: return 0;
    }
}

int clinux_sync_file_system(int descriptor) { return syncfs(descriptor) == 0 ? 0 : errno; }

void clinux_trim_memory(void) { malloc_trim(0); }

void clinux_return_large_memory(void) {
    mallopt(M_ARENA_MAX, 2);
    // A fixed threshold: it would rise with every large piece that is freed.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

int clinux_flush_output(void) {
    int has_failed = ferror(stdout);
    if (fflush(stdout) != 0) return errno;
    if (!has_failed) return 0;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & POLLERR ? EPIPE : -1;
}

int clinux_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int clinux_spawn_reset_signals(posix_spawnattr_t *attributes, short flags) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int code = posix_spawnattr_setsigdefault(attributes, &all);
    if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
    return code != 0 ? code : posix_spawnattr_setflags(attributes, (short)(flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
}

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

int clinux_join_within(pthread_t thread, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t nanoseconds = until.tv_nsec + (int64_t)(seconds * 1e9);
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    return pthread_timedjoin_np(thread, NULL, &until);
}

short clinux_spawn_new_session(void) { return POSIX_SPAWN_SETSID; }

// From kernel headers newer than the oldest supported ones.
#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#ifndef TCP_IS_MPTCP
#define TCP_IS_MPTCP 43
#endif

int clinux_is_multipath(int socket) {
    int value = 0;
    socklen_t size = sizeof value;
    if (getsockopt(socket, SOL_SOCKET, SO_PROTOCOL, &value, &size) != 0 || value != IPPROTO_MPTCP) return 0;
    size = sizeof value;
    return getsockopt(socket, IPPROTO_TCP, TCP_IS_MPTCP, &value, &size) == 0 && value == 1;
}

static volatile sig_atomic_t crash_descriptor = -1;
static struct sigaction crash_before[NSIG];

// Nothing but what signal-safety(7) allows: other threads may hold any lock.
static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    char text[10] = {'s', 'i', 'g', 'n', 'a', 'l', ' '};
    text[7] = (char)('0' + number / 100 % 10);
    text[8] = (char)('0' + number / 10 % 10);
    text[9] = (char)('0' + number % 10);
    if (pwrite(crash_descriptor, text, sizeof text, 0) < 0) {}
    // It ends the process with the core and the words it would have had without this: a fault comes again when this returns, abort(3)
    // sees to its own end, and what another process sent is sent again, to no handler that might go on.
    int is_sent = info->si_code <= 0 && info->si_pid != getpid();
    struct sigaction end = {.sa_handler = SIG_DFL};
    sigaction(number, is_sent ? &end : &crash_before[number], NULL);
    if (info->si_code <= 0) raise(number);
}

void clinux_note_crashes(int descriptor) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    if (crash_descriptor >= 0) return;
    crash_descriptor = descriptor;
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_SIGINFO};
        sigemptyset(&action.sa_mask);
        sigaction(numbers[index], &action, &crash_before[numbers[index]]);
    }
}
