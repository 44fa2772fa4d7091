// SPDX-License-Identifier: MIT
// libpsl: which names of the DNS are public suffixes (https://publicsuffix.org).
#ifndef FILEQ_CPUBLICSUFFIX_H
#define FILEQ_CPUBLICSUFFIX_H

#include <libpsl.h>

#endif
