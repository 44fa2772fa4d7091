// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

extension FakeQueue {
    convenience init(refusing refusal: TransferError) {
        self.init()
        on(AddParams.self) { _, _ in throw refusal }
    }

    /// How often transfers were added, and the latest terms.
    var additions: Int { calls(AddParams.self).count }
    var terms: TransferTerms? { calls(AddParams.self).last?.terms }

    /// Runs `body` with a client that reaches this queue through a socket.
    func served(_ body: (ControlClient) async throws -> Void) async throws {
        let folder = try Folder()
        let path = "\(folder.path)/run/control.sock"
        // All tests run at once on few processors.
        var options = ControlServer.Options(version: "0.1.0")
        options.helloTimeout = 600
        let server = try ControlServer(path: path, handler: self, options: options)
        server.start()
        do {
            let client = try await ControlClient.connect(path: path, options: .init(version: "0.1.0"))
            defer { client.close() }
            try await body(client)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }
}

/// What `fileq add` would hand over.
func addPlan(
    _ words: [String], _ surroundings: CommandEnvironment = Listener().surroundings(), folder: String = "/home/user"
) throws -> AddPlan {
    var surroundings = surroundings
    surroundings.workingFolder = { () throws(TransferError) in folder }
    surroundings.localTime = .utc
    // Straight to the command: ArgumentParser checks the whole tree at every parse of a debug build.
    let rest = Array(words.dropFirst())
    return switch words.first {
    case "get": try AddGetCommand.parse(rest).plan(surroundings)
    case "put": try AddPutCommand.parse(rest).plan(surroundings)
    case "curl": try AddGetCommand.parse([]).plan(curl: AddCurlCommand.parse(rest).words, surroundings)
    default: try AddGetCommand.parse(words).plan(surroundings)
    }
}

extension AddPlan {
    var destinations: [Download.Destination] {
        descriptions.compactMap { if case .download(let download) = $0.operation { download.destination } else { nil } }
    }

    var sources: [Upload.Source] {
        descriptions.compactMap { if case .upload(let upload) = $0.operation { upload.source } else { nil } }
    }
}
