// SPDX-License-Identifier: MIT
// libcurl's header, and what Swift cannot import of it: variadic functions, one shim for each type of argument, and a few macros.
#ifndef FILEQ_CCURL_H
#define FILEQ_CCURL_H

// libcurl is loaded when it is first called: most commands start without it and the 30 libraries that it needs. Calls of these functions
// go to CCurl.c, which passes them on.
#pragma redefine_extname curl_easy_cleanup ccurl_easy_cleanup
#pragma redefine_extname curl_easy_getinfo ccurl_easy_getinfo
#pragma redefine_extname curl_easy_init ccurl_easy_init
#pragma redefine_extname curl_easy_pause ccurl_easy_pause
#pragma redefine_extname curl_easy_recv ccurl_easy_recv
#pragma redefine_extname curl_easy_reset ccurl_easy_reset
#pragma redefine_extname curl_easy_send ccurl_easy_send
#pragma redefine_extname curl_easy_setopt ccurl_easy_setopt
#pragma redefine_extname curl_easy_strerror ccurl_easy_strerror
#pragma redefine_extname curl_global_init ccurl_global_init
#pragma redefine_extname curl_multi_add_handle ccurl_multi_add_handle
#pragma redefine_extname curl_multi_cleanup ccurl_multi_cleanup
#pragma redefine_extname curl_multi_info_read ccurl_multi_info_read
#pragma redefine_extname curl_multi_init ccurl_multi_init
#pragma redefine_extname curl_multi_perform ccurl_multi_perform
#pragma redefine_extname curl_multi_poll ccurl_multi_poll
#pragma redefine_extname curl_multi_remove_handle ccurl_multi_remove_handle
#pragma redefine_extname curl_multi_setopt ccurl_multi_setopt
#pragma redefine_extname curl_multi_wakeup ccurl_multi_wakeup
#pragma redefine_extname curl_slist_append ccurl_slist_append
#pragma redefine_extname curl_slist_free_all ccurl_slist_free_all
#pragma redefine_extname curl_version_info ccurl_version_info

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075800
#error "fileq needs libcurl 7.88 or newer"
#endif

// Loads libcurl, which the first call of a function would do otherwise. Any thread. If that fails, the process ends, as if the dynamic linker
// had not found it.
void ccurl_load(void);

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_function)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_sockopt_function)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef curl_socket_t (*ccurl_opensocket_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_prereq_function)(void *context, char *remote, char *local, int remote_port, int local_port);
typedef int (*ccurl_debug_function)(CURL *handle, curl_infotype type, char *bytes, size_t size, void *context);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_data_function(CURL *handle, CURLoption option, ccurl_data_function function) {
    return curl_easy_setopt(handle, option, function);
}
static inline CURLcode ccurl_set_seek_function(CURL *handle, ccurl_seek_function function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_set_sockopt_function(CURL *handle, ccurl_sockopt_function function) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, function);
}
static inline CURLcode ccurl_set_opensocket_function(CURL *handle, ccurl_opensocket_function function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLcode ccurl_set_prereq_function(CURL *handle, ccurl_prereq_function function) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}
static inline CURLcode ccurl_set_debug_function(CURL *handle, ccurl_debug_function function) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
}
static inline CURLcode ccurl_set_progress_function(CURL *handle, curl_xferinfo_callback function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long ccurl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t ccurl_get_offset(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline const char *ccurl_get_string(CURL *handle, CURLINFO info) {
    char *value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_socket_t ccurl_get_socket(CURL *handle) {
    curl_socket_t value = CURL_SOCKET_BAD;
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}
static inline const struct curl_certinfo *ccurl_get_certificates(CURL *handle) {
    struct curl_certinfo *value = 0;
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, &value) == CURLE_OK ? value : 0;
}
static inline void *ccurl_get_private(CURL *handle) {
    char *value = 0;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : 0;
}

// The TLS session of the connection in use; a null pointer where there is none.
static inline const struct curl_tlssessioninfo *ccurl_get_tls(CURL *handle) {
    struct curl_tlssessioninfo *value = 0;
    return curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &value) == CURLE_OK ? value : 0;
}
// 1: the last transfer used a proxy; 0: it did not; -1: this libcurl (before 8.7) cannot tell. The number is that of
// CURLINFO_USED_PROXY, which older headers do not have.
static inline int ccurl_used_proxy(CURL *handle) {
    long value = 0;
    return curl_easy_getinfo(handle, (CURLINFO)(CURLINFO_LONG + 66), &value) == CURLE_OK ? value != 0 : -1;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The message's union, which Swift does not see by name.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

static inline const curl_version_info_data *ccurl_version(void) { return curl_version_info(CURLVERSION_NOW); }

static const size_t ccurl_write_pause = CURL_WRITEFUNC_PAUSE;
static const size_t ccurl_read_pause = CURL_READFUNC_PAUSE;
static const size_t ccurl_read_abort = CURL_READFUNC_ABORT;
static const long ccurl_auth_basic = (long)CURLAUTH_BASIC;
static const long ccurl_auth_digest = (long)CURLAUTH_DIGEST;
static const long ccurl_auth_bearer = (long)CURLAUTH_BEARER;
static const long ccurl_auth_ntlm = (long)CURLAUTH_NTLM;
static const long ccurl_auth_negotiate = (long)CURLAUTH_NEGOTIATE;
// An enumeration's case in older headers, a number in newer ones.
static const long ccurl_multiplex = (long)CURLPIPE_MULTIPLEX;
static const int ccurl_pause_receive = CURLPAUSE_RECV;
static const int ccurl_pause_send = CURLPAUSE_SEND;

#endif
