// SPDX-License-Identifier: MIT
// The shims are inline; this file only makes the header a target of its own.
#include "CCurl.h"
