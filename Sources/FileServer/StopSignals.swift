// SPDX-License-Identifier: MIT

/// Decides the effect of each signal that ends a server. Pure.
struct StopSignals: Sendable {
    enum Effect: Sendable, Equatable {
        /// The first: the server stops gracefully.
        case stop
        /// The first once more: timeout(1) sends its signal to the process and to its group.
        case ignore
        /// The process ends immediately.
        case end
    }

    /// Seconds within which a signal is not repeated by a user.
    static let repetition = 0.2

    private var first: (number: Int32, time: Double)?

    /// - Parameter time: monotonic, in seconds.
    mutating func receive(_ number: Int32, at time: Double) -> Effect {
        guard let first else {
            first = (number, time)
            return .stop
        }
        return number == first.number && time - first.time < Self.repetition ? .ignore : .end
    }
}
