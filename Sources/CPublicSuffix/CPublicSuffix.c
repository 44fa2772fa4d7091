// SPDX-License-Identifier: MIT
// Everything is libpsl's; this file only makes the header a target of its own.
#include "CPublicSuffix.h"
