// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that counts the fallible calls which the program, libcurl and SQLite make, and lets one fail.
//
// | variable | content |
// |---|---|
// | FAULT_CALL | N: the Nth call fails; N+: so do all later ones; absent or 0: none, calls are counted |
// | FAULT_ERROR | which of the errors of that call, from 0; `kill` ends the process there with SIGKILL. What no program survives, to
//   see that it is found: `abort`, `hang`, and `lie`, a success after which the last byte of the file is another one |
// | FAULT_KINDS | the kinds that count, separated by commas; absent: all |
// | FAULT_IN | the first argument of the processes that count, such as `service`; absent: all processes |
// | FAULT_LOG | a file to which one line for each failed call is appended, or without FAULT_CALL for each call |
//
// A line of the log has the number, kind, name and number of errors of the call, its error, its stack, and its path or descriptor,
// separated by tabs.
//
// Calls of other libraries do not count, nor do calls on pipes, event descriptors and standard error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

// Instead of an errno: half of the bytes; a success with wrong bytes.
#define SHORT (-1)
#define LIE (-2)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static struct {
    const char *name;
    uintptr_t base, from, to;
} modules[] = {{.name = "fileq"}, {.name = "libcurl.so"}, {.name = "libsqlite3.so"}};
enum { MODULES = sizeof modules / sizeof *modules };

static int is_active, is_sticky, log_file = -1;
// In place of an error: SIGKILL, SIGABRT, or another letter of FAULT_ERROR.
static char special;
static long faulty;
static unsigned variant;
static char kinds[256];
static atomic_long calls;
// An own call of this library, which passes.
static __thread int is_inside;

// MARK: Where and which

static int module_of(uintptr_t address) {
    for (int index = 0; index < MODULES; index++)
        if (address >= modules[index].from && address < modules[index].to) return index;
    return -1;
}

static int is_wanted(const char *kind) {
    if (!*kinds) return 1;
    size_t length = strlen(kind);
    for (const char *at = kinds; (at = strstr(at, kind)); at += length)
        if ((at == kinds || at[-1] == ',') && (at[length] == ',' || !at[length])) return 1;
    return 0;
}

/// Regular files and folders, and sockets where `sockets`; never standard error.
static int is_wanted_file(int descriptor, int sockets) {
    struct stat status;
    if (!is_active || is_inside || descriptor == 2) return 0;
    if (syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) != 0) return 0;
    return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || (sockets && S_ISSOCK(status.st_mode));
}

static int is_socket(int descriptor) {
    struct stat status;
    return syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) == 0 && S_ISSOCK(status.st_mode);
}

static void note(long number, const char *kind, const char *call, int errors, int code, const char *path, int descriptor) {
    void *frames[24];
    char line[4096];
    int count = backtrace(frames, 24);
    int used = snprintf(line, sizeof line, "%ld\t%s\t%s\t%d\t%d\t", number, kind, call, errors, code);
    // Frame 0 is this function; frames of this library are in no module.
    for (int index = 1; index < count && used < (int)sizeof line - 1200; index++) {
        int module = module_of((uintptr_t)frames[index]);
        if (module < 0) continue;
        used += snprintf(line + used, sizeof line - (size_t)used, "%s+%lx ", modules[module].name,
                         (unsigned long)((uintptr_t)frames[index] - 1 - modules[module].base));
    }
    char link[64], target[1024];
    if (!path && descriptor >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        long length = syscall(SYS_readlink, link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        path = target;
    }
    used += snprintf(line + used, sizeof line - (size_t)used, "\t%.1000s", path ? path : "");
    if (used > (int)sizeof line - 2) used = sizeof line - 2;
    line[used++] = '\n';
    syscall(SYS_write, log_file, line, (size_t)used);
}

/// Whether this call is to fail: 0, an errno, or SHORT.
static int verdict(const char *kind, const char *call, const int *errors, int count, const char *path, int descriptor,
                   void *caller) {
    if (!is_active || is_inside || module_of((uintptr_t)caller) < 0 || !is_wanted(kind)) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    int saved = errno, code = 0;
    if (faulty && (number == faulty || (is_sticky && number > faulty))) code = errors[variant % (unsigned)count];
    if (code || !faulty) {
        is_inside = 1;
        if (log_file >= 0) note(number, kind, call, count, special ? 0 : code, path, descriptor);
        is_inside = 0;
    }
    if (code && special == 'k') syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    if (code && special == 'a') abort();
    while (code && special == 'h') pause();
    errno = saved;
    return code && special == 'l' ? LIE : code;
}

#define ERRORS(...) ((const int[]){__VA_ARGS__}), (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define CALLER __builtin_return_address(0)
#define NEXT(name)                       \
    static __typeof__(&name) next;       \
    if (!next) {                         \
        int was_inside = is_inside;      \
        is_inside = 1;                   \
        next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        is_inside = was_inside;          \
    }
// Fails with an errno.
#define FAIL(kind, name, path, descriptor, ...)                                                          \
    do {                                                                                                 \
        int fault = verdict(kind, #name, ERRORS(__VA_ARGS__), path, descriptor, CALLER);                 \
        if (fault == LIE) return 0;                                                                      \
        if (fault) return errno = fault, -1;                                                             \
    } while (0)

// MARK: Names and descriptors

#define OPEN(name, ...)                                                                                      \
    NEXT(name);                                                                                              \
    mode_t mode = 0;                                                                                         \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {                                             \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        mode = va_arg(rest, mode_t);                                                                         \
        va_end(rest);                                                                                        \
        if ((flags & O_TMPFILE) == O_TMPFILE) FAIL("open", name, path, -1, EOPNOTSUPP, ENOSPC, EMFILE, EACCES); \
        else FAIL("open", name, path, -1, ENOSPC, EMFILE, EACCES);                                           \
    } else {                                                                                                 \
        FAIL("open", name, path, -1, EMFILE, EACCES, EIO);                                                   \
    }                                                                                                        \
    return next(__VA_ARGS__, flags, mode)

int open(const char *path, int flags, ...) { OPEN(open, path); }
int open64(const char *path, int flags, ...) { OPEN(open64, path); }
int openat(int folder, const char *path, int flags, ...) { OPEN(openat, folder, path); }
int openat64(int folder, const char *path, int flags, ...) { OPEN(openat64, folder, path); }

#define NAME(type, name, parameters, path, arguments, ...)  \
    type name parameters {                                  \
        NEXT(name);                                         \
        FAIL("name", name, path, -1, __VA_ARGS__);          \
        return next arguments;                              \
    }
NAME(int, rename, (const char *from, const char *to), to, (from, to), EACCES, ENOSPC, EIO)
NAME(int, renameat, (int old, const char *from, int new, const char *to), to, (old, from, new, to), EACCES, ENOSPC, EIO)
NAME(int, renameat2, (int old, const char *from, int new, const char *to, unsigned flags), to, (old, from, new, to, flags),
     EINVAL, EACCES, ENOSPC, EIO)
NAME(int, link, (const char *from, const char *to), to, (from, to), EPERM, ENOSPC, EMLINK)
NAME(int, linkat, (int old, const char *from, int new, const char *to, int flags), to, (old, from, new, to, flags), EPERM,
     ENOENT, ENOSPC, EIO)
NAME(int, symlink, (const char *from, const char *to), to, (from, to), ENOSPC, EACCES)
NAME(int, unlink, (const char *path), path, (path), EACCES, EIO)
NAME(int, unlinkat, (int folder, const char *path, int flags), path, (folder, path, flags), EACCES, EIO)
NAME(int, mkdir, (const char *path, mode_t mode), path, (path, mode), ENOSPC, EACCES)
NAME(int, mkdirat, (int folder, const char *path, mode_t mode), path, (folder, path, mode), ENOSPC, EACCES)
NAME(int, rmdir, (const char *path), path, (path), EACCES, EIO)
NAME(int, chmod, (const char *path, mode_t mode), path, (path, mode), EPERM, EIO)
NAME(int, access, (const char *path, int mode), path, (path, mode), EACCES, EIO)

#define STATUS(name, parameters, path, arguments)        \
    int name parameters {                                \
        NEXT(name);                                      \
        FAIL("status", name, path, -1, EIO, EACCES);     \
        return next arguments;                           \
    }
STATUS(stat, (const char *path, struct stat *status), path, (path, status))
STATUS(stat64, (const char *path, struct stat64 *status), path, (path, status))
STATUS(lstat, (const char *path, struct stat *status), path, (path, status))
STATUS(lstat64, (const char *path, struct stat64 *status), path, (path, status))
STATUS(fstatat, (int folder, const char *path, struct stat *status, int flags), path, (folder, path, status, flags))

// MARK: Files

#define FILE_CALL(type, kind, name, parameters, arguments, ...)                                \
    type name parameters {                                                                     \
        NEXT(name);                                                                            \
        if (is_wanted_file(descriptor, 0)) FAIL(kind, name, (char *)0, descriptor, __VA_ARGS__); \
        return next arguments;                                                                 \
    }
FILE_CALL(int, "status", fstat, (int descriptor, struct stat *status), (descriptor, status), EIO)
FILE_CALL(int, "status", fstat64, (int descriptor, struct stat64 *status), (descriptor, status), EIO)
FILE_CALL(int, "sync", fsync, (int descriptor), (descriptor), EIO, ENOSPC)
FILE_CALL(int, "sync", fdatasync, (int descriptor), (descriptor), EIO, ENOSPC)
FILE_CALL(int, "sync", syncfs, (int descriptor), (descriptor), EIO, ENOSPC)
FILE_CALL(int, "write", ftruncate, (int descriptor, off_t size), (descriptor, size), EIO, ENOSPC)
FILE_CALL(int, "write", ftruncate64, (int descriptor, off64_t size), (descriptor, size), EIO, ENOSPC)
FILE_CALL(int, "write", fallocate, (int descriptor, int mode, off_t at, off_t size), (descriptor, mode, at, size),
          EOPNOTSUPP, ENOSPC)
FILE_CALL(int, "name", fchmod, (int descriptor, mode_t mode), (descriptor, mode), EPERM, EIO)
FILE_CALL(int, "name", futimens, (int descriptor, const struct timespec times[2]), (descriptor, times), EPERM, EIO)
FILE_CALL(int, "lock", flock, (int descriptor, int operation), (descriptor, operation), ENOLCK)

/// Whether it takes a lock. A release is not failed: the kernel refuses one only where it has no memory to split a range, and SQLite
/// then keeps the lock until its process ends (docs/Torture.md).
static int takes_lock(int command, const void *argument) {
    return (command == F_SETLK || command == F_SETLKW) && argument && ((const struct flock *)argument)->l_type != F_UNLCK;
}

int fcntl(int descriptor, int command, ...) {
    NEXT(fcntl);
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (takes_lock(command, argument) && is_wanted_file(descriptor, 0))
        FAIL("lock", fcntl, (char *)0, descriptor, ENOLCK, EIO);
    return next(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...) {
    NEXT(fcntl64);
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (takes_lock(command, argument) && is_wanted_file(descriptor, 0))
        FAIL("lock", fcntl64, (char *)0, descriptor, ENOLCK, EIO);
    return next(descriptor, command, argument);
}

/// Changes the last byte of the file.
static ssize_t spoil(int descriptor, ssize_t result) {
    struct stat status;
    char byte = 0;
    if (syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) != 0 || status.st_size == 0) return result;
    syscall(SYS_pread64, descriptor, &byte, 1, status.st_size - 1);
    byte ^= 1;
    syscall(SYS_pwrite64, descriptor, &byte, 1, status.st_size - 1);
    return result;
}

// Bytes to files: also half of them, and interrupted.
#define MOVE(type, kind, name, parameters, count, whole, half, ...)                                        \
    type name parameters {                                                                                 \
        NEXT(name);                                                                                        \
        if (is_wanted_file(descriptor, 0)) {                                                               \
            int fault = verdict(kind, #name, ERRORS(__VA_ARGS__), 0, descriptor, CALLER);                  \
            if (fault == LIE) return *kind == 'w' ? spoil(descriptor, next whole) : next whole;            \
            if (fault == SHORT && (count) > 1) return next half;                                           \
            if (fault) return errno = fault == SHORT ? EIO : fault, -1;                                    \
        }                                                                                                  \
        return next whole;                                                                                 \
    }
MOVE(ssize_t, "write", pwrite, (int descriptor, const void *bytes, size_t count, off_t at), count,
     (descriptor, bytes, count, at), (descriptor, bytes, count / 2, at), ENOSPC, SHORT, EIO, EINTR)
MOVE(ssize_t, "write", pwrite64, (int descriptor, const void *bytes, size_t count, off64_t at), count,
     (descriptor, bytes, count, at), (descriptor, bytes, count / 2, at), ENOSPC, SHORT, EIO, EINTR)
#define HALF (&(struct iovec){parts->iov_base, (parts->iov_len + 1) / 2})
MOVE(ssize_t, "write", pwritev2, (int descriptor, const struct iovec *parts, int count, off_t at, int flags),
     parts->iov_len, (descriptor, parts, count, at, flags), (descriptor, HALF, 1, at, flags), ENOSPC, SHORT, EIO, EINTR)
MOVE(ssize_t, "write", writev, (int descriptor, const struct iovec *parts, int count), parts->iov_len,
     (descriptor, parts, count), (descriptor, HALF, 1), ENOSPC, SHORT, EIO, EINTR)
MOVE(ssize_t, "read", pread, (int descriptor, void *bytes, size_t count, off_t at), count, (descriptor, bytes, count, at),
     (descriptor, bytes, count / 2, at), EIO, SHORT, EINTR)
MOVE(ssize_t, "read", pread64, (int descriptor, void *bytes, size_t count, off64_t at), count,
     (descriptor, bytes, count, at), (descriptor, bytes, count / 2, at), EIO, SHORT, EINTR)

// Bytes to files and sockets.
ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    if (is_wanted_file(descriptor, 1)) {
        int fault = is_socket(descriptor)
                        ? verdict("network", "write", ERRORS(EPIPE, ECONNRESET), 0, descriptor, CALLER)
                        : verdict("write", "write", ERRORS(ENOSPC, SHORT, EIO, EINTR), 0, descriptor, CALLER);
        if (fault == LIE) return spoil(descriptor, next(descriptor, bytes, count));
        if (fault == SHORT && count > 1) return next(descriptor, bytes, count / 2);
        if (fault) return errno = fault == SHORT ? EIO : fault, -1;
    }
    return next(descriptor, bytes, count);
}
ssize_t read(int descriptor, void *bytes, size_t count) {
    NEXT(read);
    if (is_wanted_file(descriptor, 1)) {
        int fault = is_socket(descriptor)
                        ? verdict("network", "read", ERRORS(ECONNRESET), 0, descriptor, CALLER)
                        : verdict("read", "read", ERRORS(EIO, SHORT, EINTR), 0, descriptor, CALLER);
        if (fault == SHORT && count > 1) return next(descriptor, bytes, count / 2);
        if (fault) return errno = fault == SHORT ? EIO : fault, -1;
    }
    return next(descriptor, bytes, count);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t at) {
    NEXT(mmap);
    if (descriptor >= 0 && verdict("memory", "mmap", ERRORS(ENOMEM), 0, descriptor, CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(address, size, protection, flags, descriptor, at);
}
void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off64_t at) {
    NEXT(mmap64);
    if (descriptor >= 0 && verdict("memory", "mmap64", ERRORS(ENOMEM), 0, descriptor, CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(address, size, protection, flags, descriptor, at);
}

// MARK: Processes and the network

#define SPAWN(name)                                                                                         \
    int name(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,                     \
             const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {     \
        NEXT(name);                                                                                         \
        int fault = verdict("process", #name, ERRORS(EAGAIN, ENOMEM), path, -1, CALLER);                    \
        return fault ? fault : next(child, path, actions, attributes, arguments, environment);              \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

int pipe2(int ends[2], int flags) {
    NEXT(pipe2);
    FAIL("process", pipe2, (char *)0, -1, EMFILE, ENFILE);
    return next(ends, flags);
}
int socketpair(int domain, int type, int protocol, int ends[2]) {
    NEXT(socketpair);
    FAIL("process", socketpair, (char *)0, -1, EMFILE, ENFILE);
    return next(domain, type, protocol, ends);
}

int socket(int domain, int type, int protocol) {
    NEXT(socket);
    FAIL("network", socket, (char *)0, -1, EMFILE, ENOBUFS);
    return next(domain, type, protocol);
}
#define SOCKET(type, name, parameters, arguments, ...)         \
    type name parameters {                                     \
        NEXT(name);                                            \
        FAIL("network", name, (char *)0, descriptor, __VA_ARGS__); \
        return next arguments;                                 \
    }
SOCKET(int, bind, (int descriptor, const struct sockaddr *address, socklen_t size), (descriptor, address, size), EADDRINUSE,
       EACCES)
SOCKET(int, listen, (int descriptor, int backlog), (descriptor, backlog), EADDRINUSE)
SOCKET(int, connect, (int descriptor, const struct sockaddr *address, socklen_t size), (descriptor, address, size),
       ECONNREFUSED, ETIMEDOUT)
SOCKET(int, accept, (int descriptor, struct sockaddr *address, socklen_t *size), (descriptor, address, size), EMFILE,
       ECONNABORTED)
SOCKET(int, accept4, (int descriptor, struct sockaddr *address, socklen_t *size, int flags),
       (descriptor, address, size, flags), EMFILE, ECONNABORTED)
SOCKET(ssize_t, send, (int descriptor, const void *bytes, size_t count, int flags), (descriptor, bytes, count, flags),
       EPIPE, ECONNRESET)
SOCKET(ssize_t, sendto, (int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address,
       socklen_t size), (descriptor, bytes, count, flags, address, size), EPIPE, ECONNRESET)
SOCKET(ssize_t, sendmsg, (int descriptor, const struct msghdr *message, int flags), (descriptor, message, flags), EPIPE,
       ECONNRESET)
SOCKET(ssize_t, recv, (int descriptor, void *bytes, size_t count, int flags), (descriptor, bytes, count, flags),
       ECONNRESET)
SOCKET(ssize_t, recvfrom, (int descriptor, void *bytes, size_t count, int flags, struct sockaddr *address,
       socklen_t *size), (descriptor, bytes, count, flags, address, size), ECONNRESET)
SOCKET(ssize_t, recvmsg, (int descriptor, struct msghdr *message, int flags), (descriptor, message, flags), ECONNRESET)

// MARK: libcurl, out of memory

#define IS_OUT_OF_MEMORY(kind, name) verdict(kind, #name, ERRORS(ENOMEM), 0, -1, CALLER)

static void find_modules(void);

// The first of libcurl's functions: the program loads libcurl late.
CURLcode curl_global_init(long flags) {
    NEXT(curl_global_init);
    find_modules();
    return IS_OUT_OF_MEMORY("curl", curl_global_init) ? CURLE_OUT_OF_MEMORY : next(flags);
}
CURL *curl_easy_init(void) {
    NEXT(curl_easy_init);
    return IS_OUT_OF_MEMORY("curl", curl_easy_init) ? NULL : next();
}
CURLM *curl_multi_init(void) {
    NEXT(curl_multi_init);
    return IS_OUT_OF_MEMORY("curl", curl_multi_init) ? NULL : next();
}
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    NEXT(curl_slist_append);
    return IS_OUT_OF_MEMORY("curl", curl_slist_append) ? NULL : next(list, text);
}
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) {
    NEXT(curl_multi_add_handle);
    return IS_OUT_OF_MEMORY("curl", curl_multi_add_handle) ? CURLM_OUT_OF_MEMORY : next(multi, handle);
}
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd waits[], unsigned count, int timeout, int *ready) {
    NEXT(curl_multi_poll);
    return IS_OUT_OF_MEMORY("curl", curl_multi_poll) ? CURLM_OUT_OF_MEMORY : next(multi, waits, count, timeout, ready);
}

// Macros check the arguments of callers.
#undef curl_easy_setopt
#undef curl_multi_setopt
static const struct curl_easyoption *option_by_id(CURLoption option) {
    NEXT(curl_easy_option_by_id);
    return next(option);
}
// An argument is a pointer, a long or a curl_off_t: on 64-bit systems they are passed alike. A string is copied, which needs memory;
// libcurl forgets the former one first.
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    NEXT(curl_easy_setopt);
    va_list rest;
    va_start(rest, option);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    const struct curl_easyoption *known = is_active && !is_inside ? option_by_id(option) : NULL;
    if (known && argument && known->type == CURLOT_STRING &&
        verdict("curl", "curl_easy_setopt", ERRORS(ENOMEM), known->name, -1, CALLER)) {
        next(handle, option, NULL);
        return CURLE_OUT_OF_MEMORY;
    }
    return next(handle, option, argument);
}

// MARK: Memory of libcurl and SQLite

static int is_out_of_memory(const char *name, void *caller) {
    if (!is_active || is_inside) return 0;
    int module = module_of((uintptr_t)caller);
    if (module <= 0) return 0;
    return verdict(module == 1 ? "curl-memory" : "sqlite-memory", name, ERRORS(ENOMEM), 0, -1, caller);
}

void *malloc(size_t size) {
    if (is_out_of_memory("malloc", CALLER)) return errno = ENOMEM, NULL;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    if (is_out_of_memory("calloc", CALLER)) return errno = ENOMEM, NULL;
    return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    if (is_out_of_memory("realloc", CALLER)) return errno = ENOMEM, NULL;
    return __libc_realloc(block, size);
}
#undef strdup
char *strdup(const char *text) {
    if (is_out_of_memory("strdup", CALLER)) return errno = ENOMEM, NULL;
    size_t size = strlen(text) + 1;
    char *copy = __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

// MARK: Loading

static int found(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    int *count = context;
    // The program itself is the first, without a name.
    int index = (*count)++ == 0 ? 0 : strstr(info->dlpi_name, "libcurl") ? 1 : strstr(info->dlpi_name, "libsqlite3") ? 2 : -1;
    if (index < 0) return 0;
    modules[index].base = info->dlpi_addr;
    for (int part = 0; part < info->dlpi_phnum; part++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[part];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        modules[index].from = info->dlpi_addr + header->p_vaddr;
        modules[index].to = modules[index].from + header->p_memsz;
    }
    return 0;
}

static void find_modules(void) {
    int count = 0;
    dl_iterate_phdr(found, &count);
}

static int is_meant(const char *argument) {
    char line[4096];
    int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
    long count = syscall(SYS_read, file, line, sizeof line - 1);
    syscall(SYS_close, file);
    if (count <= 0) return 0;
    line[count] = 0;
    const char *first = line + strlen(line) + 1;
    return first < line + count && strcmp(first, argument) == 0;
}

__attribute__((constructor)) static void load(void) {
    is_inside = 1;
    const char *call = getenv("FAULT_CALL"), *error = getenv("FAULT_ERROR"), *meant = getenv("FAULT_IN");
    const char *log = getenv("FAULT_LOG"), *which = getenv("FAULT_KINDS");
    if ((!call && !log) || (meant && !is_meant(meant))) {
        is_inside = 0;
        return;
    }
    if (call) {
        faulty = strtol(call, NULL, 10);
        is_sticky = strchr(call, '+') != NULL;
    }
    if (error) {
        special = strchr("kahl", *error) ? *error : 0;
        variant = (unsigned)strtoul(error, NULL, 10);
    }
    if (which) snprintf(kinds, sizeof kinds, "%s", which);
    find_modules();
    // Loads the unwinder.
    void *frame;
    backtrace(&frame, 1);
    if (log) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        // Above the numbers that the program uses.
        log_file = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 1000);
        if (log_file < 0) log_file = file;
        else syscall(SYS_close, file);
    }
    is_active = 1;
    is_inside = 0;
}
