// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ServiceConnector {
    /// The client version in the greeting.
    static let version = ProgramVersion.current

    /// Connects to the user's background service as configured by the environment (`FILEQ_HOME`, else XDG folders), and
    /// starts it if necessary: the `fileq` named by `FILEQ_PROGRAM`, else the one in `PATH`. A service of another
    /// version is used if it speaks the same protocol; only its own program replaces it.
    package static let standard: Connect = { () async throws(TransferError) in
        let environment = ServiceLauncher.processEnvironment
        let places = ServicePlaces { environment[$0] }
        var program = ""
        var obstacle: TransferError?
        do throws(TransferError) { program = try ServiceLauncher.installedProgram { environment[$0] } } catch {
            obstacle = error
        }
        var options = ControlClient.Options(version: version)
        options.program = "FileQTransfer"
        var launcher = ServiceLauncher(
            places: places, options: options, program: program,
            environment: ServiceLauncher.surroundings(environment, places: places))
        launcher.replacesOlder = false
        guard let obstacle else { return try await launcher.connect() }
        // It may run although it cannot be started from here.
        if let running = try await launcher.find() {
            guard running.serviceProtocol == ControlProtocol.version else { throw obstacle }
            return running
        }
        throw obstacle
    }
}
