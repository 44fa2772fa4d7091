// SPDX-License-Identifier: MIT
#include "CPublicSuffix.h"

#include <CLibrary.h>
#include <pthread.h>

CLINUX_LIBRARY_NOTE(note, "[{\"feature\":\"cookies\",\"description\":\"public suffixes\",\"priority\":\"required\",\"soname\":[\"libpsl.so.5\"]}]");

static struct {
    __typeof__(psl_is_public_suffix) *is_public_suffix;
    __typeof__(psl_latest) *latest;
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    clinux_load_library((const char *const[]){"libpsl.so.5", 0});
    library.is_public_suffix = (__typeof__(library.is_public_suffix))clinux_library_function("psl_is_public_suffix");
    library.latest = (__typeof__(library.latest))clinux_library_function("psl_latest");
}

psl_ctx_t *psl_latest(const char *file) {
    pthread_once(&once, load);
    return library.latest(file);
}
// A list comes from the function above.
int psl_is_public_suffix(const psl_ctx_t *list, const char *domain) { return library.is_public_suffix(list, domain); }
