// SPDX-License-Identifier: MIT
// The routing family of netlink: its numbers and message heads.
#ifndef FILEQ_CNETLINK_H
#define FILEQ_CNETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>

// A macro that Swift does not read: the type of an attribute without its flags.
static inline uint16_t clinux_attribute_type(uint16_t type) { return type & (uint16_t)NLA_TYPE_MASK; }

#endif
