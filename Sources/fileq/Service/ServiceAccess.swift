// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// How commands reach the background service.
enum ServiceAccess {
    /// - Throws: where no service listens.
    static func connect(startsService: Bool = true) async throws -> ControlClient {
        let places = Places(environment: ProcessEnvironment.value)
        return try await ControlClient.connect(path: "\(places.runtime)/control.sock",
                                               options: ControlClient.Options(version: FileqCommand.configuration.version))
    }
}
