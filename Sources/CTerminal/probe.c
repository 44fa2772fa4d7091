// SPDX-License-Identifier: MIT
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

// How long the first frame waits; later replies arrive as input.
enum { patience_ms = 50 };

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

/// One part of `rgb:RRRR/GGGG/BBBB`, of one to four digits, as 0…255.
static int channel(const char **text) {
    char *end;
    long value = strtol(*text, &end, 16);
    long digits = end - *text;
    if (digits < 1 || digits > 4 || value < 0) return -1;
    *text = *end == '/' ? end + 1 : end;
    return (int)(value * 255 / ((1L << (4 * digits)) - 1));
}

/// The background's luminance (ITU-R BT.601), 0…255, of the reply `11;rgb:…`; -1 for anything else.
static int luminance(const char *reply) {
    const char *text = strstr(reply, "rgb:");
    if (strncmp(reply, "11;", 3) != 0 || !text) return -1;
    text += 4;
    int red = channel(&text), green = channel(&text), blue = channel(&text);
    return red < 0 || green < 0 || blue < 0 ? -1 : (299 * red + 587 * green + 114 * blue) / 1000;
}

typedef struct {
    enum { outside, escape, control, string, string_escape } place;
    char text[64];
    size_t length;
    /// The bytes of the sequence so far.
    unsigned char raw[80];
    size_t raw_length;
} parser;

static void keep(parser *at, unsigned char byte) {
    if (at->length + 1 < sizeof at->text) at->text[at->length++] = (char)byte;
    at->text[at->length] = 0;
}

void ct_take_reply(const char *text, int last, ct_replies *replies) {
    if (last == 007) {
        int value = luminance(text);
        if (value >= 0) replies->luminance = value;
    } else if (last == 'R' && text[0] != '?') {
        const char *column = strchr(text, ';');
        if (column && replies->moved < 0) replies->moved = atoi(column + 1) - 1;
    } else if (last == 'y' && strncmp(text, "?2026;", 6) == 0) {
        // 1 set, 2 reset: known either way.
        replies->synchronizes = text[6] == '1' || text[6] == '2';
    } else if (last == 'c' && text[0] == '?') {
        replies->are_complete = true;
    }
}

static void take(parser *at, unsigned char byte, ct_replies *replies) {
    switch (at->place) {
    case outside:
        if (byte != 033) {
            if (replies->typed_count < sizeof replies->typed) replies->typed[replies->typed_count++] = byte;
            return;
        }
        at->place = escape;
        at->length = at->raw_length = 0;
        at->text[0] = 0;
        break;
    case escape: at->place = byte == '[' ? control : byte == ']' ? string : outside; break;
    case control:
        if (byte >= 0x40 && byte <= 0x7e) {
            at->place = outside;
            ct_take_reply(at->text, byte, replies);
            return;
        }
        keep(at, byte);
        break;
    case string:
    case string_escape:
        if (byte == 007 || at->place == string_escape) {
            at->place = outside;
            ct_take_reply(at->text, 007, replies);
            return;
        }
        if (byte == 033) at->place = string_escape;
        else keep(at, byte);
        break;
    }
    if (at->raw_length < sizeof at->raw) at->raw[at->raw_length++] = byte;
}

void ct_probe(bool asks_width, ct_replies *replies) {
    struct termios before, quiet;
    *replies = (ct_replies){.moved = -1, .luminance = -1};
    if (tcgetattr(STDIN_FILENO, &before) != 0) return;
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
    // The width of one block at the start of the current line, which is restored; the background; synchronized output;
    // DA1, which every terminal answers, last.
    static const char width[] = "\0337\r\xe2\x96\x88\033[6n\r\033[K\0338";
    static const char others[] = "\033]11;?\033\\\033[?2026$p\033[c";
    char question[sizeof width + sizeof others] = "";
    if (asks_width) strcat(question, width);
    strcat(question, others);
    ct_write_all(STDOUT_FILENO, question, strlen(question));

    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    parser at = {.place = outside};
    while (true) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        long left = patience_ms - elapsed_ms(&start);
        unsigned char byte;
        if (left <= 0 || poll(&input, 1, (int)left) <= 0 || read(STDIN_FILENO, &byte, 1) != 1) break;
        take(&at, byte, replies);
        if (replies->are_complete) break;
    }
    // The rest of an incomplete sequence arrives later: its beginning belongs to it.
    if (at.place != outside)
        for (size_t i = 0; i < at.raw_length && replies->typed_count < sizeof replies->typed; i++)
            replies->typed[replies->typed_count++] = at.raw[i];
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}
