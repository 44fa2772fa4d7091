// SPDX-License-Identifier: MIT

// Limits of the whole queue.

struct GetLimitsCall: PlainCall {
    static let method = "limits.get"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> QueueLimits {
        try await session.queue.snapshot().limits
    }
}

struct SetLimitsCall: ValueCall {
    static let method = "limits.set"
    var value: QueueLimits

    init(_ value: QueueLimits) { self.value = value }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        try await session.queue.setLimits(value)
        return Done()
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
