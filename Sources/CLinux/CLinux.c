// SPDX-License-Identifier: MIT
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
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

int clinux_rename_no_replace(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return -1;
    return unlink(from);
}

int clinux_reserve(int descriptor, int64_t bytes) {
    if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0) return 0;
    return errno;
}

int clinux_sync_file_system(int descriptor) { return syncfs(descriptor) == 0 ? 0 : errno; }

void clinux_trim_memory(void) { malloc_trim(0); }

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
