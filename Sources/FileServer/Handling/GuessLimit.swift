// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

/// Slows down networks that guess a secret: whether the next attempt is right takes as long to learn as for a wrong
/// one. Other networks do not wait.
final class GuessLimit: Sendable {
    /// Wrong ones from a network in an hour, after which one is tried every ``seconds``.
    static let most = 50
    static let seconds = 5.0
    /// Seconds; what would wait longer is refused with 429.
    static let longestTurn = 15.0

    /// The attempts of a network: wrong ones, and those whose outcome is not known yet.
    private struct Guesses {
        var count = 0
        /// When the next one may be tried, once there are ``most``.
        var next = 0.0
    }

    private struct Guesser: Hashable {
        var subject: String
        var network: String
    }

    private struct State {
        /// Of the current hour.
        var guesses: [Guesser: Guesses] = [:]
        var hour = 0
    }

    private let state = Mutex(State())

    /// Counts an attempt.
    /// - Parameter subject: what is guessed.
    /// - Returns: the seconds until its turn; `nil` if too many of the network wait.
    func turn(of network: String, on subject: String, at now: Double) -> Double? {
        let (hour, guesser) = (Int(now / 3600), Guesser(subject: subject, network: network))
        return state.withLock { state in
            if state.hour != hour { (state.hour, state.guesses) = (hour, [:]) }
            var guesses = state.guesses[guesser] ?? Guesses()
            var delay = 0.0
            if guesses.count >= Self.most {
                delay = max(0, guesses.next - now)
                guard delay <= Self.longestTurn else { return nil }
                guesses.next = now + delay + Self.seconds
            }
            guesses.count += 1
            state.guesses[guesser] = guesses
            return delay
        }
    }

    /// The attempt was right, and does not count.
    func wasRight(_ network: String, on subject: String) {
        state.withLock { $0.guesses[Guesser(subject: subject, network: network)]?.count -= 1 }
    }

    /// Waits for the turn of an attempt.
    /// - Throws: 429 if too many wait.
    func takeTurn(of network: String, on subject: String, at now: Double) async throws {
        guard let delay = turn(of: network, on: subject, at: now) else {
            throw Refusal(
                .tooManyRequests, "too many wrong attempts from this network; try again",
                headers: [.retryAfter: "\(Int(Self.seconds))"])
        }
        if delay > 0 { try await Task.sleep(for: .seconds(delay)) }
    }
}
