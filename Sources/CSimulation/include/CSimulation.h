// SPDX-License-Identifier: MIT
// Replaces, in the program that links it, the functions of libdispatch, of Swift's concurrency and of libc by which code would leave
// its thread, its clock or its disk. Until csimulation_install is called, each calls the function that it replaces.
#ifndef FILEQ_CSIMULATION_H
#define FILEQ_CSIMULATION_H

#include <stdint.h>

/// Calls on files that a simulated disk may refuse, or has to know of.
enum csimulation_call {
    csimulation_open,
    csimulation_write,
    csimulation_sync,
    csimulation_sync_all,
    csimulation_rename,
    csimulation_link,
    csimulation_unlink,
};

/// All calls come on the thread that called csimulation_install; other threads are left alone.
struct csimulation_hooks {
    /// dispatch_async: both are retained, until csimulation_run or csimulation_drop.
    void (*enqueue)(void *queue, void *block);
    /// dispatch_after, in nanoseconds of the virtual clock.
    void (*enqueue_at)(uint64_t time, void *queue, void *block);
    /// dispatch_sync waits for what was enqueued before.
    void (*drain)(void *queue);
    /// A job of Swift's global executor.
    void (*enqueue_job)(void *job);
    /// Nanoseconds of the virtual clock.
    uint64_t (*now)(void);
    /// Before a call: 0 lets it happen, an errno refuses it; -1 skips it and reports success.
    int (*before)(enum csimulation_call call, int descriptor, const char *path);
    /// After a call that succeeded.
    void (*after)(enum csimulation_call call, int descriptor, const char *from, const char *to);
    /// Bytes of a file were written or cut off, while that is watched.
    void (*wrote)(int descriptor, int64_t at, int64_t count);
};

/// Once in a process.
void csimulation_install(struct csimulation_hooks hooks);

/// Whether `before` and `after` are called. Returns whether they were.
int csimulation_watch_files(int watches);

/// Whether `wrote` is called.
void csimulation_watch_writes(int watches);

/// Under which path the descriptor was opened; NULL if that is not known.
const char *csimulation_path(int descriptor);
/// Lets all descriptors that were opened below a folder lead to /dev/null. Their numbers stay in use until their owners close them.
void csimulation_release(const char *folder);
/// Closes all descriptors that are open still, once nothing is left that could: tasks that never continue are never freed.
void csimulation_reclaim(void);

/// Runs a block as dispatch_sync does, and releases both.
void csimulation_run(void *queue, void *block);
void csimulation_drop(void *queue, void *block);
void csimulation_run_job(void *job);
const char *csimulation_label(void *queue);

#endif
