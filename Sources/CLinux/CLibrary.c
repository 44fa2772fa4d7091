// SPDX-License-Identifier: MIT
#include "CLibrary.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noreturn)) static void fail(const char *reason) {
    dprintf(STDERR_FILENO, "%s: error while loading shared libraries: %s\n", program_invocation_short_name, reason);
    _exit(127);
}

void clinux_load_library(const char *const names[]) {
    char reason[256] = "";
    for (; *names; names++) {
        // Into the global scope, where the linker would load it: a library of LD_PRELOAD may replace its functions.
        if (dlopen(*names, RTLD_LAZY | RTLD_GLOBAL)) return;
        const char *text = dlerror();
        if (!*reason) snprintf(reason, sizeof reason, "%s", text ? text : *names);
    }
    fail(reason);
}

void *clinux_library_function(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function) fail(dlerror());
    return function;
}
