// SPDX-License-Identifier: MIT
// epoll(7), whose types Swift's Glibc module does not carry.
#ifndef FILEQ_CEPOLL_H
#define FILEQ_CEPOLL_H

#include <stdint.h>

/// A descriptor is ready.
struct clinux_readiness {
    /// As given to ``clinux_epoll_add``.
    uint64_t number;
    /// An error, and the end of the other side, count as both.
    int is_readable, is_writable;
};

/// Closed on exec. Returns a descriptor, or -1 with errno.
int clinux_epoll_create(void);

/// Adds a descriptor that is not waited for yet. Returns 0 or an errno.
int clinux_epoll_add(int epoll, int descriptor, uint64_t number);

/// Waits for a descriptor to become readable, writable, or either; until the next event. Returns 0 or an errno.
int clinux_epoll_arm(int epoll, int descriptor, uint64_t number, int reading, int writing);

void clinux_epoll_remove(int epoll, int descriptor);

/// Blocks until something is ready; not interrupted by signals. Returns how many of `most` were written, or -1 with errno.
int clinux_epoll_wait(int epoll, struct clinux_readiness *ready, int most);

#endif
