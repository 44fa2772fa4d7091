// SPDX-License-Identifier: MIT

import Glibc

extension TransferError {
    /// The cause of a failure.
    ///
    /// Several causes may share a number: 23 is a full disk, an existing destination, and any other failed write.
    /// ``rawValue`` is what the stored and wire forms, scripts and exit codes have; ``name`` belongs to it.
    public struct Code: Sendable, Hashable {
        package let cause: Cause
        /// curl's number wherever curl has one.
        public let rawValue: Int

        package init(_ cause: Cause) {
            self.cause = cause
            rawValue = cause.number
        }

        /// The general cause with this number. A number that is not known keeps its value and means ``other``.
        public init(rawValue: Int) {
            cause = Cause.general[rawValue] ?? .other
            self.rawValue = rawValue
        }

        /// From the stored and wire forms.
        /// - Parameter cause: `nil`, or one that this version does not know: the general cause of the number.
        package init(number: Int, cause name: String?) {
            if let name, let cause = Cause(rawValue: name), cause.number == number {
                self.init(cause)
            } else {
                self.init(rawValue: number)
            }
        }

        /// Named in the stored and wire forms where the number does not say it all.
        package var causeName: String? {
            Cause.general[rawValue] == cause || cause.number != rawValue ? nil : cause.rawValue
        }

        /// The short name that `--json` shows; `other` for a number that is not known.
        public var name: String { Cause.names[rawValue] ?? "other" }

        /// The general code of each number, in rising order.
        package static let all: [Code] = Cause.general.keys.sorted().map(Code.init(rawValue:))

        /// What a failed call means by its `errno`.
        func refined(byErrno errno: Int32?) -> Code {
            switch (cause, errno) {
            case (.cannotWrite, ENOSPC?), (.cannotWrite, EDQUOT?): .diskFull
            case (.cannotWrite, EEXIST?): .destinationExists
            // A file that cannot be read for lack of descriptors or memory is not used wrongly.
            case (.usage, EMFILE?), (.usage, ENFILE?), (.usage, ENOMEM?): .other
            default: self
            }
        }
    }
}

extension TransferError.Code {
    /// All causes, so that tables can switch exhaustively. The raw value is that of the stored and wire forms.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        case other, usage, malformedURL, proxyNotResolved, hostNotResolved, cannotConnect, notHTTP, partialFile,
            httpStatus, cannotWrite
        case cannotReadSource, timedOut, checksumMismatch, rangeRefused, tlsHandshake, tooManyRedirects, sendFailed,
            receiveFailed
        case clientCertificate, certificateRefused, loginDenied, pinMismatch, interrupted, terminated
        // Special cases of those above.
        case cancelled, insecureRedirect, repeatedCrash, secretMissing
        case interfaceUnavailable, noResponse, answeredEarly, certificateUntrusted
        case diskFull, destinationExists, folderNotResponding

        /// The stored and wire number, and the exit code of `fileq`.
        package var number: Int {
            switch self {
            case .other, .cancelled, .insecureRedirect, .repeatedCrash: 1
            case .usage, .secretMissing: 2
            case .malformedURL: 3
            case .proxyNotResolved: 5
            case .hostNotResolved: 6
            case .cannotConnect, .interfaceUnavailable: 7
            case .notHTTP: 8
            case .partialFile: 18
            case .httpStatus: 22
            case .cannotWrite, .diskFull, .destinationExists: 23
            case .cannotReadSource: 26
            case .timedOut, .folderNotResponding: 28
            case .checksumMismatch: 32
            case .rangeRefused: 33
            case .tlsHandshake: 35
            case .tooManyRedirects: 47
            case .sendFailed, .answeredEarly: 55
            case .receiveFailed, .noResponse: 56
            case .clientCertificate: 58
            case .certificateRefused, .certificateUntrusted: 60
            case .loginDenied: 67
            case .pinMismatch: 90
            case .interrupted: 130
            case .terminated: 143
            }
        }

        /// The cause of a number without further information: the first declared.
        static let general = Dictionary(allCases.map { ($0.number, $0) }) { first, _ in first }

        static let names: [Int: String] = [
            1: "other", 2: "usage", 3: "malformed-url", 5: "proxy-not-resolved", 6: "host-not-resolved",
            7: "cannot-connect",
            8: "not-http", 18: "partial", 22: "http-status", 23: "cannot-write", 26: "cannot-read", 28: "timeout",
            32: "checksum",
            33: "range", 35: "tls", 47: "redirects", 55: "send", 56: "receive", 58: "client-certificate",
            60: "certificate",
            67: "login", 90: "pin", 130: "interrupted", 143: "terminated",
        ]
    }
}

extension TransferError.Code {
    public static let other = Self(.other)
    public static let usage = Self(.usage)
    public static let malformedURL = Self(.malformedURL)
    public static let proxyNotResolved = Self(.proxyNotResolved)
    public static let hostNotResolved = Self(.hostNotResolved)
    public static let cannotConnect = Self(.cannotConnect)
    public static let notHTTP = Self(.notHTTP)
    public static let partialFile = Self(.partialFile)
    public static let httpStatus = Self(.httpStatus)
    public static let cannotWrite = Self(.cannotWrite)
    public static let cannotReadSource = Self(.cannotReadSource)
    /// ``TransferError/Fields/timer`` says which timer fired.
    public static let timedOut = Self(.timedOut)
    public static let checksumMismatch = Self(.checksumMismatch)
    public static let rangeRefused = Self(.rangeRefused)
    public static let tlsHandshake = Self(.tlsHandshake)
    public static let tooManyRedirects = Self(.tooManyRedirects)
    public static let sendFailed = Self(.sendFailed)
    public static let receiveFailed = Self(.receiveFailed)
    /// The client's own certificate cannot be used, or the server demands one.
    public static let clientCertificate = Self(.clientCertificate)
    /// The server's certificate could not be checked or was not approved.
    public static let certificateRefused = Self(.certificateRefused)
    public static let loginDenied = Self(.loginDenied)
    public static let pinMismatch = Self(.pinMismatch)
    public static let interrupted = Self(.interrupted)
    public static let terminated = Self(.terminated)

    public static let cancelled = Self(.cancelled)
    /// A redirect from https to http, where such are not followed.
    public static let insecureRedirect = Self(.insecureRedirect)
    /// The program crashed on the transfer again and again.
    public static let repeatedCrash = Self(.repeatedCrash)
    /// A secret of a stored transfer is no longer there.
    public static let secretMissing = Self(.secretMissing)
    /// The network interface or local address that the transfer is bound to cannot be used.
    public static let interfaceUnavailable = Self(.interfaceUnavailable)
    /// The server closed the connection without a response.
    public static let noResponse = Self(.noResponse)
    /// A 2xx came before the server had the whole body.
    package static let answeredEarly = Self(.answeredEarly)
    /// The system does not trust the server's certificate.
    public static let certificateUntrusted = Self(.certificateUntrusted)
    /// The file system or a quota is full.
    public static let diskFull = Self(.diskFull)
    public static let destinationExists = Self(.destinationExists)
    /// The file system, often of another machine, has not replied to a call for some seconds.
    public static let folderNotResponding = Self(.folderNotResponding)
}
