// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Glibc
import Synchronization
import Testing
import TransferModel

@testable import fileq

/// A temporary folder with files in it, deleted with the value that holds it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "fileq-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Returns: the whole path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let whole = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let isMade = FileManager.default.createFile(
            atPath: whole, contents: Data(text.utf8),
            attributes: [.posixPermissions: mode])
        #expect(isMade)
        return whole
    }
}

extension Folder {
    /// - Parameter name: need not be UTF-8.
    func write(_ bytes: [UInt8], to name: [UInt8]) throws {
        let path = Array("\(path)/".utf8) + name + [0]
        let descriptor = path.withUnsafeBytes {
            open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        }
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        try #require(count == bytes.count)
    }
}

extension Spec {
    /// A description of anything but a download ends the test.
    func requireDownload() throws -> Download {
        try #require({ if case .download(let download) = operation { download } else { nil } }())
    }

    /// A description of anything but an upload ends the test.
    func requireUpload() throws -> Upload {
        try #require({ if case .upload(let upload) = operation { upload } else { nil } }())
    }
}

/// Records the messages and questions of planning.
final class Listener: Sendable {
    private let heard: Mutex<(warnings: [String], prompts: [String])> = Mutex(([], []))

    var warnings: [String] { heard.withLock { $0.warnings } }
    var prompts: [String] { heard.withLock { $0.prompts } }

    func surroundings(
        arguments: [String] = [], environment: [String: String] = [:], password: String? = nil,
        now: Double = 0, speaksHTTP3: Bool = false
    ) -> CommandEnvironment {
        var surroundings = CommandEnvironment(
            arguments: arguments,
            environment: { environment[$0] },
            warn: { line in self.heard.withLock { $0.warnings.append(line) } },
            askPassword: { prompt throws(TransferError) in
                self.heard.withLock { $0.prompts.append(prompt) }
                guard let password else { throw TransferError(.usage, "no user to ask") }
                return password
            },
            now: { now },
            requireHTTP3: { () throws(TransferError) in
                if !speaksHTTP3 { throw TransferError(.usage, "no HTTP/3 here") }
            })
        surroundings.writesToTerminal = { false }
        return surroundings
    }
}

/// - Parameter words: with the command.
func plan(
    _ words: [String], _ surroundings: CommandEnvironment = Listener().surroundings(),
    with fetched: PlanInputs = PlanInputs()
) throws -> TransferPlan {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "get": return try GetCommand.parse(rest).arguments.plan(surroundings, with: fetched)
    case "put": return try PutCommand.parse(rest).plan(surroundings)
    default: throw TransferError(.usage, "\(words) makes no plan")
    }
}

extension TransferPlan {
    var destinations: [Download.Destination] {
        descriptions.compactMap { if case .download(let download) = $0.operation { download.destination } else { nil } }
    }

    var uploads: [Upload] {
        descriptions.compactMap { if case .upload(let upload) = $0.operation { upload } else { nil } }
    }
}
