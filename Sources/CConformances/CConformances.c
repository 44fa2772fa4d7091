// SPDX-License-Identifier: MIT
// Swift's runtime answers the first `as?` of each type and protocol by reading all conformance records of the program, 11,000 in fileq; a
// command line asks some hundred times before its first byte. This table of the records answers with one look.
//
// The linker puts these functions before the runtime's (--wrap in the Makefile), in programs that hold the runtime and all Swift code, so that
// no other image has records. They answer only what needs no judgement: a struct or enum whose descriptor is unique, and at most one record,
// without conditions and isolation. Everything else goes to the runtime. Layouts: swift/ABI/Metadata.h, MetadataValues.h.
#include "CConformances.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct descriptor {
    int32_t protocol, type, witnesses;
    uint32_t flags;
};

enum {
    type_kind_shift = 3,
    type_kind_mask = 7,
    is_protocol_conformance = 1u << 18,
    // Conditional requirements, isolation to a global actor, requirements of packs.
    needs_judgement = 0xffu << 8 | 1u << 19 | 0xffu << 24,
};

enum { kind_struct = 0x200, kind_enum = 0x201, kind_optional = 0x202, context_is_unique = 0x40 };

// A power of two, and twice what programs of this size have.
enum { slots = 1 << 15 };

extern const int32_t __start_swift5_protocol_conformances[] __attribute__((weak, visibility("hidden")));
extern const int32_t __stop_swift5_protocol_conformances[] __attribute__((weak, visibility("hidden")));
extern const void *swift_getWitnessTable(const struct descriptor *, const void *type, const void *const *arguments) __attribute__((weak));
extern const void *__real_swift_conformsToProtocol(const void *type, const void *protocol) __attribute__((weak));
extern const void *__real_swift_conformsToProtocolCommon(const void *type, const void *protocol) __attribute__((weak));
extern const void *__real_swift_conformsToProtocolWithExecutionContext(const void *type, const void *protocol, void *context)
    __attribute__((weak));

// The number of a record, from 1.
static uint16_t table[slots];
static atomic_int state;
enum { empty, building, ready, unusable };

static const void *relative(const int32_t *offset) { return (const char *)offset + *offset; }

static const void *indirectable(const int32_t *offset) {
    if (!(*offset & 1)) return *offset ? relative(offset) : NULL;
    return *(const void *const *)((const char *)offset + (*offset & ~1));
}

static const struct descriptor *record(unsigned number) { return relative(&__start_swift5_protocol_conformances[number - 1]); }

static const void *protocol_of(const struct descriptor *it) { return indirectable(&it->protocol); }

// NULL unless it is a type's descriptor.
static const void *type_of(const struct descriptor *it) {
    switch (it->flags >> type_kind_shift & type_kind_mask) {
    case 0: return relative(&it->type);
    case 1: return *(const void *const *)relative(&it->type);
    default: return NULL;
    }
}

static unsigned slot(const void *type, const void *protocol) {
    uint64_t mixed = ((uintptr_t)type >> 2) * 0x9e3779b97f4a7c15u ^ ((uintptr_t)protocol >> 2) * 0xc2b2ae3d27d4eb4fu;
    return (unsigned)(mixed >> 40) & (slots - 1);
}

static bool fill(void) {
    ptrdiff_t count = __stop_swift5_protocol_conformances - __start_swift5_protocol_conformances;
    if (count <= 0 || count > slots / 4 * 3) return false;
    for (unsigned number = 1; number <= (unsigned)count; number++) {
        const struct descriptor *it = record(number);
        const void *type = type_of(it);
        if (!type) continue;
        unsigned at = slot(type, protocol_of(it));
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = (uint16_t)number;
    }
    return true;
}

// One thread fills the table; another that comes meanwhile asks the runtime.
static bool is_ready(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (now != empty) return now == ready;
    if (!atomic_compare_exchange_strong(&state, &now, building)) return now == ready;
    bool is_filled = fill();
    atomic_store_explicit(&state, is_filled ? ready : unusable, memory_order_release);
    return is_filled;
}

// Whether the table knows the answer.
static bool answer(const void *type, const void *protocol, const void **witnesses) {
    uintptr_t kind = *(const uintptr_t *)type;
    if (kind != kind_struct && kind != kind_enum && kind != kind_optional) return false;
    const uint32_t *context = ((const uint32_t *const *)type)[1];
    if (!(*context & context_is_unique) || !is_ready()) return false;
    const struct descriptor *found = NULL;
    for (unsigned at = slot(context, protocol); table[at]; at = (at + 1) & (slots - 1)) {
        const struct descriptor *it = record(table[at]);
        if (type_of(it) != context || protocol_of(it) != protocol) continue;
        if (found || it->flags & needs_judgement || it->flags & is_protocol_conformance) return false;
        found = it;
    }
    *witnesses = found ? swift_getWitnessTable(found, type, NULL) : NULL;
#ifdef FILEQ_CHECK_CONFORMANCES
    // Tests/conformances/run.
    if (*witnesses != __real_swift_conformsToProtocolCommon(type, protocol)) __builtin_trap();
#endif
    return true;
}

const void *__wrap_swift_conformsToProtocol(const void *type, const void *protocol);
const void *__wrap_swift_conformsToProtocolCommon(const void *type, const void *protocol);
const void *__wrap_swift_conformsToProtocolWithExecutionContext(const void *type, const void *protocol, void *context);

const void *__wrap_swift_conformsToProtocol(const void *type, const void *protocol) {
    const void *witnesses;
    return answer(type, protocol, &witnesses) ? witnesses : __real_swift_conformsToProtocol(type, protocol);
}

const void *__wrap_swift_conformsToProtocolCommon(const void *type, const void *protocol) {
    const void *witnesses;
    return answer(type, protocol, &witnesses) ? witnesses : __real_swift_conformsToProtocolCommon(type, protocol);
}

const void *__wrap_swift_conformsToProtocolWithExecutionContext(const void *type, const void *protocol, void *context) {
    const void *witnesses;
    if (answer(type, protocol, &witnesses)) return witnesses;
    return __real_swift_conformsToProtocolWithExecutionContext(type, protocol, context);
}
