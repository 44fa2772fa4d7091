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

/// What the terminal replied.
typedef struct {
    int moved;           ///< Columns that one block glyph moves the cursor; -1 without a reply.
    int luminance;       ///< Of the background, 0…255; -1 without a reply.
    bool synchronizes;   ///< DECSET 2026.
    bool are_complete;   ///< The last one (DA1) is here.
    unsigned char typed[64];  ///< Input that was no reply.
    size_t typed_count;
} ct_replies;

/// Asks the terminal, in one write.
void ct_probe(bool asks_width, ct_replies *replies);

/// Takes one reply: what is between its introducer and its final byte, which is 7 (BEL) for OSC.
void ct_take_reply(const char *text, int last, ct_replies *replies);

/// What brings the terminal back without curses, for a crash. Only async-signal-safe calls.
void ct_emergency(void);

/// Of the terminal's input. Async-signal-safe.
void ct_restore_modes(void);

void ct_write_all(int descriptor, const char *bytes, size_t count);

#endif
