// SPDX-License-Identifier: MIT
#ifndef CTERMINAL_PRIVATE_H
#define CTERMINAL_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

// Shared by the three files of this target and by nobody else.

bool ct_signals_begin(void);
void ct_signals_end(void);
/// Stops the process; false where that is not possible here.
void ct_signals_stop(void);
int ct_wake_descriptor(void);

/// How many columns the terminal moves for one block glyph: 0 without an answer. `typed` takes what was no answer.
int ct_probe(unsigned char *typed, size_t capacity, size_t *count);

/// What brings the terminal back without curses, for a crash. Only async-signal-safe calls.
void ct_emergency(void);

void ct_write_all(int descriptor, const char *bytes, size_t count);

#endif
