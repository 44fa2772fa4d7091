// SPDX-License-Identifier: MIT

/// What the three timers are set to, in seconds.
struct TimeoutSettings: Sendable, Hashable {
    var connect: Double
    var request: Double
    var resource: Double
}

/// What happens to a request as long as nobody ends it; seconds since its start.
struct TransferCourse: Sendable, Hashable {
    /// When the connection stands; `nil`: never.
    var connects: Double?
    /// When bytes move, either way, in rising order.
    var moves: [Double]
    /// When the answer is whole; `nil`: never.
    var ends: Double?
}

/// One of the three questions that a timer asks.
enum TransferTimer: String, Sendable, Hashable, CaseIterable {
    /// Can the server be reached at all?
    case connect
    /// Have bytes stopped moving?
    case request
    /// Has all of it taken too long?
    case resource
}

/// How a request ends that has timers. Pure.
enum TimeoutExpectation: Sendable, Hashable {
    case completes(after: Double)
    case fires(TransferTimer, after: Double)
    /// Nothing of that within the time it was watched.
    case goesOn(past: Double)

    /// What must come of `course` under `settings` within `horizon` seconds: whatever is first. Of timers that are due
    /// at the same moment the connect timer is named before the request timer, and that before the resource timer.
    init(_ settings: TimeoutSettings, _ course: TransferCourse, horizon: Double) {
        var firings: [(timer: TransferTimer, time: Double)] = []
        if course.connects.map({ $0 > settings.connect }) ?? true { firings.append((.connect, settings.connect)) }
        let end = course.ends ?? .infinity
        var last = 0.0
        for move in course.moves.filter({ $0 < end }) + [end] {
            if move - last > settings.request { break }
            last = move
        }
        if last < end { firings.append((.request, last + settings.request)) }
        firings.append((.resource, settings.resource))
        var first = firings[0]
        for firing in firings.dropFirst() where firing.time < first.time { first = firing }
        if end <= first.time, end <= horizon {
            self = .completes(after: end)
        } else {
            self = first.time <= horizon ? .fires(first.timer, after: first.time) : .goesOn(past: horizon)
        }
    }

    /// Not earlier than it must, and late by no more than 250 ms and a tenth: the engine looks at what moved ten times
    /// a second, and the machine may have other work. 10 ms early are forgiven, as the two ends do not begin in the
    /// same instant.
    func allows(_ measured: TimeoutExpectation) -> Bool {
        func isNear(_ expected: Double, _ measured: Double) -> Bool {
            measured >= expected - 0.01 && measured <= expected * 1.1 + 0.25
        }
        switch (self, measured) {
        case (.completes(let expected), .completes(let time)): return isNear(expected, time)
        case (.fires(let timer, let expected), .fires(let other, let time)):
            return timer == other && isNear(expected, time)
        case (.goesOn, .goesOn): return true
        default: return false
        }
    }
}
