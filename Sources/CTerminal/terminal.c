// SPDX-License-Identifier: MIT
#include <curses.h>
#include <fcntl.h>
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

// Beyond those that curses gives the extended keys of a terminal's description, which begin at KEY_MAX.
enum { paste_begin = 0x4000, paste_end, mouse_begin, mouse_old_begin, focus_in, focus_out, dark, light };
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
static const struct {
    unsigned bit;
    const char *on, *off;
} reports[] = {
    // Presses, releases and the wheel, then motion while a button is held, all in decimal numbers.
    {CT_REPORT_MOUSE, "\033[?1000h\033[?1002h\033[?1006h", "\033[?1006l\033[?1002l\033[?1000l"},
    {CT_REPORT_FOCUS, "\033[?1004h", "\033[?1004l"},
    {CT_REPORT_SCHEME, "\033[?2031h", "\033[?2031l"},
};
enum { report_count = sizeof reports / sizeof *reports };
static unsigned wanted_reports;

static SCREEN *screen;
static volatile sig_atomic_t is_open;
static struct termios modes_before;
static bool has_modes;
static int colours;
static bool has_default_colours;
static ct_replies replies;
static struct {
    attr_t attributes;
    int pair;
} styles[CT_STYLES];
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

void ct_restore_modes(void) {
    if (has_modes) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
}

static void leave(int output) {
    ct_write_all(output, way_out, way_out_length);
    ct_restore_modes();
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
    if (replies.synchronizes) add_way_out("\033[?2026l");
    add_way_out(farewell);
    add_way_out(paste_off);
    for (int i = 0; i < report_count; i++)
        if (wanted_reports & reports[i].bit) add_way_out(reports[i].off);
    add_way_out(tigetstr("rmkx"));
    add_way_out(tigetstr("sgr0"));
    add_way_out(tigetstr("cnorm"));
    add_way_out(tigetstr("rmcup"));
    add_way_out("\r");
    add_way_out(tigetstr("el"));
}

static SCREEN *new_screen(const char *name) {
    static char *const spare[] = {NULL, "xterm-256color", "xterm", "ansi", "vt100"};
    // The size is the terminal's, whatever LINES and COLUMNS say.
    use_env(false);
    use_tioctl(true);
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++) {
        if (i == 0 && (!name || !*name)) continue;
        SCREEN *made = newterm(spare[i], stdout, stdin);
        if (made) return made;
    }
    return NULL;
}

static int prepare_colours(bool wanted) {
    if (!wanted || !has_colors() || start_color() == ERR) return 0;
    has_default_colours = use_default_colors() == OK;
    return COLORS;
}

/// Where a colour number is not an index but the colour itself.
static bool is_direct(void) {
    // An extended capability: a number, a string such as "8/8/8", or a flag.
    if (COLORS < 1 << 24) return false;
    return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (tigetstr("RGB") && tigetstr("RGB") != (char *)-1);
}

void ct_style(int style, int foreground, int background, unsigned wanted) {
    if (style < 0 || style >= CT_STYLES) return;
    styles[style].attributes = (wanted & CT_BOLD ? A_BOLD : 0) | (wanted & CT_DIM ? A_DIM : 0) |
        (wanted & CT_REVERSE ? A_REVERSE : 0);
    styles[style].pair = 0;
    if (colours == 0 || (foreground < 0 && background < 0)) return;
    if (!has_default_colours) {
        if (foreground < 0) foreground = COLOR_WHITE;
        if (background < 0) background = COLOR_BLACK;
    }
    if (init_extended_pair(style + 1, foreground, background) == OK) styles[style].pair = style + 1;
}

/// What the terminal has replied so far.
static void note_replies(ct_facts *facts) {
    facts->ambiguous_wide = facts->unicode && replies.moved == 2;
    facts->luminance = replies.luminance;
    // A reply over a slow line may be split after its escape.
    if (!getenv("ESCDELAY")) set_escdelay(replies.are_complete ? 25 : 250);
    prepare_way_out();
}

void ct_reply(const char *text, int last, ct_facts *facts) {
    if (!screen) return;
    ct_take_reply(text, last, &replies);
    note_replies(facts);
}

static void define_keys(void) {
    define_key("\033[200~", paste_begin);
    define_key("\033[201~", paste_end);
    // In place of those of the terminal's description, which curses would decode itself.
    define_key("\033[<", mouse_begin);
    define_key("\033[M", mouse_old_begin);
    define_key("\033[I", focus_in);
    define_key("\033[O", focus_out);
    define_key("\033[?997;1n", dark);
    define_key("\033[?997;2n", light);
    // The keypad as bytes; and what is Alt-F3 is also where the cursor is behind a wide block.
    define_key("\033[1;3R", 0);
    for (const char *key = "XjklmnopqrstuvwxyE"; *key; key++) define_key((char[]){'\033', 'O', *key, 0}, 0);
}

int ct_open(bool wants_colours, int is_unicode, ct_facts *facts) {
    if (screen) return CT_BUSY;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return CT_NO_TERMINAL;
    const char *name = getenv("TERM");
    if (name && strcmp(name, "dumb") == 0) return CT_DUMB;
    if (!ct_signals_begin()) return CT_UNUSABLE;
    has_modes = tcgetattr(STDIN_FILENO, &modes_before) == 0;

    // The console of Linux takes no such questions.
    replies = (ct_replies){.moved = -1, .luminance = -1, .are_complete = true};
    if (!name || strcmp(name, "linux") != 0) ct_probe(is_unicode != 0, &replies);
    // Three columns for three bytes: the terminal takes no UTF-8. One or two: it does, and only the locale was not set.
    bool unicode = is_unicode < 0 ? replies.moved == 1 || replies.moved == 2 : is_unicode && replies.moved < 3;
    // The locale of the environment need not be installed.
    unicode = setlocale(LC_CTYPE, unicode ? "C.UTF-8" : "") != NULL && unicode;

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
    curs_set(0);
    cursor_shown = false;
    colours = prepare_colours(wants_colours);
    define_keys();
    wanted_reports = 0;
    ct_write_all(STDOUT_FILENO, paste_on, sizeof paste_on - 1);
    while (replies.typed_count > 0) ungetch(replies.typed[--replies.typed_count]);
    memset(styles, 0, sizeof styles);

    facts->unicode = unicode;
    facts->block_glyphs = !name || strcmp(name, "linux") != 0;
    facts->colours = colours;
    facts->direct = is_direct();
    note_replies(facts);
    return CT_OK;
}

static void write_text(const char *text) { ct_write_all(STDOUT_FILENO, text, strlen(text)); }

static void modes_on(void) {
    write_text(paste_on);
    for (int i = 0; i < report_count; i++)
        if (wanted_reports & reports[i].bit) write_text(reports[i].on);
}

static void modes_off(void) {
    for (int i = 0; i < report_count; i++)
        if (wanted_reports & reports[i].bit) write_text(reports[i].off);
    write_text(paste_off);
}

void ct_report(unsigned wanted) {
    if (!screen) return;
    for (int i = 0; i < report_count; i++)
        if (wanted & ~wanted_reports & reports[i].bit) write_text(reports[i].on);
    wanted_reports |= wanted;
    prepare_way_out();
}

void ct_close(void) {
    if (!screen) return;
    is_open = 0;
    ct_write_all(STDOUT_FILENO, farewell, strlen(farewell));
    modes_off();
    endwin();
    // Without an alternate screen, what follows is written over the last line.
    way_out_length = 0;
    add_way_out(tigetstr("el"));
    ct_write_all(STDOUT_FILENO, way_out, way_out_length);
    delscreen(screen);
    screen = NULL;
    ct_restore_modes();
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

void ct_row(int row, const ct_cell *cells, int count) {
    static cchar_t *line;
    static int capacity;
    if (count > capacity) {
        cchar_t *larger = realloc(line, (size_t)count * 2 * sizeof *line);
        if (!larger) return;
        line = larger;
        capacity = count;
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
        const ct_cell *cell = &cells[i];
        wchar_t text[CCHARW_MAX + 1] = {(wchar_t)cell->text[0]};
        int length = 1;
        for (int mark = 1; mark < CCHARW_MAX && mark < 5 && cell->text[mark]; mark++)
            if (wcwidth((wchar_t)cell->text[mark]) == 0) text[length++] = (wchar_t)cell->text[mark];
        bool fits = wcwidth(text[0]) == cell->columns;
        if (!fits) wcscpy(text, L"?");
        int style = cell->style < CT_STYLES ? cell->style : 0, pair = styles[style].pair;
        setcchar(&line[used++], text, styles[style].attributes, (short)pair, &pair);
        if (!fits && cell->columns == 2) setcchar(&line[used++], L" ", styles[style].attributes, (short)pair, &pair);
    }
    mvadd_wchnstr(row, 0, line, used);
}

void ct_erase(void) { erase(); }

void ct_cursor(int row, int column, bool is_shown) {
    if (row >= 0) move(row, column);
    leaveok(stdscr, row < 0);
    if (cursor_shown != is_shown) curs_set(is_shown ? 1 : 0);
    cursor_shown = is_shown;
}

void ct_flush(void) {
    static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
    wnoutrefresh(stdscr);
    if (replies.synchronizes) ct_write_all(STDOUT_FILENO, begin, sizeof begin - 1);
    doupdate();
    if (replies.synchronizes) ct_write_all(STDOUT_FILENO, end, sizeof end - 1);
}
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
    case mouse_begin: return CT_KEY_MOUSE;
    case mouse_old_begin: return CT_KEY_MOUSE_OLD;
    case focus_in: return CT_KEY_FOCUS_IN;
    case focus_out: return CT_KEY_FOCUS_OUT;
    case dark: return CT_KEY_DARK;
    case light: return CT_KEY_LIGHT;
    case KEY_BTAB: return CT_KEY_BACK_TAB;
    default:
        if (key >= KEY_F(1) && key <= KEY_F(12)) return CT_KEY_FUNCTION + (key - KEY_F0);
        // With modifiers.
        if (key > KEY_F(12) && key <= KEY_F(63)) return CT_KEY_IGNORED;
        return key < 256 ? key : CT_KEY_OTHER;
    }
}

void ct_suspend(void) {
    modes_off();
    endwin();
    ct_signals_stop();
    ct_resume();
}

void ct_resume(void) {
    // After endwin, the next refresh sets up the screen from nothing, whatever the shell has made of it. Only once: left a
    // second time, the alternate screen would put the cursor back to where it was before the shell went on writing.
    if (!isendwin()) endwin();
    reset_prog_mode();
    modes_on();
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
