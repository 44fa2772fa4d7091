// SPDX-License-Identifier: MIT
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

// Long enough for a far terminal, short enough for one that never answers.
enum { patience_ms = 300 };

static long elapsed_ms(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

void ct_write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

int ct_probe(unsigned char *typed, size_t capacity, size_t *count) {
    struct termios before, quiet;
    *count = 0;
    if (tcgetattr(STDIN_FILENO, &before) != 0) return 0;
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
    // On the current line, which is put back: save the cursor, one block at its start, ask where the cursor is.
    static const char question[] = "\0337\r\xe2\x96\x88\033[6n\r\033[K\0338";
    ct_write_all(STDOUT_FILENO, question, sizeof question - 1);

    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int column = 0, number = 0;
    enum { outside, escape, inside } place = outside;
    while (column == 0) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        long left = patience_ms - elapsed_ms(&start);
        unsigned char byte;
        if (left <= 0 || poll(&input, 1, (int)left) <= 0 || read(STDIN_FILENO, &byte, 1) != 1) break;
        if (place == outside && byte == 033) {
            place = escape;
        } else if (place == escape && byte == '[') {
            place = inside;
            number = 0;
        } else if (place == inside && byte >= '0' && byte <= '9') {
            if (number < 10000) number = number * 10 + (byte - '0');
        } else if (place == inside && byte == ';') {
            number = 0;
        } else if (place == inside) {
            if (byte == 'R') column = number;
            place = outside;
        } else {
            place = outside;
            if (*count < capacity) typed[(*count)++] = byte;
        }
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return column > 0 ? column - 1 : 0;
}
