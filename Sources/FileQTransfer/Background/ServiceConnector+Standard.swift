// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ServiceConnector {
    /// The version that the service is greeted with.
    static let version = ProgramVersion.current

    /// Reaches the background service of this user, where the environment says (`FILEQ_HOME`, else XDG's folders), and
    /// starts it where none runs: the `fileq` that `FILEQ_PROGRAM` names, else the one in `PATH`. A service of another
    /// version is used as it is where it speaks the same protocol; replacing it is its own program's business.
    public static let standard: Connect = { () async throws(TransferError) in
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
        // One may run although it cannot be started from here.
        if let running = try await launcher.find() {
            guard running.serviceProtocol == ControlProtocol.version else { throw obstacle }
            return running
        }
        throw obstacle
    }
}
