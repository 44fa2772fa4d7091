// SPDX-License-Identifier: MIT

import Foundation
import TransferControl
import TransferTesting

@testable import FileQTransfer

/// One home with its service, which lives until ``end()``.
final class ServiceHome: Sendable {
    /// The program under test: beside the test bundle, or what `FILEQ_TEST_BINARY` names.
    static let program: String? = {
        let own = [
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), CommandLine.arguments[0],
        ]
        let beside = own.compactMap { $0 }.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/fileq" }
        let named = ProcessInfo.processInfo.environment["FILEQ_TEST_BINARY"].map { [$0] } ?? []
        return (named + beside + ["\(FileManager.default.currentDirectoryPath)/.build/debug/fileq"])
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var places: SessionPlaces { SessionPlaces(state: folder.file("session"), cache: folder.file("cache")) }

    private var launcher: ServiceLauncher {
        get throws {
            let home = folder.path
            guard let program = Self.program else { throw TransferError(.other, "the program has not been built") }
            let places = ServicePlaces { $0 == "FILEQ_HOME" ? home : nil }
            var environment = ServiceLauncher.processEnvironment
            environment["FILEQ_HOME"] = home
            return ServiceLauncher(
                places: places, options: ControlClient.Options(version: ServiceConnector.version), program: program,
                environment: ServiceLauncher.surroundings(environment, places: places))
        }
    }

    func client() async throws -> ControlClient { try await launcher.connect() }

    func end() async {
        guard let launcher = try? launcher, let client = try? await launcher.find() else { return }
        try? await launcher.endService(client)
    }

    func run(_ delegate: BackgroundRecorder) async throws -> (session: TransferSession, connector: ServiceConnector) {
        let launcher = try launcher
        let connector = try await ServiceConnector.open(identifier: "org.example.end", places: places) {
            () async throws(TransferError) in try await launcher.connect()
        }
        let session = TransferSession(
            configuration: .background("org.example.end"), connector: connector, delegate: delegate)
        return (session, connector)
    }

    /// Whether there is a service at all, and a queue behind it that keeps events.
    static var serviceKeepsEvents: Bool {
        get async {
            guard program != nil, let home = try? ServiceHome() else { return false }
            let events = try? await home.client().sessionEvents(of: "x", limit: 1)
            await home.end()
            return events != nil
        }
    }
}
