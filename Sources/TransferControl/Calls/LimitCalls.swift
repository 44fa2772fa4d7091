// SPDX-License-Identifier: MIT

package import TransferModel

// Limits of the whole queue, and its rates.

extension QueueClient {
    /// The limits of the whole queue, without those of the timetable.
    package func limits() async throws -> QueueLimits { try await call(GetLimitsCall()) }

    /// Bytes per second for all transfers together, in each direction; `nil`: unlimited. Also holds or releases the
    /// whole queue (``QueueLimits/isHeld``).
    package func setLimits(_ limits: QueueLimits) async throws { _ = try await call(SetLimitsCall(limits)) }

    /// Holds the whole queue, or releases it (``QueueLimits/isHeld``); its limits stay as they are, also those
    /// that another client sets meanwhile.
    package func setHeld(_ isHeld: Bool) async throws { _ = try await call(SetLimitsCall(isHeld: isHeld)) }

    /// - Throws: code `usage` if the queue has no timetable.
    package func timetable() async throws -> LimitTimetable { try await call(GetTimetableCall()) }

    /// - Throws: code `usage` if the queue has no timetable, or an entry is invalid.
    package func setTimetable(_ timetable: LimitTimetable) async throws {
        _ = try await call(SetTimetableCall(timetable))
    }

    /// Bytes moved in the last seconds, and the limits in force.
    /// - Parameters:
    ///   - seconds: of the graph, 1…``RateReport/maximumSeconds``; the reply may have fewer.
    ///   - id: a transfer whose own rates are wanted, too; the reply has none if it has moved no byte lately.
    /// - Throws: code `usage` if the queue takes no samples.
    package func rates(seconds: Int, of id: TransferID? = nil) async throws -> RateReport {
        try await call(RatesCall(seconds: seconds, id: id, series: true))
    }
}

package struct GetLimitsCall: ControlCall, PlainCall {
    package typealias Reply = QueueLimits
    package static let method = "limits.get"

    package init() {}
}

package struct SetLimitsCall: ControlCall {
    package static let method = "limits.set"

    package enum Change: Sendable, Hashable {
        /// All limits; the hold, too, if they name it.
        case all(QueueLimits)
        /// `isHeld` is the only member.
        case hold(Bool)
    }

    package var change: Change

    init(_ limits: QueueLimits) { change = .all(limits) }
    init(isHeld: Bool) { change = .hold(isHeld) }

    private enum Key: CodingKey { case concurrent, perHost, download, upload, isHeld }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        if members.allKeys == [.isHeld] {
            change = .hold(try members.decode(Bool.self, forKey: .isHeld))
        } else {
            change = .all(try QueueLimits(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch change {
        case .all(let limits): try limits.encode(to: encoder)
        case .hold(let isHeld):
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(isHeld, forKey: .isHeld)
        }
    }
}

package struct RatesCall: ControlCall {
    package static let method = "rates"
    package static var ability: TransferProblem.Ability? { .rates }
    static var bare: RatesCall? { RatesCall() }
    /// The last so many seconds; absent: 60.
    var seconds: Int?
    /// The transfer whose own rates are requested, too; absent: none.
    package var id: TransferID?
    /// Whether the series of all transfers together are wanted; absent: no.
    var series: Bool?

    package typealias Reply = RateReport
    package var duration: Int { seconds ?? 60 }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> RateReport {
        try WireCheck.count(duration, upTo: RateReport.maximumSeconds, "seconds")
        var report = try await session.queue.call(self)
        if series != true { (report.receivedSeries, report.sentSeries) = (nil, nil) }
        return report
    }
}

package struct GetTimetableCall: ControlCall, PlainCall {
    package typealias Reply = LimitTimetable
    package static let method = "timetable.get"
    package static var ability: TransferProblem.Ability? { .timetable }

    package init() {}
}

package struct SetTimetableCall: ControlCall, ValueCall {
    package static let method = "timetable.set"
    package static var ability: TransferProblem.Ability? { .timetable }
    package var value: LimitTimetable

    package init(_ value: LimitTimetable) { self.value = value }

    func check() throws(TransferError) { try value.validate() }
}
