// SPDX-License-Identifier: MIT
// Swift's Mutex, as the thread sanitizer can follow it.
//
// Where nobody else holds it, a Mutex is taken and given back by atomic operations that are compiled into its user, and the
// sanitizer sees them. Where somebody does, the standard library, which is built without the sanitizer, lets the kernel hand it
// over (FUTEX_LOCK_PI): that is not seen, and whatever the mutex protects looks like a race. Linked into the tests, these take the
// place of the library's functions and wait with atomic operations alone. They hide nothing: what is used without the mutex is
// reported as before.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SELF __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void visible_mutex_lock(uint32_t thread, SELF _Atomic uint32_t *state) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void visible_mutex_lock(uint32_t thread, SELF _Atomic uint32_t *state) {
    for (;;) {
        uint32_t expected = 0;
        if (atomic_compare_exchange_strong_explicit(state, &expected, thread, memory_order_acquire, memory_order_relaxed)) return;
        // Taking it twice would wait for ever; the library ends the process.
        if (expected == thread) __builtin_trap();
        sched_yield();
    }
}

// Synchronization._MutexHandle._unlockSlow(): reached only where the fast way failed, which nobody who waits makes it do here.
SWIFT void visible_mutex_unlock(SELF _Atomic uint32_t *state) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void visible_mutex_unlock(SELF _Atomic uint32_t *state) {
    uint32_t expected = (uint32_t)syscall(SYS_gettid);
    if (!atomic_compare_exchange_strong_explicit(state, &expected, 0, memory_order_release, memory_order_relaxed)) __builtin_trap();
}
