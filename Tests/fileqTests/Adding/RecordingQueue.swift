// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Synchronization
import TransferControl
import TransferModel

@testable import fileq

/// A queue that notes what is asked of it.
final class RecordingQueue: QueueClient, ControlHandler {
    private struct State {
        var added: [Spec] = []
        var calls = 0
        var terms: TransferTerms?
        var performed: [(command: QueueCommand, ids: [TransferID])] = []
    }

    private let state = Mutex(State())
    private let refusal: TransferError?

    private let held: [Transfer]

    /// - Parameter held: the transfers of the queue before any is added.
    init(refusing refusal: TransferError? = nil, holding held: [Transfer] = []) {
        (self.refusal, self.held) = (refusal, held)
    }

    var added: [Spec] { state.withLock { $0.added } }
    var calls: Int { state.withLock { $0.calls } }
    var terms: TransferTerms? { state.withLock { $0.terms } }
    var performed: [(command: QueueCommand, ids: [TransferID])] { state.withLock { $0.performed } }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        if let refusal { throw refusal }
        return state.withLock { state in
            let first = state.added.count + 1
            state.added += descriptions
            state.calls += 1
            state.terms = terms
            return descriptions.indices.map { TransferID(rawValue: first + $0) }
        }
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        state.withLock { $0.performed.append((command, ids)) }
    }

    func setLimits(_ limits: QueueLimits) async throws {}
    func snapshot() async throws -> QueueSnapshot { QueueSnapshot(transfers: held) }
    func updates() -> AsyncStream<QueueUpdate> { AsyncStream { $0.finish() } }

    // MARK: Behind a socket

    var queue: any QueueClient { self }
    func shutDownRequested() {}

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
