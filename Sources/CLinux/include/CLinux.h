// SPDX-License-Identifier: MIT
// Kernel interfaces that Swift's Glibc module does not carry whole.
#ifndef FILEQ_CLINUX_H
#define FILEQ_CLINUX_H

#include <stdint.h>

/// Bytes the peer's kernel has acknowledged on this TCP socket since it was connected; -1 where that cannot be told.
int64_t clinux_tcp_bytes_acknowledged(int socket);

/// 1 where this is a Multipath TCP socket whose peer speaks it too, else 0.
int clinux_is_multipath(int socket);

/// rename(2) that fails with EEXIST where the new name is taken. Falls back to link + unlink on file systems without it.
int clinux_rename_no_replace(const char *from, const char *to);

/// Reserves blocks without changing the file's length. Returns 0 or an errno; EOPNOTSUPP where the file system cannot.
int clinux_reserve(int descriptor, int64_t bytes);

#endif
