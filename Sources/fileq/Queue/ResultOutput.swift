// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import Glibc
import Platform
import Synchronization
import TransferControl
import TransferModel

/// Buffered output, so that a hundred thousand lines need few writes.
struct ResultOutput {
    private static let pieceSize = 1 << 18

    private let output: FileOutput
    private var pending: [UInt8] = []

    init(_ output: FileOutput) { self.output = output }

    mutating func write(line: String) throws {
        pending.append(contentsOf: line.utf8)
        pending.append(UInt8(ascii: "\n"))
        try flushIfLarge()
    }

    mutating func write(_ object: JSONLine) throws {
        object.append(to: &pending)
        try flushIfLarge()
    }

    /// One line for each of `items`, in parallel if there are many.
    mutating func write<Item: Sendable>(_ items: [Item], _ line: @escaping @Sendable (Item) -> JSONLine) throws {
        let size = 4096
        let pieces = Mutex([[UInt8]](repeating: [], count: (items.count + size - 1) / size))
        DispatchQueue.concurrentPerform(iterations: pieces.withLock { $0.count }) { number in
            var piece: [UInt8] = []
            piece.reserveCapacity(size * 384)
            for item in items[number * size..<Swift.min(items.count, (number + 1) * size)] {
                line(item).append(to: &piece)
            }
            pieces.withLock { [piece] in $0[number] = piece }
        }
        for piece in pieces.withLock({ $0 }) {
            pending.append(contentsOf: piece)
            try flushIfLarge()
        }
    }

    /// - Throws: an exit code if the reader is gone, else the write error.
    mutating func flush() throws {
        defer { pending.removeAll(keepingCapacity: true) }
        guard !pending.withUnsafeBytes({ output.write($0) }) else { return }
        throw FileOutput.ending(FileOutput.failure())
    }

    private mutating func flushIfLarge() throws {
        if pending.count >= Self.pieceSize { try flush() }
    }
}

extension FileOutput {
    /// Why results could not be written.
    /// - Parameter code: an errno; by default that of the call before.
    static func failure(_ code: Int32 = errno) -> TransferError {
        guard code > 0 else { return TransferError(.cannotWrite, "standard output: cannot be written") }
        return TransferError(.cannotWrite, "standard output: \(TransferError.phrase(errno: code))", systemErrno: code)
    }

    /// What a command ends with because of `failure`: an exit code alone if the reader is gone.
    static func ending(_ failure: TransferError) -> any Error {
        failure.systemErrno == EPIPE ? ExitCode(ExitStatus.of(failure)) : failure
    }
}

/// A transfer in the NDJSON of queue commands: the fields of an event without `time` and `event`, and the fields of the
/// queue.
enum QueueJSON {
    static func object(_ transfer: Transfer) -> JSONLine {
        var line = JSONLine()
        add(transfer, to: &line)
        return line
    }

    static func add(_ transfer: Transfer, to line: inout JSONLine) {
        JSONEvents.add(transfer, to: &line)
        line.add("advice", MessageCatalog.advice(for: transfer))
        line.add("pausedBy", transfer.pausedBy?.rawValue)
        line.add("limit", transfer.rateLimit)
        line.add("priority", transfer.priority)
        line.add("earliestBegin", transfer.earliestBegin.map(Timestamp.text))
        line.add("after", transfer.after)
        if transfer.isDiscretionary == true { line.add("discretionary", true) }
        line.add("session", transfer.session)
        line.add("taskDescription", transfer.taskDescription)
        line.add(
            "batch",
            transfer.batch.map { batch in
                var line = JSONLine()
                line.add("id", batch.id)
                line.add("name", batch.name)
                return line
            })
        line.add("added", Timestamp.text(transfer.addedAt))
        line.add("ended", transfer.endedAt.map(Timestamp.text))
        line.add("duration", transfer.duration)
    }

    private static func object(_ ranges: TransferRanges) -> JSONLine {
        func objects(_ list: [Range<Int64>]) -> [JSONLine] {
            list.map { range in
                var line = JSONLine()
                line.add("first", range.lowerBound)
                line.add("end", range.upperBound)
                return line
            }
        }
        var line = JSONLine()
        line.add("stored", objects(ranges.stored))
        line.add("requested", objects(ranges.requested))
        return line
    }

    /// With its attempts, oldest first.
    static func object(_ info: TransferInfo) -> JSONLine {
        var line = object(info.transfer)
        if let mirrors = info.mirrors { line.add("mirrors", words: mirrors.map(TransferURL.displayed)) }
        line.add("ranges", info.ranges.map(object))
        line.add("uploadExpires", info.uploadExpires.map(Timestamp.text))
        line.add(
            "attempts",
            (info.attempts ?? []).map { attempt in
                var line = JSONLine()
                line.add("number", attempt.number)
                line.add("started", Timestamp.text(attempt.startedAt))
                line.add("ended", attempt.endedAt.map(Timestamp.text))
                line.add("url", TransferURL.displayed(attempt.url))
                line.add("firstByte", attempt.firstByte)
                line.add("lastByte", attempt.lastByte)
                line.add("status", attempt.status)
                line.add("error", attempt.error.map(JSONEvents.object))
                line.add("metrics", attempt.metrics.map(JSONEvents.object))
                return line
            })
        return line
    }
}
