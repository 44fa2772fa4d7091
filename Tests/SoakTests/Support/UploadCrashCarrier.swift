// SPDX-License-Identifier: MIT

import Testing

/// How an ``UploadCrashRun`` uploads.
enum UploadCrashCarrier: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case ietf10 = "ietf-10"
    /// The relay plays a server of this version of the draft and older ones.
    case ietf6 = "ietf-6"
    case ietf5 = "ietf-5"
    case ietf3 = "ietf-3"
    case tus = "tus-1.0.0"
    case tusParts = "tus-1.0.0, in parts"
    /// In parts at the same time, to ``UploadServer/Program/s3``.
    case s3
    case plain
    case fileQ = "fileq, ietf-10"
    case plainFileQ = "fileq, plain"

    var testDescription: String { rawValue }

    var isFileQ: Bool { self == .fileQ || self == .plainFileQ }

    /// As `--json` names it; `nil`: the upload starts again.
    var protocolName: String? {
        switch self {
        case .plain, .plainFileQ: nil
        case .fileQ: Self.ietf10.rawValue
        case .tusParts: Self.tus.rawValue
        case .ietf10, .ietf6, .ietf5, .ietf3, .tus, .s3: rawValue
        }
    }

    /// Options of `put`. A server of older versions of the draft announces nothing.
    var options: [String] {
        switch self {
        case .ietf10, .fileQ: ["--resumable", "auto"]
        case .ietf6, .ietf5, .ietf3: ["--resumable", "ietf"]
        case .tus: ["--resumable", "tus"]
        case .tusParts: ["--resumable", "tus", "--split", "\(parts)"]
        case .s3: ["--s3-part-size", "5M", "--split", "2", "--s3-region", "eu-test-1"]
        case .plain, .plainFileQ: ["--resumable", "never"]
        }
    }

    var environment: [String: String] { self == .s3 ? UploadServer.keys : [:] }

    var isInParts: Bool { self == .tusParts || self == .s3 }

    /// The uploads of tus that a file is.
    var parts: Int { self == .tusParts ? 3 : 1 }

    /// The most bytes of content between two blows. Parts of S3 have 5 MiB, and none is confirmed before its last byte.
    var share: Int64 {
        switch self {
        case .tusParts: 4 << 20
        case .s3: 12 << 20
        case .ietf10, .ietf6, .ietf5, .ietf3, .tus, .plain, .fileQ, .plainFileQ: 1 << 20
        }
    }

    /// How many blows.
    func blows(_ crashes: Int) -> Int {
        // A plain upload starts again each time, later and later; files in parts are large.
        protocolName == nil ? 8 : max(8, min(crashes / 2, isInParts ? 12 : .max))
    }

    /// Bytes of each of three files: more than so many rounds together let pass.
    func size(_ blows: Int) -> Int {
        // S3: until a part is confirmed, two parts of each file may pass.
        let most = self == .s3 ? 3 * 2 * (5 << 20) : Int(share)
        let size = (blows + 4) * most
        // The parts of tus have 8 MiB at least.
        return isInParts ? max(parts * 8 << 20, size / 3) : size / 2
    }

    /// The newest version of the draft that the relay lets pass; `nil`: all.
    var newest: Int64? {
        switch self {
        case .ietf6: 6
        case .ietf5: 5
        case .ietf3: 3
        case .ietf10, .tus, .tusParts, .s3, .plain, .fileQ, .plainFileQ: nil
        }
    }
}
