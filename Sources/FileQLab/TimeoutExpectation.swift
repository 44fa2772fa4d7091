// SPDX-License-Identifier: MIT

/// The settings of the four timers, in seconds.
struct TimeoutSettings: Sendable, Hashable {
    var connect: Double
    var request: Double
    /// `nil`: as ``request``.
    var response: Double?
    var resource: Double
}

/// What happens to a request without timers; seconds since its start.
struct TransferCourse: Sendable, Hashable {
    /// When it is connected; `nil`: never.
    var connects: Double?
    /// When bytes move in either direction, ascending.
    var moves: [Double]
    /// When the server has the whole body of the request; `nil` without one.
    var sent: Double?
    /// When the head of the response arrives; `nil`: never.
    var head: Double?
    /// When the response is complete; `nil`: never.
    var ends: Double?
}

/// What a timer checks.
enum TransferTimer: String, Sendable, Hashable, CaseIterable {
    /// Can the server be reached at all?
    case connect
    /// Have bytes stopped moving?
    case request
    /// Does the server not respond to what it has?
    case response
    /// Has all of it taken too long?
    case resource
}

/// The result of a request with timers. No I/O.
enum TimeoutExpectation: Sendable, Hashable {
    case completes(after: Double)
    case fires(TransferTimer, after: Double)
    /// None of these within the observed time.
    case continues(past: Double)

    /// The expected result of `course` under `settings` within `horizon` seconds: whatever is first. At the same time,
    /// the connect timer precedes the request timer, and that the resource timer.
    init(_ settings: TimeoutSettings, _ course: TransferCourse, horizon: Double) {
        var firings: [(timer: TransferTimer, time: Double)] = []
        if course.connects.map({ $0 > settings.connect }) ?? true { firings.append((.connect, settings.connect)) }
        let end = course.ends ?? .infinity
        var last = 0.0
        var idle = (timer: TransferTimer.request, seconds: settings.request)
        for move in course.moves.filter({ $0 < end }) + [end] {
            idle = (.request, settings.request)
            if let response = settings.response, let sent = course.sent, sent <= last, last < course.head ?? .infinity {
                idle = (.response, response)
            }
            if move - last > idle.seconds { break }
            last = move
        }
        if last < end { firings.append((idle.timer, last + idle.seconds)) }
        firings.append((.resource, settings.resource))
        var first = firings[0]
        for firing in firings.dropFirst() where firing.time < first.time { first = firing }
        if end <= first.time, end <= horizon {
            self = .completes(after: end)
        } else {
            self = first.time <= horizon ? .fires(first.timer, after: first.time) : .continues(past: horizon)
        }
    }

    /// Not too early, and late by at most 250 ms and a tenth: the engine checks progress ten times a second, and the
    /// machine may be busy. 10 ms early are tolerated, as the two ends do not start simultaneously.
    func allows(_ measured: TimeoutExpectation) -> Bool {
        func isNear(_ expected: Double, _ measured: Double) -> Bool {
            measured >= expected - 0.01 && measured <= expected * 1.1 + 0.25
        }
        switch (self, measured) {
        case (.completes(let expected), .completes(let time)): return isNear(expected, time)
        case (.fires(let timer, let expected), .fires(let other, let time)):
            return timer == other && isNear(expected, time)
        case (.continues, .continues): return true
        default: return false
        }
    }
}
