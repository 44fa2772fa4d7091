// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferService

/// What the service wants of its queue.
struct ServiceSettings: Sendable {
    var places: ServicePlaces
    /// How many transfers run at once; at least 1.
    var concurrent = 4
    /// What the configuration says of networks, and what is run when something happens to a transfer.
    var configured = ConfigurationWatch.Values()
    /// Hears, in words without secrets, what went wrong on the way and stops nothing.
    var report: @Sendable (String) -> Void = { _ in }

    init(places: ServicePlaces) { self.places = places }
}

/// The queue of the background service.
struct ServiceQueue: Sendable {
    let client: any QueueClient
    /// Takes over what the configuration says now.
    let reconfigure: @Sendable (ConfigurationWatch.Values) -> Void
    let limitsInForce: @Sendable () async -> QueueLimits
    /// Stops what runs, keeps what is needed to go on from, ends the streams of updates; returns when all is on disk.
    let stop: @Sendable () async -> Void
}
