// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// For commands that stay as long as the service.
extension QueueContext {
    /// Seconds before each reconnection.
    private static let pauses = [0.1, 1, 3, 10.0]
    /// The way to another machine may be gone for hours: it is tried for a day.
    private static let pausesOfMachine = pauses + Array(repeating: 30, count: 24 * 120)

    /// A service that was stopped deliberately is not restarted; a newer one may have replaced it.
    /// - Parameter say: reports at once that the way to another machine is lost.
    /// - Throws: code `other` if there is none, an `ExitCode` after a signal; for another machine also `usage`, which
    ///   no further attempt changes.
    func reconnect(after lost: ControlClient, _ say: (String) -> Void) async throws -> ControlClient {
        let wasStopped = lost.hasServiceAnnouncedEnd
        let machine = wasStopped ? nil : surroundings.machine
        if let machine { say("connection to \(machine) lost, reconnecting") }
        let attempts = Task { () async throws -> ControlClient? in
            for seconds in machine == nil ? Self.pauses : Self.pausesOfMachine {
                await pause(seconds)
                if let number = interruption.signalNumber { throw ExitCode(Interruption.exitCode(for: number)) }
                do throws(TransferError) { return try await connect(!wasStopped) } catch {
                    if machine != nil, error.code == .usage { throw error }
                }
            }
            return nil
        }
        // Ends a pause.
        interruption.arm(onFirst: { _ in attempts.cancel() }, onSecond: {})
        if let client = try await attempts.value { return client }
        if let machine {
            throw TransferError(.other, "\(machine) cannot be reached; its transfers continue there")
        }
        throw TransferError(
            .other,
            wasStopped
                ? "the background service was stopped; its transfers continue when it runs again ('fileq "
                    + "list' starts it)"
                : "the background service ended and cannot be reached; 'fileq logs' may show why")
    }
}
