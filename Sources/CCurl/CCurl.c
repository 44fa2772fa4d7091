// SPDX-License-Identifier: MIT
#include "CCurl.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

// Another name may be given at build time; Debian's other flavour has the second one.
#ifndef FILEQ_LIBCURL
#define FILEQ_LIBCURL "libcurl.so.4"
#endif
#define OTHER_FLAVOUR "libcurl-gnutls.so.4"

CLINUX_LIBRARY_NOTE(note, "[{\"feature\":\"http\",\"description\":\"transfers\",\"priority\":\"required\",\"soname\":[\"" FILEQ_LIBCURL
                          "\",\"" OTHER_FLAVOUR "\"]}]");

#define FUNCTIONS(each) \
    each(easy_cleanup) each(easy_getinfo) each(easy_init) each(easy_pause) each(easy_recv) each(easy_reset) each(easy_send) \
    each(easy_setopt) each(easy_strerror) each(global_init) each(multi_add_handle) each(multi_cleanup) each(multi_info_read) \
    each(multi_init) each(multi_perform) each(multi_poll) each(multi_remove_handle) each(multi_setopt) each(multi_wakeup) \
    each(slist_append) each(slist_free_all) each(version_info)

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
#define POINTER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(POINTER)
} library;
static atomic_bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    clinux_load_library((const char *const[]){FILEQ_LIBCURL, OTHER_FLAVOUR, 0});
#define FIND(name) library.name = (__typeof__(library.name))clinux_library_function("curl_" #name);
    FUNCTIONS(FIND)
    atomic_store_explicit(&is_loaded, 1, memory_order_release);
}

void ccurl_load(void) {
    if (!atomic_load_explicit(&is_loaded, memory_order_acquire)) pthread_once(&once, load);
}

// MARK: libcurl's functions

#define CALL(name) (ccurl_load(), library.name)

void curl_easy_cleanup(CURL *handle) { CALL(easy_cleanup)(handle); }
CURL *curl_easy_init(void) { return CALL(easy_init)(); }
CURLcode curl_easy_pause(CURL *handle, int bitmask) { return CALL(easy_pause)(handle, bitmask); }
CURLcode curl_easy_recv(CURL *handle, void *bytes, size_t count, size_t *received) {
    return CALL(easy_recv)(handle, bytes, count, received);
}
void curl_easy_reset(CURL *handle) { CALL(easy_reset)(handle); }
CURLcode curl_easy_send(CURL *handle, const void *bytes, size_t count, size_t *sent) {
    return CALL(easy_send)(handle, bytes, count, sent);
}
const char *curl_easy_strerror(CURLcode code) { return CALL(easy_strerror)(code); }
CURLcode curl_global_init(long flags) { return CALL(global_init)(flags); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) { return CALL(multi_add_handle)(multi, handle); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return CALL(multi_cleanup)(multi); }
CURLMsg *curl_multi_info_read(CURLM *multi, int *remaining) { return CALL(multi_info_read)(multi, remaining); }
CURLM *curl_multi_init(void) { return CALL(multi_init)(); }
CURLMcode curl_multi_perform(CURLM *multi, int *running) { return CALL(multi_perform)(multi, running); }
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd waits[], unsigned count, int timeout, int *ready) {
    return CALL(multi_poll)(multi, waits, count, timeout, ready);
}
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) { return CALL(multi_remove_handle)(multi, handle); }
CURLMcode curl_multi_wakeup(CURLM *multi) { return CALL(multi_wakeup)(multi); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) { return CALL(slist_append)(list, text); }
void curl_slist_free_all(struct curl_slist *list) { CALL(slist_free_all)(list); }
curl_version_info_data *curl_version_info(CURLversion age) { return CALL(version_info)(age); }

// An argument of these is a pointer, a long or a curl_off_t.
#ifndef __LP64__
#error "the arguments are passed alike on 64-bit systems only"
#endif
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    va_list list;
    va_start(list, option);
    void *argument = va_arg(list, void *);
    va_end(list);
    return CALL(easy_setopt)(handle, option, argument);
}
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
    va_list list;
    va_start(list, info);
    void *argument = va_arg(list, void *);
    va_end(list);
    return CALL(easy_getinfo)(handle, info, argument);
}
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    va_list list;
    va_start(list, option);
    void *argument = va_arg(list, void *);
    va_end(list);
    return CALL(multi_setopt)(multi, option, argument);
}
