// SPDX-License-Identifier: MIT

import Glibc
public import TransferModel

/// The readiness message of a service started on demand: one line, over an inherited descriptor.
public enum ServiceReadiness: Sendable, Hashable {
    /// It accepts connections.
    case ready
    /// It cannot start; it exits with the error's code.
    case failed(TransferError)

    /// The number of the inherited descriptor.
    public static let descriptor: Int32 = 3

    /// Separates the line from other output on the same descriptor.
    private static let mark = "fileq-service: "

    var line: String {
        switch self {
        case .ready: "\(Self.mark)ready\n"
        case .failed(let error): "\(Self.mark)failed \(error.code.rawValue) \(Self.oneLine(error.message))\n"
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// `nil` for any other line.
    init?(line: some StringProtocol) {
        guard line.hasPrefix(Self.mark) else { return nil }
        let words = line.dropFirst(Self.mark.count).split(separator: " ", maxSplits: 2)
        switch words.first {
        case "ready": self = .ready
        case "failed" where words.count == 3:
            guard let code = Int(words[1]), (1...255).contains(code) else { return nil }
            self = .failed(TransferError(.init(rawValue: code), String(words[2])))
        default: return nil
        }
    }

    /// Whether this process has inherited the descriptor; its own children do not. Must be checked before anything is
    /// opened.
    public static func isAwaited() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    /// Sends the message, if anyone reads it, and closes the descriptor. Only once, and only with an inherited one.
    public func report() {
        let bytes = Array(line.utf8)
        _ = bytes.withUnsafeBytes { send(Self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(Self.descriptor)
    }
}
