// SPDX-License-Identifier: MIT
// Foundation, linked statically, brings 34 MB of locale data: names of languages, calendars, collations. fileq uses none of it.
// The linker takes this definition, which precedes Foundation's archive, and leaves out the archive's member. If the toolchain's
// ICU has another version, nothing refers to this symbol: the program is then larger and works the same.
#include "CICUData.h"

extern const struct fileq_icu_data icudt76_dat;

_Alignas(16) const struct fileq_icu_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .charset_family = 0,
    .size_of_char = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
