// SPDX-License-Identifier: MIT
// The XML parser.
#ifndef C_EXPAT_H
#define C_EXPAT_H

#include <expat.h>

#endif
