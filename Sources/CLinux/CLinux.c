// SPDX-License-Identifier: MIT
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
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
