// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// Changes of the queue's limits; `nil` leaves a value unchanged.
struct QueueChanges: Equatable {
    /// An inner `nil` removes a limit.
    private var download: Int??
    private var upload: Int??
    private var perHost: Int??
    private var concurrent: Int?
    private var timetable: LimitTimetable?

    init(_ command: SetCommand) throws(TransferError) {
        if let text = command.downloadLimit { download = .some(try Self.rate(text, "--download-limit")) }
        if let text = command.uploadLimit { upload = .some(try Self.rate(text, "--upload-limit")) }
        if let count = command.concurrent {
            guard (1...256).contains(count) else {
                throw TransferError(.usage, option: "--concurrent", "use a number from 1 to 256")
            }
            concurrent = count
        }
        if let text = command.perHost { perHost = .some(try Self.perHost(text)) }
        timetable = try command.timetable.map { text throws(TransferError) -> LimitTimetable in
            if text.lowercased() == "none" { return LimitTimetable() }
            return try naming("--timetable") { () throws(TransferError) in try LimitTimetable(text) }
        }
    }

    var isEmpty: Bool { !changesLimits && timetable == nil }

    private var changesLimits: Bool { download != nil || upload != nil || concurrent != nil || perHost != nil }

    private static func perHost(_ text: String) throws(TransferError) -> Int? {
        if text.lowercased() == "none" { return nil }
        guard let count = Int(text), (1...256).contains(count) else {
            throw TransferError(.usage, option: "--per-host", "use a number from 1 to 256, or 'none'")
        }
        return count
    }

    /// A rate, or `nil` for `none`.
    static func rate(_ text: String, _ option: String) throws(TransferError) -> Int? {
        if text.lowercased() == "none" { return nil }
        do {
            return try TransferRate.parse(text)
        } catch {
            throw TransferError(.usage, option: option, "\(MessageCatalog.cause(of: error)), or 'none'")
        }
    }

    func applied(to limits: QueueLimits) -> QueueLimits {
        var limits = limits
        // Another client may release the queue meanwhile.
        limits.isHeld = nil
        if let download { limits.download = download }
        if let upload { limits.upload = upload }
        if let concurrent { limits.concurrent = concurrent }
        if let perHost { limits.perHost = perHost }
        return limits
    }

    /// Prints the limits, if requested or without changes.
    func carryOut(_ shown: ActionOutputOptions, in context: QueueContext) async throws {
        let client = try await context.queue()
        if changesLimits { try await client.setLimits(applied(to: try await client.limits())) }
        if let timetable { try await client.setTimetable(timetable) }
        guard isEmpty || shown.json || shown.verbose else { return }
        let limits = try await client.limits()
        let timetable = try await client.timetable().text
        var output = ResultOutput(context.output)
        if shown.json {
            var line = JSONLine()
            line.add("concurrent", limits.concurrent)
            line.add("perHost", limits.perHost)
            line.add("download", limits.download)
            line.add("upload", limits.upload)
            line.add("timetable", timetable)
            if limits.isHeld == true { line.add("held", true) }
            try output.write(line)
        } else {
            try output.write(line: "concurrent      \(limits.concurrent)")
            try output.write(line: "per-host        \(limits.perHost.map(String.init) ?? "none")")
            try output.write(line: "download-limit  \(Self.shown(limits.download))")
            try output.write(line: "upload-limit    \(Self.shown(limits.upload))")
            try output.write(line: "timetable       \(timetable)")
            if limits.isHeld == true {
                try output.write(line: "held            until 'fileq resume --all'")
            }
        }
        try output.flush()
    }

    private static func shown(_ rate: Int?) -> String { rate.map { RateText.label($0) + "/s" } ?? "none" }
}
