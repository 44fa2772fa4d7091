// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A transfer as aria2 describes it. All numbers are strings, booleans are `"true"` and `"false"`.
struct RemoteStatus {
    let transfer: Transfer
    /// With ranges and mirrors; `nil` in lists.
    var info: TransferInfo?

    /// The members, in the order of responses.
    enum Key: String, CaseIterable {
        case gid, status, totalLength, completedLength, uploadLength, downloadSpeed, uploadSpeed, pieceLength
        case numPieces, connections, dir, files, bitfield, errorCode, errorMessage, verifiedLength
        case verifyIntegrityPending

        /// - Parameter names: those of a call; none: all.
        static func named(_ names: [String]?) -> [Key] {
            guard let names, !names.isEmpty else { return allCases }
            return allCases.filter { names.contains($0.rawValue) }
        }
    }

    func value(_ keys: [Key] = Key.allCases) -> RPCValue {
        .object(keys.compactMap { key in member(key).map { RPCValue.Member(key.rawValue, $0) } })
    }

    /// Bytes that are safe, of an upload those that the server has confirmed.
    private var completed: Int64 {
        switch transfer.kind {
        case .download: transfer.bytes
        case .upload: transfer.state == .completed ? transfer.total ?? transfer.bytes : transfer.confirmed ?? 0
        }
    }

    private var total: Int64 { transfer.total ?? (transfer.state == .completed ? transfer.bytes : 0) }

    private var rate: Int64 { Int64(exactly: (transfer.rate ?? 0).rounded()) ?? 0 }

    /// - Returns: `nil` for one that a transfer in its state does not have.
    private func member(_ key: Key) -> RPCValue? {
        let isUpload = transfer.kind == .upload
        return switch key {
        case .gid: .string(RemoteGID(transfer).text)
        case .status: .string(Self.word(transfer.state))
        case .totalLength: .text(total)
        case .completedLength: .text(completed)
        case .uploadLength: .text(isUpload ? transfer.bytes : 0)
        case .downloadSpeed: .text(isUpload ? 0 : rate)
        case .uploadSpeed: .text(isUpload ? rate : 0)
        case .pieceLength: .text(Self.pieceLength(of: total))
        case .numPieces: .text(pieces)
        case .connections: .text(transfer.state == .running ? transfer.connections ?? 1 : 0)
        case .dir: .string(Self.folder(of: transfer.file))
        case .files: .array([file()])
        case .bitfield: bitfield().map { .string($0) }
        case .errorCode: hasEnd ? .string(Self.errorCode(of: transfer)) : nil
        case .errorMessage: hasEnd ? .string(transfer.error?.message ?? "") : nil
        case .verifiedLength: transfer.state == .verifying ? .text(0) : nil
        case .verifyIntegrityPending: transfer.state == .verifying ? .string("true") : nil
        }
    }

    private var hasEnd: Bool { transfer.state.isEnded || transfer.error != nil }

    private var pieces: Int64 { total > 0 ? (total - 1) / Self.pieceLength(of: total) + 1 : 0 }

    /// The one file of a transfer.
    func file() -> RPCValue {
        .object([
            .init("index", .string("1")),
            .init("path", .string(transfer.file == "-" ? "" : transfer.file)),
            .init("length", .text(total)),
            .init("completedLength", .text(completed)),
            .init("selected", .string("true")),
            .init("uris", uris()),
        ])
    }

    func uris() -> RPCValue {
        let others = info?.mirrors ?? []
        let isUsed = transfer.bytes > 0 || transfer.state.occupiesSlot || transfer.state.isEnded
        return .array(
            ([(transfer.url, isUsed ? "used" : "waiting")] + others.map { ($0, "waiting") }).map { url, status in
                .object([.init("uri", .string(url)), .init("status", .string(status))])
            })
    }

    func servers() -> RPCValue {
        guard transfer.state == .running else { return .array([]) }
        let server = RPCValue.object([
            .init("uri", .string(transfer.url)), .init("currentUri", .string(transfer.finalURL ?? transfer.url)),
            .init("downloadSpeed", .text(transfer.kind == .download ? rate : 0)),
        ])
        return .array([.object([.init("index", .string("1")), .init("servers", .array([server]))])])
    }

    static func folder(of file: String) -> String {
        guard let slash = file.lastSlash, file != "-" else { return "" }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    static func word(_ state: TransferState) -> String {
        switch state {
        case .running, .verifying: "active"
        case .queued, .waiting, .retrying: "waiting"
        case .paused: "paused"
        case .completed: "complete"
        case .failed: "error"
        case .cancelled: "removed"
        }
    }

    /// A power of two, 1 MiB at least, that makes at most 4096 pieces.
    static func pieceLength(of total: Int64) -> Int64 {
        var length: Int64 = 1 << 20
        while (total - 1) / length + 1 > 4096 { length *= 2 }
        return length
    }

    /// The pieces that are complete, the first in the highest bit, as hexadecimal digits; `nil` before the first byte,
    /// and in lists, where the ranges are not known.
    private func bitfield() -> String? {
        let (length, pieces) = (Self.pieceLength(of: total), pieces)
        guard let info, pieces > 0, transfer.kind == .download else { return nil }
        let stored =
            transfer.state == .completed ? [0..<total] : info.ranges?.stored ?? [0..<min(total, transfer.bytes)]
        guard stored.contains(where: { !$0.isEmpty }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(pieces + 7) / 8)
        for range in stored {
            // A server may have stated another size before.
            let (start, end) = (max(0, range.lowerBound), min(total, range.upperBound))
            let last = end == total ? pieces : end / length
            var piece = (start + length - 1) / length
            while piece < last {
                bytes[Int(piece / 8)] |= 0x80 >> UInt8(piece % 8)
                piece += 1
            }
        }
        return Hex.encode(bytes)
    }

    /// aria2's exit status of the cause.
    static func errorCode(of transfer: Transfer) -> String {
        if transfer.state == .completed { return "0" }
        guard let error = transfer.error else { return transfer.state == .cancelled ? "31" : "1" }
        return switch error.code.cause {
        case .timedOut, .folderNotResponding: "2"
        case .httpStatus: error.fields.status == 404 || error.fields.status == 410 ? "3" : "22"
        case .cannotConnect, .interfaceUnavailable, .sendFailed, .receiveFailed, .noResponse, .partialFile,
            .proxyNotResolved, .tlsHandshake, .answeredEarly:
            "6"
        case .rangeRefused: "8"
        case .diskFull: "9"
        case .destinationExists: "13"
        case .cannotReadSource: "15"
        case .cannotWrite: "16"
        case .hostNotResolved: "19"
        case .notHTTP: "22"
        case .tooManyRedirects: "23"
        case .loginDenied: "24"
        case .malformedURL, .usage: "28"
        case .checksumMismatch: "32"
        default: "1"
        }
    }
}
