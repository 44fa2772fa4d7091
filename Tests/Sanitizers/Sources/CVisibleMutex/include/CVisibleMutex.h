// SPDX-License-Identifier: MIT
// Nothing to import: see CVisibleMutex.c.
