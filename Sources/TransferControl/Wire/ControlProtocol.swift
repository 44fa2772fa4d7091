// SPDX-License-Identifier: MIT

/// What both ends of a control connection agree on. The specification is docs/Control.md.
public enum ControlProtocol {
    /// Raised when an older end could no longer understand a newer one. New methods and new members of objects leave it
    /// as it is: what is not known is passed over.
    public static let version = 1

    /// Bytes of one message from a client, at most, without the line's end.
    public static let maximumRequest = 4 << 20
}

/// The methods a client can ask for.
enum ControlMethod: String, CaseIterable {
    case hello, add, list, snapshot, info, perform, relocate, subscribe, unsubscribe, history, clear
    case getLimits = "limits.get"
    case setLimits = "limits.set"
    case getTimetable = "timetable.get"
    case setTimetable = "timetable.set"
    case sessionEvents = "session.events"
    case acknowledgeSessionEvents = "session.acknowledge"
    case status = "service.status"
    case ping = "service.ping"
    case shutDown = "service.shutdown"
}

/// What the server tells without being asked.
enum ControlNotice {
    /// The first line of a connection.
    static let hello = "hello"
    /// One message of a subscription.
    static let update = "update"
}
