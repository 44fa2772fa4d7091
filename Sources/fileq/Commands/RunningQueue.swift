// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// What a foreground run wants of its queue.
struct QueueSettings: Sendable, Equatable {
    /// How many transfers run at once; at least 1.
    var concurrent = 4
    /// Bytes a second over all downloads; `nil`: unlimited.
    var download: Int?
    /// Bytes a second over all uploads; `nil`: unlimited.
    var upload: Int?
    /// What the configuration says of networks.
    var pathOverrides = PathOverrides()
    /// Keys of servers that are accepted for this run.
    var trustedKeys: [TrustedKey] = []
    var minimumTLS: TLSVersion?
    var maximumTLS: TLSVersion?
    /// Whether somebody is there to answer what servers ask.
    var asksPeople = false

    init(concurrent: Int = 4, download: Int? = nil, upload: Int? = nil) {
        self.concurrent = concurrent
        self.download = download
        self.upload = upload
    }

    /// - Throws: code `usage` for a number or a rate that makes no sense.
    init(_ group: TransferOptionGroup, kind: TransferKind) throws(TransferError) {
        concurrent = group.run.concurrent
        guard (1...256).contains(concurrent) else {
            throw TransferError(.usage, option: "--concurrent", "write a number from 1 to 256")
        }
        (minimumTLS, maximumTLS) = try TrustWords.versions(group.trust)
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
    /// Stops what runs, keeps what is needed to resume, shuts the queue down; returns when all is on disk.
    let stop: @Sendable () async -> Void
}
