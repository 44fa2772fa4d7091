// SPDX-License-Identifier: MIT
// Kernel interfaces that Swift's Glibc module does not carry whole.
#ifndef FILEQ_CLINUX_H
#define FILEQ_CLINUX_H

#include <pthread.h>
#include <spawn.h>
#include <stdint.h>

#include "CEpoll.h"
#include "CLibrary.h"
#include "CNetlink.h"
#include "CQRCode.h"

/// Bytes the peer's kernel has acknowledged on this TCP socket since it was connected; -1 where that cannot be told.
int64_t clinux_tcp_bytes_acknowledged(int socket);

/// Bytes this TCP socket was given that the peer's kernel has not acknowledged; -1 where that cannot be told.
int64_t clinux_tcp_bytes_queued(int socket);

/// 1 where this is a Multipath TCP socket whose peer speaks it too, else 0.
int clinux_is_multipath(int socket);

/// rename(2) that fails with EEXIST where the new name is taken. Falls back to link + unlink on file systems without it, and to
/// ``clinux_rename_if_free`` where these have no hard links either.
int clinux_rename_no_replace(const char *from, const char *to);

/// Checks that no file of a folder has the new name (EEXIST), then renames. Another program may take the name between the two.
int clinux_rename_if_free(int folder, const char *from, const char *to);

/// 1 if a folder has no entry `name` followed by any of these endings, the last of which is a null pointer; else 0, also if that is not
/// known. Names that are too long do not exist.
int clinux_is_untouched(int folder, const char *name, const char *const endings[]);

/// 0 if a folder has at most so many entries and none of their names contains `text`; else 1, also if that is not known.
int clinux_names_contain(int folder, const char *text, int most);

/// Creates the file `name` of a folder with its whole content; another file of that name stays, whatever happens (EEXIST). Nothing is left
/// of it where that fails. The file has no name until it is whole; where the file system cannot do that, it is written as `temporary` first,
/// which must be free, and `nameless` becomes 0. `modified`: seconds since 1970, if `has_modified`. Returns 0 or an errno.
int clinux_create_whole(int folder, const char *name, const char *temporary, const void *bytes, int64_t count, int64_t modified,
                        int has_modified, int *nameless);

/// Creates a file without a name in a folder, with its whole content; see ``clinux_create_whole``. Returns a descriptor, or -1 with errno.
int clinux_create_nameless(int folder, const void *bytes, int64_t count, int64_t modified, int has_modified, uint64_t *device,
                           uint64_t *inode);

/// Gives a file its name; another file of that name stays (EEXIST). Returns 0 or an errno.
int clinux_link_nameless(int descriptor, int folder, const char *name);

/// 1 where files without a name can be created in a folder and get one; else 0.
int clinux_has_nameless_files(int folder);

/// Raises the number of descriptors that this process may have open to `most`, or as near as is allowed. Returns 0 or an errno.
int clinux_raise_descriptor_limit(uint64_t most);

/// Reserves blocks without changing the file's length. Returns 0 or an errno; EOPNOTSUPP where the file system cannot.
int clinux_reserve(int descriptor, int64_t bytes);

/// Gives back blocks that were reserved and not written, behind the last byte and in holes. Neither length nor bytes
/// change. Not while the file is being written. Returns 0 or an errno.
int clinux_release_reserved(int descriptor);

/// Appends to a regular file: behind its last byte, wherever that is now. Falls back to pwrite(2) at `position` where the kernel or the file
/// system cannot. Returns the number of bytes written or -1 with errno.
int64_t clinux_append(int descriptor, const void *bytes, int64_t count, int64_t position);

/// sync_file_range(2): starts writing this range of a file to the disk without waiting for the end of it. Returns 0 or an errno.
int clinux_start_write_out(int descriptor, int64_t position, int64_t count);

/// Waits for writes to the disk that are under way, without beginning any or flushing the disk's cache: 0, or the errno of bytes that could
/// not be written since the descriptor was opened, or since this was last reported to it; as fsync(2), it reports them once.
int clinux_write_out_error(int descriptor);

/// 1 where the file system of this descriptor has no disk (tmpfs, ramfs): syncing does nothing there. Else 0.
int clinux_is_in_memory(int descriptor);

/// 1 where the file system of this descriptor is known to be on a disk or in the memory of this machine. Else 0, as for
/// network file systems and FUSE.
int clinux_is_local(int descriptor);

/// syncfs(2): everything of the file system that `descriptor` is on. Returns 0 or an errno.
int clinux_sync_file_system(int descriptor);

/// Gives memory that was freed back to the system, as far as malloc can.
void clinux_trim_memory(void);

/// For a process that lives long: what malloc hands out in large pieces goes back to the system with free(3), and threads share two arenas
/// (mallopt(3)). Early: arenas that exist stay.
void clinux_return_large_memory(void);

/// Writes what is buffered for standard output. Returns 0 or an errno, of a failed write before as well: EPIPE where nothing reads it any more, -1
/// where the cause is not known.
int clinux_flush_output(void);

/// pipe2(2) with O_CLOEXEC: reading end, writing end. Returns 0 or -1 with errno.
int clinux_pipe(int descriptors[2]);

/// Has the child of a spawn begin with no signal ignored or blocked, whatever this process does with them. `flags` are further ones of
/// posix_spawnattr_setflags(3). Returns 0 or an errno.
int clinux_spawn_reset_signals(posix_spawnattr_t *attributes, short flags);

/// Has the child of a spawn begin without any descriptor from `from` on. Returns 0 or an errno.
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int from);

/// pthread_join(3), for at most so many seconds. Returns 0, or an errno: ETIMEDOUT where the thread still runs.
int clinux_join_within(pthread_t thread, double seconds);

/// Has the signals by which a process crashes (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT) write `signal NNN`, 10 bytes, at the
/// beginning of the file first; then the process ends by them as before. Once in a process; the descriptor stays open.
void clinux_note_crashes(int descriptor);

/// The flag of `posix_spawnattr_setflags` by which the child begins in a session of its own, away from any terminal.
short clinux_spawn_new_session(void);

#endif
