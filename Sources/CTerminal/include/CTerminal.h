// SPDX-License-Identifier: MIT
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One screen for one process, on standard input and output. All functions belong to the one thread that called
// ct_open, except ct_wake. Nothing of curses shows through this header.

enum { CT_OK = 0, CT_NO_TERMINAL = 1, CT_DUMB = 2, CT_UNUSABLE = 3, CT_BUSY = 4 };

/// What was found out about the terminal while opening it.
typedef struct {
    bool unicode;         ///< Text goes out as UTF-8.
    bool ambiguous_wide;  ///< Characters of ambiguous width take two columns here.
    bool block_glyphs;    ///< The font has more than half blocks.
    int colours;          ///< 0, 8, 16, 256 and so on.
    bool direct;          ///< Colour numbers are 0xRRGGBB.
    int luminance;        ///< Of the background, 0…255; -1 if the terminal does not say.
} ct_facts;

/// Takes over the screen: signals, alternate screen, raw input, bracketed paste, standard error set aside until
/// ct_close (it is printed then, so that nothing writes across the screen). `is_unicode`: 1 and 0 as the environment
/// says, -1 if it does not. Answers one of the CT_ results.
int ct_open(bool wants_colours, int is_unicode, ct_facts *facts);

/// Takes a reply of the terminal that came as input, and updates `facts`, which ct_open has filled in: what is between
/// `ESC [` and the byte `last`, or between `ESC ]` and BEL (`last` is 7).
void ct_reply(const char *text, int last, ct_facts *facts);

/// The colours of a type of terminal as its description says: 0, 8, 256 and so on; -1 without a description. Only while
/// no screen is open.
int ct_described_colours(const char *type);

/// Gives everything back. Harmless when nothing is open.
void ct_close(void);

/// Makes ct_wait return. From any thread, and from a signal handler.
void ct_wake(void);

enum { CT_INPUT = 1, CT_WOKEN = 2, CT_HANGUP = 4 };

/// Sleeps until there is input, a wake-up, a signal, or `milliseconds` have passed (-1: for ever). Answers CT_ bits.
int ct_wait(int milliseconds);

enum { CT_SIGNAL_RESIZE = 1, CT_SIGNAL_SUSPEND = 2, CT_SIGNAL_CONTINUE = 4 };

/// The CT_SIGNAL_ bits since the last call.
unsigned ct_take_signals(void);

/// The number of the first signal that asked the program to end, or 0.
int ct_ending_signal(void);

int ct_rows(void);
int ct_columns(void);

/// Takes over the window's present size. The screen is painted from the start by the next ct_flush.
void ct_resize(void);

enum { CT_BOLD = 1, CT_DIM = 2, CT_REVERSE = 4 };
enum { CT_STYLES = 32 };

/// Defines a style: colour numbers, -1 for the terminal's own, and CT_ attributes.
void ct_style(int style, int foreground, int background, unsigned attributes);

/// A character with its marks.
typedef struct {
    uint32_t text[5];  ///< Code points; 0 ends them.
    uint8_t columns;   ///< 1 or 2.
    uint8_t style;
} ct_cell;

/// Puts a whole row, from the first column on. What the C library would draw with another width is replaced by `?`, so
/// that the cells to the right stay where they are.
void ct_row(int row, const ct_cell *cells, int count);

void ct_erase(void);

/// Puts the cursor there, shown or not: readers for the blind follow it. Anywhere if `row` is negative.
void ct_cursor(int row, int column, bool is_shown);

/// Sends what changed; in one synchronized update where the terminal can.
void ct_flush(void);

/// The next ct_flush paints everything, whatever the terminal shows now.
void ct_redraw(void);

enum {
    CT_KEY_NONE = -1, CT_KEY_UP = 0x1000, CT_KEY_DOWN, CT_KEY_LEFT, CT_KEY_RIGHT, CT_KEY_HOME, CT_KEY_END,
    CT_KEY_PAGE_UP, CT_KEY_PAGE_DOWN, CT_KEY_ENTER, CT_KEY_BACKSPACE, CT_KEY_DELETE, CT_KEY_PASTE_BEGIN,
    CT_KEY_PASTE_END, CT_KEY_BACK_TAB, CT_KEY_OTHER, CT_KEY_IGNORED,
    CT_KEY_MOUSE,      ///< `button;column;row` and `M` or `m` follow as bytes.
    CT_KEY_MOUSE_OLD,  ///< Three bytes follow, of a terminal that knows no other form.
    CT_KEY_FOCUS_IN, CT_KEY_FOCUS_OUT,
    CT_KEY_DARK, CT_KEY_LIGHT,  ///< The colours of the terminal from now on.
    CT_KEY_FUNCTION = 0x1100,  ///< Plus the number of the function key, 1 to 12.
};

/// The next byte of input (0 to 255) or one of CT_KEY_; CT_KEY_NONE when there is no more now.
int ct_key(void);

enum { CT_REPORT_MOUSE = 1, CT_REPORT_FOCUS = 2, CT_REPORT_SCHEME = 4 };

/// Asks the terminal for what the CT_REPORT_ bits name, until the screen is left: presses of mouse buttons, and
/// motion meanwhile; the focus it gets and loses; whether its colours become dark or light. Adds to earlier calls.
void ct_report(unsigned reports);

/// Leaves the screen, stops the process as Ctrl-Z does, and comes back here when it goes on.
void ct_suspend(void);

/// Takes the screen again after the process was stopped by somebody else.
void ct_resume(void);

/// Sends bytes past the screen, such as a terminal's private progress report.
void ct_write(const char *bytes, size_t count);

/// At most 31 bytes that go out first when the screen is left, by whatever way.
void ct_set_farewell(const char *bytes);

/// Columns the C library gives one code point, in a UTF-8 locale; -1 for what it does not print.
int ct_width(uint32_t scalar);

#endif
