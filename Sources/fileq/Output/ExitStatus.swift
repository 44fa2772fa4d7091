// SPDX-License-Identifier: MIT

import TransferModel

/// One row of the exit code table: number, short name for `--json`, meaning.
struct ExitStatus {
    let number: Int
    let name: String
    let meaning: String

    /// Every code fileq ends with, in rising order; what `fileq help exit-codes` prints.
    static let table: [ExitStatus] =
        [ExitStatus(number: 0, name: "ok", meaning: "success")]
        + TransferError.Code.all.map { ExitStatus(number: $0.rawValue, name: $0.name, meaning: meaning(of: $0.cause)) }

    /// Values of exit codes.
    static func of(_ error: TransferError) -> Int32 { Int32(error.code.rawValue) }

    /// Codes with the same number share a meaning.
    private static func meaning(of cause: TransferError.Code.Cause) -> String {
        switch cause {
        case .other, .cancelled, .insecureRedirect, .repeatedCrash: "any other failure"
        case .usage, .secretMissing: "wrong usage, or an unknown ID"
        case .malformedURL: "malformed URL or unknown scheme"
        case .proxyNotResolved: "the proxy's name could not be resolved"
        case .hostNotResolved: "the host's name could not be resolved"
        case .cannotConnect, .interfaceUnavailable: "no connection to the host"
        case .notHTTP: "the response is not HTTP"
        case .partialFile: "the body is shorter or longer than its declared length"
        case .httpStatus: "the server responded with status 400 or above"
        case .cannotWrite, .diskFull, .destinationExists:
            "cannot write: disk full, no permission, or the destination exists"
        case .cannotReadSource: "cannot read the source, or it changed"
        case .timedOut, .folderNotResponding: "one of the four timeouts"
        case .checksumMismatch: "the checksum does not match"
        case .rangeRefused: "the server sent another range than the one requested"
        case .tlsHandshake: "the TLS handshake failed"
        case .tooManyRedirects: "too many redirects"
        case .sendFailed, .answeredEarly: "sending failed"
        case .receiveFailed, .noResponse: "receiving failed"
        case .clientCertificate: "the client certificate is unusable, or the server requires one"
        case .certificateRefused, .certificateUntrusted: "the server's certificate was not accepted"
        case .loginDenied: "login denied (401, 407)"
        case .pinMismatch: "the server's public key or certificate is not the pinned one"
        case .interrupted: "interrupted (Ctrl-C); partial files are kept for resuming"
        case .terminated: "terminated by SIGTERM; partial files are kept"
        }
    }
}
