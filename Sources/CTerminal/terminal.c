// SPDX-License-Identifier: MIT
#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "CTerminal.h"
#include "private.h"

enum { paste_begin = KEY_MAX + 1, paste_end };
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static SCREEN *screen;
static volatile sig_atomic_t is_open;
static struct termios modes_before;
static bool has_modes;
static int colours;
/// What leaves the alternate screen, from terminfo, ready for write(2).
static char way_out[256];
static size_t way_out_length;
static bool cursor_shown;
/// What the caller wants sent first on every way out.
static char farewell[32];
/// Standard error as it was, and what was written to it meanwhile.
static int error_before = -1, error_meanwhile = -1;

static void error_set_aside(void) {
    if (!isatty(STDERR_FILENO)) return;
    error_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    error_meanwhile = memfd_create("stderr", MFD_CLOEXEC);
    if (error_before < 0 || error_meanwhile < 0 || dup2(error_meanwhile, STDERR_FILENO) < 0) return;
    int flags = fcntl(STDERR_FILENO, F_GETFL);
    fcntl(STDERR_FILENO, F_SETFL, flags | O_APPEND);
}

static void error_give_back(void) {
    if (error_before >= 0) dup2(error_before, STDERR_FILENO);
    if (error_before >= 0 && error_meanwhile >= 0) {
        // The end is what matters where somebody was talkative.
        char buffer[4096];
        off_t end = lseek(error_meanwhile, 0, SEEK_END), at = end > 65536 ? end - 65536 : 0;
        for (ssize_t n; (n = pread(error_meanwhile, buffer, sizeof buffer, at)) > 0; at += n)
            ct_write_all(STDERR_FILENO, buffer, (size_t)n);
    }
    if (error_before >= 0) close(error_before);
    if (error_meanwhile >= 0) close(error_meanwhile);
    error_before = error_meanwhile = -1;
}

static void leave(int output) {
    ct_write_all(output, way_out, way_out_length);
    if (has_modes) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    error_give_back();
}

void ct_emergency(void) {
    if (!is_open) return;
    is_open = 0;
    // The crash may be another thread's: the one that draws does not know of it yet and must not draw any more.
    int output = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (output >= 0 && nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    leave(output >= 0 ? output : STDOUT_FILENO);
}

static void leave_at_exit(void) {
    if (!is_open) return;
    is_open = 0;
    leave(STDOUT_FILENO);
}

/// Appends a terminfo string without its padding marks, which only curses itself can act on.
static void add_way_out(const char *text) {
    if (!text || text == (char *)-1) return;
    while (*text && way_out_length < sizeof way_out) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end) text = end + 1;
        else way_out[way_out_length++] = *text++;
    }
}

static void prepare_way_out(void) {
    way_out_length = 0;
    add_way_out(farewell);
    add_way_out(paste_off);
    add_way_out(tigetstr("rmkx"));
    add_way_out(tigetstr("sgr0"));
    add_way_out(tigetstr("cnorm"));
    add_way_out(tigetstr("rmcup"));
    add_way_out("\r");
}

/// Whether text is UTF-8; `implicit` when nothing in the environment says which.
static bool locale_is_unicode(bool *implicit) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    *implicit = true;
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) *implicit = false;
    }
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static SCREEN *new_screen(const char *name) {
    static char *const spare[] = {NULL, "xterm-256color", "xterm", "ansi", "vt100"};
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++) {
        if (i == 0 && (!name || !*name)) continue;
        SCREEN *made = newterm(spare[i], stdout, stdin);
        if (made) return made;
    }
    return NULL;
}

static int prepare_colours(bool wanted) {
    static const short basic[] = {COLOR_RED, COLOR_GREEN, COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA, COLOR_CYAN};
    if (!wanted || !has_colors() || start_color() == ERR) return 0;
    short background = use_default_colors() == OK ? -1 : COLOR_BLACK;
    for (short i = 0; i < 6; i++) init_pair((short)(CT_RED + i), basic[i], background);
    init_pair(CT_GREY, COLORS >= 256 ? 244 : COLORS >= 16 ? 8 : COLOR_WHITE, background);
    return COLORS;
}

int ct_open(bool wants_colours, ct_facts *facts) {
    if (screen) return CT_BUSY;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return CT_NO_TERMINAL;
    const char *name = getenv("TERM");
    if (name && strcmp(name, "dumb") == 0) return CT_DUMB;
    if (!ct_signals_begin()) return CT_UNUSABLE;
    has_modes = tcgetattr(STDIN_FILENO, &modes_before) == 0;

    bool implicit;
    bool unicode = locale_is_unicode(&implicit);
    unsigned char typed[64];
    size_t typed_count = 0;
    int moved = unicode || implicit ? ct_probe(typed, sizeof typed, &typed_count) : 0;
    // Three columns for three bytes: the terminal takes no UTF-8. One or two: it does, and only the locale was not set.
    if (unicode && moved >= 3) unicode = false;
    else if (!unicode && implicit && (moved == 1 || moved == 2)) unicode = setlocale(LC_CTYPE, "C.UTF-8") != NULL;

    screen = new_screen(name);
    if (!screen) {
        ct_signals_end();
        return CT_UNUSABLE;
    }
    set_term(screen);
    error_set_aside();
    prepare_way_out();
    static bool has_exit_handler;
    if (!has_exit_handler) has_exit_handler = atexit(leave_at_exit) == 0;
    is_open = 1;
    raw();
    noecho();
    nonl();
    keypad(stdscr, true);
    nodelay(stdscr, true);
    intrflush(stdscr, false);
    set_escdelay(25);
    curs_set(0);
    cursor_shown = false;
    colours = prepare_colours(wants_colours);
    define_key("\033[200~", paste_begin);
    define_key("\033[201~", paste_end);
    ct_write_all(STDOUT_FILENO, paste_on, sizeof paste_on - 1);
    while (typed_count > 0) ungetch(typed[--typed_count]);

    facts->unicode = unicode;
    facts->ambiguous_wide = unicode && moved == 2;
    facts->block_glyphs = !name || strcmp(name, "linux") != 0;
    facts->colours = colours;
    return CT_OK;
}

void ct_close(void) {
    if (!screen) return;
    is_open = 0;
    ct_write_all(STDOUT_FILENO, farewell, strlen(farewell));
    ct_write_all(STDOUT_FILENO, paste_off, sizeof paste_off - 1);
    endwin();
    delscreen(screen);
    screen = NULL;
    if (has_modes) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    ct_signals_end();
    error_give_back();
}

int ct_rows(void) { return LINES > 0 ? LINES : 1; }
int ct_columns(void) { return COLS > 0 ? COLS : 1; }

void ct_resize(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(curscr, true);
}

/// One code point of well-formed UTF-8.
static wchar_t next_scalar(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    int more = p[0] < 0x80 ? 0 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    wchar_t value = more == 0 ? p[0] : p[0] & (0x3f >> more);
    for (int i = 1; i <= more && p[i]; i++) value = (value << 6) | (p[i] & 0x3f);
    *text += 1 + more;
    return value;
}

static attr_t attributes_of(unsigned wanted) {
    return (wanted & CT_BOLD ? A_BOLD : 0) | (wanted & CT_REVERSE ? A_REVERSE : 0);
}

void ct_put(int row, int column, int columns, const char *utf8, unsigned attributes, int colour) {
    wchar_t text[CCHARW_MAX + 1] = {0};
    text[0] = next_scalar(&utf8);
    for (int i = 1; *utf8 && i < CCHARW_MAX;) {
        wchar_t mark = next_scalar(&utf8);
        if (wcwidth(mark) == 0) text[i++] = mark;
    }
    bool fits = wcwidth(text[0]) == columns;
    if (!fits) wcscpy(text, L"?");
    short pair = colours > 0 && colour >= CT_RED && colour <= CT_GREY ? (short)colour : 0;
    attr_t style = attributes_of(attributes);
    cchar_t cell;
    setcchar(&cell, text, style, pair, NULL);
    mvadd_wch(row, column, &cell);
    if (!fits && columns == 2) {
        setcchar(&cell, L" ", style, pair, NULL);
        mvadd_wch(row, column + 1, &cell);
    }
}

void ct_erase(void) { erase(); }

void ct_cursor(int row, int column) {
    bool wanted = row >= 0;
    if (wanted) move(row, column);
    leaveok(stdscr, !wanted);
    if (cursor_shown != wanted) curs_set(wanted ? 1 : 0);
    cursor_shown = wanted;
}

void ct_flush(void) { refresh(); }
void ct_redraw(void) { clearok(curscr, true); }

int ct_key(void) {
    int key = getch();
    switch (key) {
    case ERR: return CT_KEY_NONE;
    // Curses' own word for a new size, which is known already.
    case KEY_RESIZE: return ct_key();
    case KEY_UP: return CT_KEY_UP;
    case KEY_DOWN: return CT_KEY_DOWN;
    case KEY_LEFT: return CT_KEY_LEFT;
    case KEY_RIGHT: return CT_KEY_RIGHT;
    case KEY_HOME: return CT_KEY_HOME;
    case KEY_END: return CT_KEY_END;
    case KEY_PPAGE: return CT_KEY_PAGE_UP;
    case KEY_NPAGE: return CT_KEY_PAGE_DOWN;
    case KEY_ENTER: return CT_KEY_ENTER;
    case KEY_BACKSPACE: return CT_KEY_BACKSPACE;
    case KEY_DC: return CT_KEY_DELETE;
    case paste_begin: return CT_KEY_PASTE_BEGIN;
    case paste_end: return CT_KEY_PASTE_END;
    default: return key < 256 ? key : CT_KEY_OTHER;
    }
}

void ct_suspend(void) {
    ct_write_all(STDOUT_FILENO, paste_off, sizeof paste_off - 1);
    endwin();
    ct_signals_stop();
    ct_resume();
}

void ct_resume(void) {
    // After endwin, the next refresh sets up the screen from nothing, whatever the shell has made of it. Only once: left a
    // second time, the alternate screen would put the cursor back to where it was before the shell went on writing.
    if (!isendwin()) endwin();
    reset_prog_mode();
    ct_write_all(STDOUT_FILENO, paste_on, sizeof paste_on - 1);
    ct_resize();
}

void ct_set_farewell(const char *bytes) {
    snprintf(farewell, sizeof farewell, "%s", bytes);
    if (screen) prepare_way_out();
}

void ct_write(const char *bytes, size_t count) { ct_write_all(STDOUT_FILENO, bytes, count); }

int ct_width(uint32_t scalar) {
    static locale_t unicode;
    if (!unicode) unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    if (!unicode) return -1;
    locale_t before = uselocale(unicode);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width;
}
