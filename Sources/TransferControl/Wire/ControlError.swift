// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// The error object of a reply (JSON-RPC 2.0, section 5.1). Its texts contain no secret: they repeat nothing of a
/// request.
struct ControlError: Error, Sendable, Hashable, Codable {
    struct Code: RawRepresentable, Sendable, Hashable, Codable {
        let rawValue: Int
        init(rawValue: Int) { self.rawValue = rawValue }

        static let parseError = Self(rawValue: -32700)
        static let invalidRequest = Self(rawValue: -32600)
        static let methodNotFound = Self(rawValue: -32601)
        static let invalidParams = Self(rawValue: -32602)
        static let internalError = Self(rawValue: -32603)
        /// The queue refused; `data` contains the reason.
        static let refusedByQueue = Self(rawValue: -32000)
        /// Client and server have no common version of the protocol.
        static let incompatible = Self(rawValue: -32001)
        /// A request before `hello`.
        static let helloExpected = Self(rawValue: -32002)
        /// A message is longer than the server accepts; the connection ends.
        static let tooLong = Self(rawValue: -32003)
        /// The connection is refused: another user's, or one too many.
        static let notAdmitted = Self(rawValue: -32004)
    }

    /// A ``TransferModel/TransferError`` in its wire form, with its name in `--json`.
    struct Cause: Sendable, Hashable, Codable {
        var error: TransferError

        private enum CodingKeys: String, CodingKey {
            case name
        }

        init(_ error: TransferError) {
            self.error = error
            self.error.resumeData = nil
        }

        init(from decoder: any Decoder) throws { self.init(try TransferError(from: decoder)) }

        func encode(to encoder: any Encoder) throws {
            try error.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(error.code.name, forKey: .name)
        }
    }

    var code: Code
    var message: String
    var data: Cause?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: TransferError) {
        self.init(.refusedByQueue, error.message)
        data = Cause(error)
    }

    /// The error that a client throws.
    var transferError: TransferError {
        guard let data else {
            // Distinct from other refusals: a later attempt may be admitted.
            return TransferError(
                .other, "the background service: \(message)", systemErrno: code == .notAdmitted ? EBUSY : nil,
                fields: .init(variant: code == .incompatible ? .serviceIncompatible : nil))
        }
        return data.error
    }
}

extension ControlError {
    /// Describes invalid params by their path only: values may be secrets.
    init(_ error: DecodingError) {
        let (place, problem) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .valueNotFound(_, let context): (context.codingPath, "must not be null")
            case .typeMismatch(_, let context): (context.codingPath, "has the wrong type")
            case .dataCorrupted(let context): (context.codingPath, "has a value that is not known here")
            @unknown default: ([], "cannot be read")
            }
        let path = place.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        self.init(.invalidParams, "\(path.isEmpty ? "params" : path) \(problem)")
    }
}
