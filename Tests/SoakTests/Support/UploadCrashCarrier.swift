// SPDX-License-Identifier: MIT

import Testing

/// How an ``UploadCrashRun`` uploads.
enum UploadCrashCarrier: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case ietf8 = "ietf-8"
    /// The relay plays a server of this version of the draft and older ones.
    case ietf6 = "ietf-6"
    case ietf5 = "ietf-5"
    case ietf3 = "ietf-3"
    case tus = "tus-1.0.0"
    case plain
    case fileQ = "fileq, ietf-8"
    case plainFileQ = "fileq, plain"

    var testDescription: String { rawValue }

    var isFileQ: Bool { self == .fileQ || self == .plainFileQ }

    /// As `--json` names it; `nil`: the upload starts again.
    var protocolName: String? {
        switch self {
        case .plain, .plainFileQ: nil
        case .fileQ: Self.ietf8.rawValue
        case .ietf8, .ietf6, .ietf5, .ietf3, .tus: rawValue
        }
    }

    /// The value of `--resumable`. A server of older versions announces nothing.
    var option: String {
        switch self {
        case .ietf8, .fileQ: "auto"
        case .ietf6, .ietf5, .ietf3: "ietf"
        case .tus: "tus"
        case .plain, .plainFileQ: "never"
        }
    }

    /// The newest version of the draft that the relay lets pass; `nil`: all.
    var newest: Int64? {
        switch self {
        case .ietf6: 6
        case .ietf5: 5
        case .ietf3: 3
        case .ietf8, .tus, .plain, .fileQ, .plainFileQ: nil
        }
    }
}
