// SPDX-License-Identifier: MIT
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "CTerminal.h"
#include "private.h"

// A handler only notes what came and wakes the loop. Handlers stand before curses starts, because curses installs its
// own only over the default action.

static const int noted[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGALRM};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGFPE, SIGSYS, SIGQUIT};
enum { noted_count = sizeof noted / sizeof *noted, crash_count = sizeof crashes / sizeof *crashes };
// Seconds from a signal that ends the process until it does so without the loop.
enum { patience = 5 };

static struct sigaction noted_before[noted_count];
static struct sigaction crashes_before[crash_count];
static atomic_uint pending;
static atomic_int ending;
static atomic_int wake_descriptor = -1;
static char *crash_stack;
static sigset_t mask_before;

int ct_wake_descriptor(void) { return atomic_load(&wake_descriptor); }

void ct_wake(void) {
    int descriptor = atomic_load(&wake_descriptor), saved = errno;
    uint64_t one = 1;
    if (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0) { /* the counter is full: it is awake anyway */ }
    errno = saved;
}

static void note(int number) {
    int none = 0;
    switch (number) {
    case SIGWINCH: atomic_fetch_or(&pending, CT_SIGNAL_RESIZE); break;
    case SIGTSTP: atomic_fetch_or(&pending, CT_SIGNAL_SUSPEND); break;
    case SIGCONT: atomic_fetch_or(&pending, CT_SIGNAL_CONTINUE); break;
    case SIGALRM:
        // The terminal takes no output: the loop hangs in write(2), and nothing can be written to leave the screen.
        ct_restore_modes();
        signal(atomic_load(&ending), SIG_DFL);
        raise(atomic_load(&ending));
        break;
    default:
        if (atomic_compare_exchange_strong(&ending, &none, number)) alarm(patience);
    }
    ct_wake();
}

static void crash(int number, siginfo_t *info, void *context) {
    (void)context;
    ct_emergency();
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &crashes_before[i], NULL);
    // A fault happens again as soon as this returns, now for whoever handled it before. What somebody sent does not.
    if (info->si_code <= 0) raise(number);
}

bool ct_signals_begin(void) {
    if (atomic_load(&wake_descriptor) < 0) {
        // Kept for the life of the process: another thread may wake a screen that is just being closed.
        int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (descriptor < 0) return false;
        atomic_store(&wake_descriptor, descriptor);
    }
    atomic_store(&pending, 0);
    atomic_store(&ending, 0);
    for (int i = 0; i < noted_count; i++) {
        struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
        sigaction(noted[i], NULL, &noted_before[i]);
        // nohup, and shells without job control, say so by an ignored signal.
        if (noted_before[i].sa_handler == SIG_IGN && (noted[i] == SIGHUP || noted[i] == SIGTSTP || noted[i] == SIGINT)) continue;
        sigaction(noted[i], &action, NULL);
    }
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) && (crash_stack = malloc(65536)))
        sigaltstack(&(stack_t){.ss_sp = crash_stack, .ss_size = 65536}, NULL);
    for (int i = 0; i < crash_count; i++) {
        struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(crashes[i], &action, &crashes_before[i]);
    }
    // Whoever started this may have had them blocked, and a new process inherits that.
    sigset_t wanted;
    sigemptyset(&wanted);
    for (int i = 0; i < noted_count; i++) sigaddset(&wanted, noted[i]);
    for (int i = 0; i < crash_count; i++) sigaddset(&wanted, crashes[i]);
    pthread_sigmask(SIG_UNBLOCK, &wanted, &mask_before);
    return true;
}

void ct_signals_end(void) {
    alarm(0);
    for (int i = 0; i < noted_count; i++) sigaction(noted[i], &noted_before[i], NULL);
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &crashes_before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    if (!crash_stack) return;
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(crash_stack);
    crash_stack = NULL;
}

unsigned ct_take_signals(void) { return atomic_exchange(&pending, 0); }
int ct_ending_signal(void) { return atomic_load(&ending); }

void ct_signals_stop(void) {
    struct sigaction normal = {.sa_handler = SIG_DFL}, ours;
    sigaction(SIGTSTP, NULL, &ours);
    if (ours.sa_handler == SIG_IGN) return;
    sigaction(SIGTSTP, &normal, NULL);
    // To this thread, so that it stands still before the call returns; the whole process stops with it.
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    atomic_fetch_and(&pending, ~(unsigned)(CT_SIGNAL_CONTINUE | CT_SIGNAL_SUSPEND));
}

int ct_wait(int milliseconds) {
    struct pollfd wanted[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = ct_wake_descriptor(), .events = POLLIN}};
    int found = 0;
    if (poll(wanted, 2, milliseconds) <= 0) return 0;
    if (wanted[0].revents & (POLLHUP | POLLERR | POLLNVAL)) found |= CT_HANGUP;
    if (wanted[0].revents & POLLIN) found |= CT_INPUT;
    if (wanted[1].revents & POLLIN) {
        uint64_t count;
        if (read(wanted[1].fd, &count, sizeof count) > 0) found |= CT_WOKEN;
    }
    return found;
}
