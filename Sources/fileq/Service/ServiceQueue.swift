// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferService

/// Options of the service's queue.
struct ServiceSettings: Sendable {
    var places: Places
    /// Concurrent transfers; at least 1.
    var concurrent = 4
    /// Network traits and hooks from the configuration.
    var configured = ConfigurationWatch.Values()
    /// Receives messages without secrets about non-fatal errors.
    var report: @Sendable (String) -> Void = { _ in }

    init(places: Places) { self.places = places }
}

/// The queue of the background service.
struct ServiceQueue: Sendable {
    let client: any QueueClient
    /// Applies a reloaded configuration.
    let reconfigure: @Sendable (ConfigurationWatch.Values) -> Void
    let limitsInForce: @Sendable () async -> QueueLimits
    let sleepStatus: @Sendable () -> SleepStatus
    /// Stops running transfers, saves what is needed to resume, ends the update streams; returns when all is on disk.
    let stop: @Sendable () async -> Void
}
