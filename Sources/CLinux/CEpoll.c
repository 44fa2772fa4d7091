// SPDX-License-Identifier: MIT
#include "CEpoll.h"

#include <errno.h>
#include <sys/epoll.h>

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int descriptor, uint64_t number, uint32_t events) {
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data = {.u64 = number}};
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

int clinux_epoll_add(int epoll, int descriptor, uint64_t number) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, number, 0);
}

int clinux_epoll_arm(int epoll, int descriptor, uint64_t number, int reading, int writing) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, number, (reading ? EPOLLIN : 0) | (writing ? EPOLLOUT : 0));
}

void clinux_epoll_remove(int epoll, int descriptor) {
    struct epoll_event unused = {0};
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &unused);
}

int clinux_epoll_wait(int epoll, struct clinux_readiness *ready, int most) {
    struct epoll_event events[64];
    if (most > 64) most = 64;
    int count;
    do count = epoll_wait(epoll, events, most, -1);
    while (count < 0 && errno == EINTR);
    for (int i = 0; i < count; i++) {
        int is_over = (events[i].events & (EPOLLERR | EPOLLHUP)) != 0;
        ready[i].number = events[i].data.u64;
        ready[i].is_readable = is_over || (events[i].events & EPOLLIN) != 0;
        ready[i].is_writable = is_over || (events[i].events & EPOLLOUT) != 0;
    }
    return count;
}
