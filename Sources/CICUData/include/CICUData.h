// SPDX-License-Identifier: MIT
// An empty table of locale data in place of ICU's own: see CICUData.c.
#ifndef FILEQ_CICUDATA_H
#define FILEQ_CICUDATA_H

#include <stdint.h>

/// Head of ICU's common data (ICU's udatamem.h and ucmndata.h, format "ToCP" version 1), with an empty table of contents.
struct fileq_icu_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved_word;
    uint8_t is_big_endian;
    uint8_t charset_family;
    uint8_t size_of_char;
    uint8_t reserved_byte;
    uint8_t data_format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    uint32_t count;
    uint32_t reserved;
    int32_t names_and_data[4];
};

#endif
