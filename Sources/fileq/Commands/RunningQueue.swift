// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// Options of a foreground run's queue.
struct QueueSettings: Sendable, Equatable {
    /// Concurrent transfers; at least 1.
    var concurrent = 4
    /// Bytes per second of all downloads; `nil`: unlimited.
    var download: Int?
    /// Bytes per second of all uploads; `nil`: unlimited.
    var upload: Int?
    /// Network traits from the configuration.
    var pathOverrides = PathOverrides()
    /// Server keys accepted in this run.
    var trustedKeys: [TrustedKey] = []
    var minimumTLS: TLSVersion?
    var maximumTLS: TLSVersion?
    /// Whether the user can be asked.
    var asksUser = false

    init(concurrent: Int = 4, download: Int? = nil, upload: Int? = nil) {
        self.concurrent = concurrent
        self.download = download
        self.upload = upload
    }

    /// - Throws: code `usage` for an invalid number or rate.
    init(_ group: TransferOptionGroup, kind: TransferKind) throws(TransferError) {
        concurrent = group.run.concurrent
        guard (1...256).contains(concurrent) else {
            throw TransferError(.usage, option: "--concurrent", "use a number from 1 to 256")
        }
        (minimumTLS, maximumTLS) = try TrustArguments.versions(group.trust)
        guard let text = group.connection.limit else { return }
        let rate = try naming("--limit") { () throws(TransferError) in try TransferRate.parse(text) }
        switch kind {
        case .download: download = rate
        case .upload: upload = rate
        }
    }
}

/// A queue that lives as long as this run.
struct RunningQueue: Sendable {
    let client: any QueueClient
    /// Stops running transfers, saves what is needed to resume, and shuts the queue down; returns when all is on disk.
    let stop: @Sendable () async -> Void
}
