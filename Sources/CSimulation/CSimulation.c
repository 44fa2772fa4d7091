// SPDX-License-Identifier: MIT
#include "include/CSimulation.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static struct csimulation_hooks hooks;
static int is_installed;
static int watches_files;
static int watches_writes;
static pthread_t thread;

static int is_simulated(void) { return is_installed && pthread_equal(pthread_self(), thread); }

// The function that is replaced.
#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// MARK: libdispatch

void *_Block_copy(const void *block);
void _Block_release(const void *block);
void dispatch_retain(void *object);
void dispatch_release(void *object);
const char *dispatch_queue_get_label(void *queue);

void dispatch_async(void *queue, void *block) {
    NEXT(dispatch_async);
    if (!is_simulated()) return next(queue, block);
    dispatch_retain(queue);
    hooks.enqueue(queue, _Block_copy(block));
}

void dispatch_after(uint64_t time, void *queue, void *block) {
    NEXT(dispatch_after);
    if (!is_simulated()) return next(time, queue, block);
    dispatch_retain(queue);
    hooks.enqueue_at(time, queue, _Block_copy(block));
}

static void run_now(void *queue, void *block);

void dispatch_sync(void *queue, void *block) {
    if (is_simulated()) hooks.drain(queue);
    run_now(queue, block);
}

static void run_now(void *queue, void *block) {
    NEXT(dispatch_sync);
    next(queue, block);
}

uint64_t dispatch_time(uint64_t base, int64_t delta) {
    NEXT(dispatch_time);
    if (!is_simulated() || base != 0) return next(base, delta);
    return hooks.now() + (uint64_t)delta;
}

void csimulation_run(void *queue, void *block) {
    run_now(queue, block);
    csimulation_drop(queue, block);
}

void csimulation_drop(void *queue, void *block) {
    _Block_release(block);
    dispatch_release(queue);
}

const char *csimulation_label(void *queue) {
    const char *label = dispatch_queue_get_label(queue);
    return label ? label : "";
}

// MARK: Swift's concurrency

#define SWIFT __attribute__((swiftcall))
typedef SWIFT void (*enqueue_original)(void *job);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT void swift_job_run(void *job, void *executor, uintptr_t implementation);

static SWIFT void enqueue_global(void *job, enqueue_original original) {
    if (is_simulated()) hooks.enqueue_job(job);
    else original(job);
}

void csimulation_run_job(void *job) { swift_job_run(job, 0, 0); }

// MARK: Files

/// Whether the call is to be made: 0, an errno that was set, or -1.
static int refusal(enum csimulation_call call, int descriptor, const char *path) {
    if (!watches_files || !is_simulated()) return 0;
    watches_files = 0;
    int code = hooks.before(call, descriptor, path ? path : csimulation_path(descriptor));
    watches_files = 1;
    if (code > 0) errno = code;
    return code;
}

static void done(enum csimulation_call call, int descriptor, const char *from, const char *to) {
    if (!watches_files || !is_simulated()) return;
    int code = errno;
    watches_files = 0;
    hooks.after(call, descriptor, from, to);
    watches_files = 1;
    errno = code;
}

// By descriptor: asking the kernel takes longer than most calls.
#define DESCRIPTORS 4096
static char *opened[DESCRIPTORS];
// Those of a process that has ended, until their owners close them.
static char orphans[DESCRIPTORS];

static int known(int descriptor) { return descriptor >= 0 && descriptor < DESCRIPTORS && opened[descriptor]; }

const char *csimulation_path(int descriptor) { return known(descriptor) ? opened[descriptor] : NULL; }

static void forget(int descriptor) {
    if (!is_simulated() || descriptor < 0 || descriptor >= DESCRIPTORS) return;
    orphans[descriptor] = 0;
    free(opened[descriptor]);
    opened[descriptor] = NULL;
}

static void wrote(int descriptor, int64_t at, int64_t count) {
    if (!watches_writes || !watches_files || !is_simulated() || !known(descriptor)) return;
    int code = errno;
    watches_files = 0;
    // Without a place of its own it was that of the descriptor, which is behind the bytes by now.
    hooks.wrote(descriptor, at < 0 ? lseek(descriptor, 0, SEEK_CUR) - count : at, count);
    watches_files = 1;
    errno = code;
}

// The whole path, in `whole` unless it is that already; NULL where the folder's is not known.
static const char *below(int folder, const char *path, char whole[PATH_MAX]) {
    if (path[0] == '/') return path;
    if (!known(folder)) return NULL;
    snprintf(whole, PATH_MAX, "%s/%s", opened[folder], path);
    return whole;
}

static void note(int descriptor, const char *path) {
    if (!is_simulated() || descriptor < 0) return;
    if (descriptor >= DESCRIPTORS) {
        // Its faults, locks and syncs would not be simulated.
        fputs("the simulator has too many open files\n", stderr);
        abort();
    }
    forget(descriptor);
    if (path) opened[descriptor] = strdup(path);
}

void csimulation_release(const char *folder) {
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    size_t length = strlen(folder);
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        if (!known(descriptor) || strncmp(opened[descriptor], folder, length) || opened[descriptor][length] != '/') continue;
        dup2(nowhere, descriptor);
        forget(descriptor);
        orphans[descriptor] = 1;
    }
    close(nowhere);
}

void csimulation_reclaim(void) {
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        if (known(descriptor) || orphans[descriptor]) close(descriptor);
    }
}

int close(int descriptor) {
    NEXT(close);
    forget(descriptor);
    return next(descriptor);
}

// One process at a time has the files: its locks always succeed.
static int is_locked_alone(int descriptor, int command, void *lock) {
    if (!is_simulated() || !known(descriptor)) return 0;
    if (command == F_GETLK) ((struct flock *)lock)->l_type = F_UNLCK;
    return command == F_GETLK || command == F_SETLK;
}

#define FCNTL(name)                                                     \
    NEXT(name);                                                         \
    va_list rest;                                                       \
    va_start(rest, command);                                            \
    void *argument = va_arg(rest, void *);                              \
    va_end(rest);                                                       \
    if (is_locked_alone(descriptor, command, argument)) return 0;       \
    return next(descriptor, command, argument)

int fcntl(int descriptor, int command, ...) { FCNTL(fcntl); }
int fcntl64(int descriptor, int command, ...) { FCNTL(fcntl64); }

#define OPEN(name, folder, path, flags, ...)                                           \
    NEXT(name);                                                                        \
    mode_t mode = 0;                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                             \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode = va_arg(rest, mode_t);                                                   \
        va_end(rest);                                                                  \
    }                                                                                  \
    char buffer[PATH_MAX];                                                             \
    const char *whole = is_simulated() ? below(folder, path, buffer) : NULL;           \
    int creates = ((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE;           \
    if (creates && whole && refusal(csimulation_open, -1, whole) > 0) return -1;       \
    int descriptor = next(__VA_ARGS__, flags, mode);                                   \
    note(descriptor, whole);                                                           \
    if (((flags) & O_TRUNC) && descriptor >= 0) wrote(descriptor, 0, INT64_MAX);       \
    return descriptor

int open(const char *path, int flags, ...) { OPEN(open, -1, path, flags, path); }
int open64(const char *path, int flags, ...) { OPEN(open64, -1, path, flags, path); }
int openat(int folder, const char *path, int flags, ...) { OPEN(openat, folder, path, flags, folder, path); }

#define WRITE(name, at, descriptor, ...)                               \
    NEXT(name);                                                        \
    if (refusal(csimulation_write, descriptor, 0) > 0) return -1;      \
    ssize_t written = next(descriptor, __VA_ARGS__);                   \
    if (written > 0) wrote(descriptor, at, written);                   \
    return written

ssize_t write(int descriptor, const void *bytes, size_t count) { WRITE(write, -1, descriptor, bytes, count); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    WRITE(pwrite, at, descriptor, bytes, count, at);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    WRITE(pwrite64, at, descriptor, bytes, count, at);
}
ssize_t pwritev2(int descriptor, const struct iovec *pieces, int count, off_t at, int flags) {
    WRITE(pwritev2, at, descriptor, pieces, count, at, flags);
}

#define TRUNCATE(name, descriptor, length)                                            \
    NEXT(name);                                                                       \
    int result = next(descriptor, length);                                            \
    if (result == 0) wrote(descriptor, length, INT64_MAX - length);                   \
    return result

int ftruncate(int descriptor, off_t length) { TRUNCATE(ftruncate, descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { TRUNCATE(ftruncate64, descriptor, length); }

#define SYNC(name, call, descriptor)                        \
    NEXT(name);                                             \
    int code = refusal(call, descriptor, 0);                \
    if (code) return code < 0 ? 0 : -1;                     \
    if (!is_simulated() || !watches_files) return next(descriptor); \
    done(call, descriptor, 0, 0);                           \
    return 0

// A simulated disk has nothing to wait for.
int fsync(int descriptor) { SYNC(fsync, csimulation_sync, descriptor); }
int fdatasync(int descriptor) { SYNC(fdatasync, csimulation_sync, descriptor); }
int syncfs(int descriptor) { SYNC(syncfs, csimulation_sync_all, descriptor); }

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (refusal(csimulation_rename, -1, to) > 0) return -1;
    int result = next(from, to);
    if (result == 0) done(csimulation_rename, -1, from, to);
    return result;
}

int renameat2(int old, const char *from, int new, const char *to, unsigned flags) {
    NEXT(renameat2);
    if (refusal(csimulation_rename, -1, to) > 0) return -1;
    int result = next(old, from, new, to, flags);
    if (result == 0) done(csimulation_rename, -1, from, to);
    return result;
}

// Gives a file a name, or another one.
int linkat(int old, const char *from, int new, const char *to, int flags) {
    NEXT(linkat);
    char buffer[PATH_MAX];
    const char *whole = is_simulated() ? below(new, to, buffer) : NULL;
    if (whole && refusal(csimulation_link, -1, whole) > 0) return -1;
    int result = next(old, from, new, to, flags);
    if (result == 0 && whole) done(csimulation_link, -1, from, whole);
    return result;
}

int unlink(const char *path) {
    NEXT(unlink);
    int result = next(path);
    if (result == 0) done(csimulation_unlink, -1, path, 0);
    return result;
}

// MARK: The process

// It is in a file of the journal, whose length must be the same in every process.
pid_t getpid(void) {
    NEXT(getpid);
    return is_simulated() ? 4711 : next();
}

// MARK: Installing

void csimulation_install(struct csimulation_hooks given) {
    // Bodies and buffers of all sizes come and go: they stay in the heap instead of being mapped each time.
    mallopt(M_MMAP_THRESHOLD, 1 << 26);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    hooks = given;
    thread = pthread_self();
    is_installed = 1;
    swift_task_enqueueGlobal_hook = enqueue_global;
}

void csimulation_watch_writes(int watches) { watches_writes = watches; }

int csimulation_watch_files(int watches) {
    int before = watches_files;
    watches_files = watches;
    return before;
}
