// SPDX-License-Identifier: MIT

package import TransferModel

/// How many bytes of bodies moved lately, and the limits in force. The queue takes samples all the time, so that a new
/// screen has the whole graph.
package struct RateReport: Sendable, Hashable, Codable {
    /// The longest graph, in seconds.
    package static let maximumSeconds = 600

    /// Bytes received in each of the last full seconds, oldest first.
    package var received: [Int64]
    /// Bytes sent, for the same seconds.
    package var sent: [Int64]
    /// Received rates over a longer time, as ``TransferRates/series``; `nil` if not requested.
    package var receivedSeries: [TransferRates.Series]?
    package var sentSeries: [TransferRates.Series]?
    /// In force now, including the timetable.
    package var limits: QueueLimits
    /// Seconds since 1970 when the timetable changes the limits; `nil` if it does not.
    package var limitsEnd: Double?
    /// The rates of the requested transfer; `nil` if it has moved no byte lately.
    package var transfer: TransferRates?
    /// The network of the unfinished transfers; `nil` if there are none, or it is unknown.
    package var network: NetworkInUse?

    package init(
        received: [Int64], sent: [Int64], limits: QueueLimits, limitsEnd: Double? = nil, transfer: TransferRates? = nil,
        network: NetworkInUse? = nil
    ) {
        self.received = received
        self.sent = sent
        self.limits = limits
        self.limitsEnd = limitsEnd
        self.transfer = transfer
        self.network = network
    }
}

/// The route of transfers to other machines.
package struct NetworkInUse: Sendable, Hashable, Codable {
    /// The name of the interface, raw; `nil` without a route.
    package var interface: String?
    /// Whether its use may cost money; absent: no.
    package var expensive: Bool?
    /// Whether its owner wants little traffic on it; absent: no.
    package var constrained: Bool?
    /// Why there is no route: one line in lower case.
    package var obstacle: String?

    package init(
        interface: String?, expensive: Bool? = nil, constrained: Bool? = nil, obstacle: String? = nil
    ) {
        (self.interface, self.expensive, self.constrained) = (interface, expensive, constrained)
        self.obstacle = obstacle
    }
}

/// The rate of one transfer lately, in steps of several lengths. The queue keeps it for a thousand transfers.
package struct TransferRates: Sendable, Hashable, Codable {
    /// Samples of one length.
    package struct Series: Sendable, Hashable, Codable {
        /// Seconds that a sample covers.
        package var step: Int
        /// Bytes per second, oldest first, at most 60; `nil` where the transfer did not run. The last one may cover
        /// less than a step.
        package var rates: [Int64?]

        package init(step: Int, rates: [Int64?]) {
            (self.step, self.rates) = (step, rates)
        }
    }

    package var id: TransferID
    /// The shortest step first: a second, five, a minute.
    package var series: [Series]

    package init(id: TransferID, series: [Series]) {
        (self.id, self.series) = (id, series)
    }
}
