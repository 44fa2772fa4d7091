// SPDX-License-Identifier: MIT
// A program may begin without standard input, output or error. Its next descriptors would get their numbers: libdispatch opens an eventfd and
// an epoll descriptor before Swift's main, and a body written to "standard output" would go there. Constructors run before that.
#include "CStandardStreams.h"

#include <fcntl.h>
#include <unistd.h>

// Open for the other direction, as stdopen() of coreutils does: reading from the missing input, and writing to the missing output, fails
// (EBADF) as before. Children inherit them.
__attribute__((constructor)) static void fileq_open_missing_streams(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        // The lowest free number is this one.
        if (fcntl(number, F_GETFD) < 0) (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}
