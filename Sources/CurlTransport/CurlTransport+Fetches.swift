// SPDX-License-Identifier: MIT

package import SessionCore

extension CurlTransport: PlainFetchTransport {
    package func fetch(_ fetches: [PlainFetch], like exchange: Exchange, for receiver: any PlainFetchReceiver) {
        if post(.fetches(.add(fetches, exchange, receiver))) { return }
        executor.post { receiver.received(fetches.map { .returned($0.key, isPlain: false) }) }
    }

    package func setFetchSlots(_ count: Int, handedOver: Int) {
        post(.fetches(.limit(count, handedOver: handedOver)))
    }

    package func recallFetches() { post(.fetches(.recall)) }
    package func cancelFetch(_ key: Int) { post(.fetches(.cancel(key))) }
}

/// Commands for ``PlainSlots``.
enum FetchCommand: Sendable {
    case add([PlainFetch], Exchange, any PlainFetchReceiver)
    case limit(Int, handedOver: Int)
    case recall
    case cancel(Int)
    case drop(Int)
}
