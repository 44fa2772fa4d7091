// SPDX-License-Identifier: MIT

import Testing

/// The built program in networks that break, one test after another: each has three namespaces, gone at its end.
@Suite(.serialized, .needsNetworks) enum Outages {}
