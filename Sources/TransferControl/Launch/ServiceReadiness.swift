// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
package import TransferModel

/// The readiness message of a service started on demand, over an inherited descriptor: one line, before which the
/// values of a failure stand in another.
package enum ServiceReadiness: Sendable, Hashable {
    /// It accepts connections.
    case ready
    /// It cannot start; it exits with the error's code.
    case failed(TransferError)

    /// The number of the inherited descriptor.
    package static let descriptor: Int32 = 3

    /// Separates the line from other output on the same descriptor.
    private static let mark = "fileq-service: "
    /// Before the JSON of an error. Programs of earlier versions ignore the line.
    private static let errorMark = "fileq-service-error: "
    /// In bytes; the reader takes twice as many in all.
    private static let maximumError = 8192

    /// - Parameter words: the sentence about a failure for programs of earlier versions, which read no other; `nil`:
    ///   its own.
    func text(words: String? = nil) -> String {
        switch self {
        case .ready: return "\(Self.mark)ready\n"
        case .failed(let error):
            let line = "\(Self.mark)failed \(error.code.rawValue) \(Self.oneLine(words ?? error.message))\n"
            guard let json = try? ControlCoding.json(error), json.count <= Self.maximumError else { return line }
            return "\(Self.errorMark)\(String(decoding: json, as: UTF8.self))\n" + line
        }
    }

    /// The message among other lines; `nil`: it has not come yet.
    static func first(in lines: some Sequence<Substring>) -> ServiceReadiness? {
        var error: TransferError?
        for line in lines {
            if line.hasPrefix(errorMark) {
                let json = Data(line.utf8.dropFirst(errorMark.utf8.count))
                error = try? ControlCoding.decode(TransferError.self, from: json)
            } else if let found = ServiceReadiness(line: line) {
                guard case .failed(let plain) = found, let error, error.code.rawValue == plain.code.rawValue else {
                    return found
                }
                return .failed(error)
            }
        }
        return nil
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
    package static func isAwaited() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    /// Sends the message, if anyone reads it, and closes the descriptor. Only once, and only with an inherited one.
    /// - Parameter words: the whole sentence about a failure.
    package func report(words: String? = nil) {
        let bytes = Array(text(words: words).utf8)
        _ = bytes.withUnsafeBytes { send(Self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(Self.descriptor)
    }
}
