// SPDX-License-Identifier: MIT

import TransferModel

// Limits of the whole queue, and its rates.

struct GetLimitsCall: PlainCall {
    static let method = "limits.get"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> QueueLimits {
        try await session.queue.limits()
    }
}

struct SetLimitsCall: ControlCall {
    static let method = "limits.set"

    enum Change: Sendable, Hashable {
        /// All limits; the hold, too, if they name it.
        case all(QueueLimits)
        /// `isHeld` is the only member.
        case hold(Bool)
    }

    var change: Change

    init(_ limits: QueueLimits) { change = .all(limits) }
    init(isHeld: Bool) { change = .hold(isHeld) }

    private enum Key: CodingKey { case concurrent, perHost, download, upload, isHeld }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        if members.allKeys == [.isHeld] {
            change = .hold(try members.decode(Bool.self, forKey: .isHeld))
        } else {
            change = .all(try QueueLimits(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch change {
        case .all(let limits): try limits.encode(to: encoder)
        case .hold(let isHeld):
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(isHeld, forKey: .isHeld)
        }
    }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        switch change {
        case .all(let limits): try await session.queue.setLimits(limits)
        case .hold(let isHeld): try await session.queue.setHeld(isHeld)
        }
        return Done()
    }
}

/// Asks for the samples of a rate graph.
struct RatesCall: ControlCall {
    static let method = "rates"
    static var bare: RatesCall? { RatesCall() }
    /// The last so many seconds; absent: 60.
    var seconds: Int?
    /// The transfer whose own rates are requested, too; absent: none.
    var id: TransferID?
    /// Whether the series of all transfers together are wanted; absent: no.
    var series: Bool?

    func carryOut(in session: ServerSession, bytes: Int) async throws -> RateReport {
        let seconds = seconds ?? 60
        guard (1...RateReport.maximumSeconds).contains(seconds) else {
            throw TransferError(ParameterProblem("seconds", .range, from: 1, to: RateReport.maximumSeconds))
        }
        var report = try await session.queue.rates(seconds: seconds, of: id)
        if series != true { (report.receivedSeries, report.sentSeries) = (nil, nil) }
        return report
    }
}

struct GetTimetableCall: PlainCall {
    static let method = "timetable.get"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> LimitTimetable {
        try await session.queue.timetable()
    }
}

struct SetTimetableCall: ValueCall {
    static let method = "timetable.set"
    var value: LimitTimetable

    init(_ value: LimitTimetable) { self.value = value }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        try value.validate()
        try await session.queue.setTimetable(value)
        return Done()
    }
}
