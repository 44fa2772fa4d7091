// SPDX-License-Identifier: MIT
// Without a thread that it needs, libdispatch waits for one for ever (_dispatch_temporary_resource_shortage), also before Swift's main and also
// at the program's end, and other code traps. A constructor can still say so.
#include "CStandardStreams.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// As many as a transfer needs. Where many are allowed, one shows whether any is left: more cost the start too much.
enum { fileq_most_threads = 8, fileq_plenty = 4096 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *fileq_pass(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

__attribute__((constructor)) static void fileq_check_threads(void) {
    struct rlimit limit;
    int wanted = getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < fileq_plenty ? fileq_most_threads : 1;
    pthread_t threads[fileq_most_threads];
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    (void)pthread_attr_setstacksize(&attributes, 1 << 17);
    int made = 0, code = 0;
    // All at the same time: none ends before the last has begun.
    pthread_mutex_lock(&gate);
    while (made < wanted && (code = pthread_create(&threads[made], &attributes, fileq_pass, NULL)) == 0) made++;
    pthread_mutex_unlock(&gate);
    for (int index = 0; index < made; index++) pthread_join(threads[index], NULL);
    pthread_attr_destroy(&attributes);
    if (code != EAGAIN) return;
    fprintf(stderr, "%s: the system makes no further thread; raise the limit with 'ulimit -u', or that of the container\n",
            program_invocation_short_name);
    _exit(EXIT_FAILURE);
}
