// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// For commands that stay as long as the service.
extension QueueContext {
    /// Seconds before each reconnection.
    private static let pauses = [0.1, 1, 3, 10]

    /// A service that was stopped deliberately is not restarted; a newer one may have replaced it.
    /// - Throws: code `other` if there is none, an `ExitCode` after a signal.
    func reconnect(after lost: ControlClient) async throws -> ControlClient {
        let wasStopped = lost.hasServiceAnnouncedEnd
        for seconds in Self.pauses {
            await pause(seconds)
            if let number = interruption.signalNumber { throw ExitCode(Interruption.exitCode(for: number)) }
            if let client = try? await connect(!wasStopped) { return client }
        }
        throw TransferError(
            .other,
            wasStopped
                ? "the background service was stopped; its transfers continue when it runs again ('fileq "
                    + "list' starts it)"
                : "the background service ended and cannot be reached; 'fileq logs' may show why")
    }
}
