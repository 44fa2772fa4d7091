// SPDX-License-Identifier: MIT

import NIOCore

/// One direction of a link, shared by all its connections. Used only on one event loop.
final class LinkDirection {
    private(set) var shaper: Shaper
    let loop: any EventLoop
    private let began: NIODeadline
    let capacity: Int
    let pieceBytes: Int

    init(_ shaper: Shaper, loop: any EventLoop, began: NIODeadline) {
        (self.shaper, self.loop, self.began) = (shaper, loop, began)
        (capacity, pieceBytes) = (shaper.capacity, shaper.pieceBytes)
    }

    /// When `bytes` bytes offered now arrive.
    func arrival(of bytes: Int) -> NIODeadline {
        let now = Double((loop.now - began).nanoseconds) / 1e9
        return began + .nanoseconds(Int64(shaper.arrival(of: bytes, offeredAt: now) * 1e9))
    }
}
