// SPDX-License-Identifier: MIT

import Dispatch

/// For conditions that have to be awaited. Blocks no thread of the pool, and leaves the processor to what it waits for.
func polled(_ condition: () async -> Bool) async -> Bool {
    let end = DispatchTime.now() + 60
    while DispatchTime.now() < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
}
