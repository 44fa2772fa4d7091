// SPDX-License-Identifier: MIT
#include <curses.h>
// After CTerminal.h, as it defines words such as `columns`.
#include "CTerminal.h"
#include <term.h>
#include <unistd.h>

int ct_described_colours(const char *type) {
    int status;
    if (stdscr || setupterm(type, STDOUT_FILENO, &status) != OK) return -1;
    int colours = tigetnum("colors");
    del_curterm(cur_term);
    return colours > 0 ? colours : 0;
}
