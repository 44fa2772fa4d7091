// SPDX-License-Identifier: MIT
// libpsl: which names of the DNS are public suffixes (https://publicsuffix.org).
#ifndef FILEQ_CPUBLICSUFFIX_H
#define FILEQ_CPUBLICSUFFIX_H

// libpsl is loaded when it is first called, as libcurl is (CCurl.h). Calls of these functions go to CPublicSuffix.c.
#pragma redefine_extname psl_is_public_suffix cpsl_is_public_suffix
#pragma redefine_extname psl_latest cpsl_latest

#include <libpsl.h>

#endif
