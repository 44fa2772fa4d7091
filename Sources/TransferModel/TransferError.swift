// SPDX-License-Identifier: MIT

public import HTTPTypes

/// Why a transfer ended without success: a cause with a number, and one line a person can act on.
///
/// `message` holds no secret and no control character. It is complete by itself ("example.org: connection refused"),
/// begins in lower case and has no full stop.
public struct TransferError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The cause. The number is the exit code of `fileq`, and curl's number wherever curl has one.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    public var code: Code
    public var message: String
    /// libcurl's own result code, where the failure came from there.
    public var curlCode: Int32?
    /// `errno` of the failed system call, where one is known.
    public var systemErrno: Int32?
    /// `cellular`, `expensive` or `constrained` where the network was there and the transfer may not use it
    /// (`URLError.networkUnavailableReason`).
    public var networkUnavailableReason: String?
    /// Why the network could not carry the transfer, in a person's words, where it did not wait for one that can.
    public var networkObstacle: String?
    /// What another task needs to go on with the download that ended so; `nil` where it cannot, or is no download.
    @Boxed public var resumeData: ResumeData?
    /// The head of the response that had come before the failure, where a closure or an awaited call has no task to ask for it. It may
    /// hold secrets, such as cookies; it is neither printed nor encoded, and does not count where errors are compared.
    public var response: HTTPResponse? {
        get { companion.box?.head }
        set { companion.box = newValue.map(Companion.Box.init) }
    }
    private var companion = Companion()

    public init(_ code: Code, _ message: String, curlCode: Int32? = nil, systemErrno: Int32? = nil) {
        self.code = code
        self.message = message
        self.curlCode = curlCode
        self.systemErrno = systemErrno
    }

    public var description: String { message }

    /// Goes along with an error without being part of its value.
    private struct Companion: Sendable, Hashable {
        final class Box: Sendable {
            let head: HTTPResponse
            init(_ head: HTTPResponse) { self.head = head }
        }

        var box: Box?

        static func == (left: Self, right: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private enum CodingKeys: String, CodingKey {
        case code, message, curlCode, systemErrno, networkUnavailableReason, networkObstacle, resumeData
    }
}

extension TransferError.Code {
    public static let other = Self(rawValue: 1)
    public static let usage = Self(rawValue: 2)
    public static let malformedURL = Self(rawValue: 3)
    public static let proxyNotResolved = Self(rawValue: 5)
    public static let hostNotResolved = Self(rawValue: 6)
    public static let cannotConnect = Self(rawValue: 7)
    public static let notHTTP = Self(rawValue: 8)
    public static let partialFile = Self(rawValue: 18)
    public static let httpStatus = Self(rawValue: 22)
    public static let cannotWrite = Self(rawValue: 23)
    public static let cannotReadSource = Self(rawValue: 26)
    public static let timedOut = Self(rawValue: 28)
    public static let checksumMismatch = Self(rawValue: 32)
    public static let rangeRefused = Self(rawValue: 33)
    public static let tlsHandshake = Self(rawValue: 35)
    public static let tooManyRedirects = Self(rawValue: 47)
    public static let sendFailed = Self(rawValue: 55)
    public static let receiveFailed = Self(rawValue: 56)
    public static let clientCertificate = Self(rawValue: 58)
    public static let certificateRefused = Self(rawValue: 60)
    public static let loginDenied = Self(rawValue: 67)
    public static let pinMismatch = Self(rawValue: 90)
    public static let interrupted = Self(rawValue: 130)
    public static let terminated = Self(rawValue: 143)

    /// One row of the exit code table: number, short name for `--json`, meaning.
    public struct Entry: Sendable {
        public let code: TransferError.Code
        public let name: String
        public let meaning: String
    }

    /// Every code fileq ends with, in rising order; what `fileq help exit-codes` prints.
    public static let table: [Entry] = [
        Entry(code: .init(rawValue: 0), name: "ok", meaning: "all done"),
        Entry(code: .other, name: "other", meaning: "anything not listed here"),
        Entry(code: .usage, name: "usage", meaning: "wrong usage, or an unknown id"),
        Entry(code: .malformedURL, name: "malformed-url", meaning: "malformed URL or unknown scheme"),
        Entry(code: .proxyNotResolved, name: "proxy-not-resolved", meaning: "the proxy's name could not be resolved"),
        Entry(code: .hostNotResolved, name: "host-not-resolved", meaning: "the host's name could not be resolved"),
        Entry(code: .cannotConnect, name: "cannot-connect", meaning: "no connection to the host"),
        Entry(code: .notHTTP, name: "not-http", meaning: "the answer is not HTTP"),
        Entry(code: .partialFile, name: "partial", meaning: "the body is shorter or longer than announced"),
        Entry(code: .httpStatus, name: "http-status", meaning: "the server answered with a status of 400 or above"),
        Entry(code: .cannotWrite, name: "cannot-write",
              meaning: "cannot write: disk full, no permission, or the destination exists"),
        Entry(code: .cannotReadSource, name: "cannot-read", meaning: "cannot read the source, or it changed"),
        Entry(code: .timedOut, name: "timeout", meaning: "one of the three timeouts"),
        Entry(code: .checksumMismatch, name: "checksum", meaning: "the checksum does not match"),
        Entry(code: .rangeRefused, name: "range", meaning: "the server answered another range than the one asked for"),
        Entry(code: .tlsHandshake, name: "tls", meaning: "the TLS handshake failed"),
        Entry(code: .tooManyRedirects, name: "redirects", meaning: "too many redirects"),
        Entry(code: .sendFailed, name: "send", meaning: "sending failed"),
        Entry(code: .receiveFailed, name: "receive", meaning: "receiving failed"),
        Entry(code: .clientCertificate, name: "client-certificate",
              meaning: "the client certificate cannot be used, or the server demands one"),
        Entry(code: .certificateRefused, name: "certificate", meaning: "the server's certificate was not accepted"),
        Entry(code: .loginDenied, name: "login", meaning: "login denied (401, 407)"),
        Entry(code: .pinMismatch, name: "pin", meaning: "the server's public key or certificate is not the pinned one"),
        Entry(code: .interrupted, name: "interrupted", meaning: "interrupted (Ctrl-C); what is needed to resume is kept"),
        Entry(code: .terminated, name: "terminated", meaning: "ended by SIGTERM; as with Ctrl-C"),
    ]

    /// The short name that `--json` gives; `other` for a number that is not in the table.
    public var name: String { Self.table.first { $0.code == self }?.name ?? "other" }
}
