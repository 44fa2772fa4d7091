// SPDX-License-Identifier: MIT

#include "CExpat.h"
