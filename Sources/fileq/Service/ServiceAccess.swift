// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// How commands reach the background service.
enum ServiceAccess {
    /// - Throws: code `other` where no service runs.
    static func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
        let path = Places(environment: ProcessEnvironment.value).runtime + "/control.sock"
        do {
            return try await ControlClient.connect(path: path, options: .init(version: FileqCommand.configuration.version))
        } catch let error as TransferError {
            throw error.code == .cannotConnect ? TransferError(.other, error.message, systemErrno: error.systemErrno) : error
        } catch {
            throw TransferError(.other, "\(error)")
        }
    }
}
