// SPDX-License-Identifier: MIT

import TransferModel

/// One row of the exit code table: number, short name for `--json`, meaning.
struct ExitStatus {
    let number: Int
    let name: String
    let meaning: String

    /// Every code fileq ends with, in rising order; what `fileq help exit-codes` prints.
    static let table: [ExitStatus] =
        [ExitStatus(number: 0, name: "ok", meaning: "all done")]
        + TransferError.Code.all.map { ExitStatus(number: $0.rawValue, name: $0.name, meaning: meaning(of: $0.cause)) }

    /// What the process ends with.
    static func of(_ error: TransferError) -> Int32 { Int32(error.code.rawValue) }

    /// Causes with the same number share a meaning.
    private static func meaning(of cause: TransferError.Code.Cause) -> String {
        switch cause {
        case .other, .cancelled, .insecureRedirect, .repeatedCrash: "anything not listed here"
        case .usage, .secretMissing: "wrong usage, or an unknown id"
        case .malformedURL: "malformed URL or unknown scheme"
        case .proxyNotResolved: "the proxy's name could not be resolved"
        case .hostNotResolved: "the host's name could not be resolved"
        case .cannotConnect, .interfaceUnavailable: "no connection to the host"
        case .notHTTP: "the answer is not HTTP"
        case .partialFile: "the body is shorter or longer than announced"
        case .httpStatus: "the server answered with a status of 400 or above"
        case .cannotWrite, .diskFull, .destinationExists:
            "cannot write: disk full, no permission, or the destination exists"
        case .cannotReadSource: "cannot read the source, or it changed"
        case .timedOut: "one of the three timeouts"
        case .checksumMismatch: "the checksum does not match"
        case .rangeRefused: "the server answered another range than the one asked for"
        case .tlsHandshake: "the TLS handshake failed"
        case .tooManyRedirects: "too many redirects"
        case .sendFailed, .answeredEarly: "sending failed"
        case .receiveFailed, .noResponse: "receiving failed"
        case .clientCertificate: "the client certificate cannot be used, or the server demands one"
        case .certificateRefused, .certificateUntrusted: "the server's certificate was not accepted"
        case .loginDenied: "login denied (401, 407)"
        case .pinMismatch: "the server's public key or certificate is not the pinned one"
        case .interrupted: "interrupted (Ctrl-C); what is needed to resume is kept"
        case .terminated: "ended by SIGTERM; as with Ctrl-C"
        }
    }
}
