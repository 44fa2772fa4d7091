// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferControl
import TransferModel
import TransferTesting

extension Stage {
    /// The folder of the service: what `FILEQ_HOME` is to programs of this stage.
    var home: String { aside("state") }

    var servicePlaces: ServicePlaces { ServicePlaces { $0 == "FILEQ_HOME" ? self.home : nil } }

    /// Who holds the queue, as the lock says.
    var serviceHolder: ServiceLock.Holder? { ServiceLock.holder(of: servicePlaces.lock) }

    /// What a command does that needs the service.
    func launcher(
        home: String? = nil, version: String? = nil, environment extra: [String: String] = [:]
    ) async throws -> ServiceLauncher {
        let printed = try await fileq("--version").text
        let version = version ?? String(printed.prefix { !$0.isNewline })
        let places = ServicePlaces { $0 == "FILEQ_HOME" ? home ?? self.home : nil }
        var variables = environment.merging(extra) { $1 }
        variables["FILEQ_HOME"] = places.state
        var launcher = ServiceLauncher(
            places: places, options: ControlClient.Options(version: version), program: Binary.path,
            environment: variables)
        launcher.patience = 30
        return launcher
    }

    /// Runs `body` with this stage's service in any state, and sees to it that none is left.
    static func withService(_ body: (Stage) async throws -> Void) async throws {
        try await with { stage in
            do {
                try await body(stage)
            } catch {
                await stage.strikeService()
                throw error
            }
            await stage.strikeService()
        }
    }

    private func strikeService() async {
        _ = try? await fileq("service", "stop")
        // A service that did not listen: the lock names this stage's own service and no other.
        if let pid = serviceHolder?.pid, pid != getpid() { kill(pid, SIGKILL) }
        #expect(await becomesTrue { self.serviceHolder == nil })
    }

    /// `service status --json`; `nil` where none is running.
    func serviceStatus() async throws -> [String: Any]? {
        let outcome = try await fileq("service", "status", "--json")
        guard outcome.exit == 0 else { return nil }
        return try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    }
}
