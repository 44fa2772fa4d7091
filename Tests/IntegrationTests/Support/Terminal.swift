// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// The interface on a terminal of its own, with a keyboard.
final class Terminal: Sendable {
    private static let script = "/usr/bin/script"
    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: script) }

    let program: Started
    private let keyboard: Int32

    init(
        _ stage: Stage, type: String = "xterm", _ arguments: String = "", environment: [String: String] = [:]
    ) throws {
        let path = stage.aside("keyboard")
        mkfifo(path, 0o600)
        keyboard = open(path, O_RDWR | O_CLOEXEC)
        program = try stage.start(
            Self.script, ["-q", "-e", "-c", "\(Binary.path) \(arguments)", "/dev/null"],
            environment: ["TERM": type, "SHELL": "/bin/sh"].merging(environment) { $1 }, input: path)
    }

    deinit { close(keyboard) }

    func type(_ keys: String) { _ = keys.withCString { write(keyboard, $0, strlen($0)) } }

    func shows(_ text: String) -> Bool {
        FileManager.default.contents(atPath: program.output).map { String(decoding: $0, as: UTF8.self).contains(text) }
            ?? false
    }
}
