// SPDX-License-Identifier: MIT
#include "CQRCode.h"

#include <dlfcn.h>
#include <stdlib.h>

// As qrencode.h declares them; the library's version 4 has had no others.
typedef struct {
    int version;
    int width;
    unsigned char *data;
} Code;
enum { level_medium = 1, mode_bytes = 2 };

unsigned char *clinux_qr_code(const char *text, int *width) {
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    Code *(*encode)(const char *, int, int, int, int) = (Code * (*)(const char *, int, int, int, int)) dlsym(library, "QRcode_encodeString");
    void (*release)(Code *) = (void (*)(Code *))dlsym(library, "QRcode_free");
    Code *code = encode && release ? encode(text, 0, level_medium, mode_bytes, 1) : 0;
    if (!code) return 0;
    int count = code->width * code->width;
    unsigned char *modules = malloc((size_t)count);
    // The other bits say what a module is for.
    for (int i = 0; modules && i < count; i++) modules[i] = code->data[i] & 1;
    *width = code->width;
    release(code);
    return modules;
}
