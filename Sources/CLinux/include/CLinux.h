// SPDX-License-Identifier: MIT
// Kernel interfaces that Swift's Glibc module does not carry whole.
#ifndef FILEQ_CLINUX_H
#define FILEQ_CLINUX_H

#include <spawn.h>
#include <stdint.h>

#include "CNetlink.h"

/// Bytes the peer's kernel has acknowledged on this TCP socket since it was connected; -1 where that cannot be told.
int64_t clinux_tcp_bytes_acknowledged(int socket);

/// Bytes this TCP socket was given that the peer's kernel has not acknowledged; -1 where that cannot be told.
int64_t clinux_tcp_bytes_queued(int socket);

/// 1 where this is a Multipath TCP socket whose peer speaks it too, else 0.
int clinux_is_multipath(int socket);

/// rename(2) that fails with EEXIST where the new name is taken. Falls back to link + unlink on file systems without it.
int clinux_rename_no_replace(const char *from, const char *to);

/// Reserves blocks without changing the file's length. Returns 0 or an errno; EOPNOTSUPP where the file system cannot.
int clinux_reserve(int descriptor, int64_t bytes);

/// syncfs(2): everything of the file system that `descriptor` is on. Returns 0 or an errno.
int clinux_sync_file_system(int descriptor);

/// Gives memory that was freed back to the system, as far as malloc can.
void clinux_trim_memory(void);

/// pipe2(2) with O_CLOEXEC: reading end, writing end. Returns 0 or -1 with errno.
int clinux_pipe(int descriptors[2]);

/// Has the child of a spawn begin with no signal ignored or blocked, whatever this process does with them. `flags` are further ones of
/// posix_spawnattr_setflags(3). Returns 0 or an errno.
int clinux_spawn_reset_signals(posix_spawnattr_t *attributes, short flags);

/// Has the child of a spawn begin without any descriptor from `from` on. Returns 0 or an errno.
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int from);

/// The flag of `posix_spawnattr_setflags` by which the child begins in a session of its own, away from any terminal.
short clinux_spawn_new_session(void);

#endif
