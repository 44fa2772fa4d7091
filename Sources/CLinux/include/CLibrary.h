// SPDX-License-Identifier: MIT
// Libraries that are loaded when they are first used, so that programs start sooner.
#ifndef FILEQ_CLIBRARY_H
#define FILEQ_CLIBRARY_H

#include <stdint.h>

/// Loads the first of these libraries that exists; the last name is a null pointer. Its functions are found as if it had been linked. Where
/// that fails, the process ends with status 127 and the message of the dynamic linker.
void clinux_load_library(const char *const names[]);

/// The address of a function of a loaded library. Where there is none, the process ends as above.
void *clinux_library_function(const char *name);

/// For package managers, in place of an entry of the dynamic section (https://systemd.io/ELF_DLOPEN_METADATA). At file scope, once for each
/// library; `content` is a literal in JSON.
#define CLINUX_LIBRARY_NOTE(variable, content)                                         \
    __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct { \
        uint32_t name_size, content_size, type;                                       \
        char name[4];                                                                 \
        _Alignas(4) char json[sizeof content];                                        \
    } variable = {sizeof "FDO", sizeof content, 0x407c0c0a, "FDO", content}

#endif
