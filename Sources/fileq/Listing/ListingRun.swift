// SPDX-License-Identifier: MIT

import Listings
import TransferModel
import TransferService

/// Lists a folder and, if that is wanted, those below, one after the other.
struct ListingRun {
    /// Carries out a request; the flag keeps redirects at its server.
    typealias Fetch = (ListingRequests.Request, Bool) async throws(TransferError) -> ListingRequests.Response

    private struct Folder {
        var requests: ListingRequests
        /// With a `/` at its end; empty for the one that was named.
        var path = ""
        var level = 1
        /// Hashes of what the folders above it list.
        var above: Set<Int> = []
    }

    private let plan: ListingPlan
    private let lines: ListingLines
    private var output: ResultOutput
    private let report: (String) -> Void
    private let fetch: Fetch
    /// That of the first failure.
    private var status: Int32 = 0

    init(
        _ plan: ListingPlan, _ lines: ListingLines, _ output: ResultOutput, report: @escaping (String) -> Void,
        fetch: @escaping Fetch
    ) {
        (self.plan, self.lines, self.output, self.report, self.fetch) = (plan, lines, output, report, fetch)
    }

    /// - Returns: the exit code.
    /// - Throws: why the folder itself cannot be listed, or why nothing can be written.
    mutating func run() async throws -> Int32 {
        var pending = [Folder(requests: plan.start)]
        while let folder = pending.popLast() {
            // The first name is listed first.
            pending += try await list(folder).reversed()
            try output.flush()
        }
        return status
    }

    /// - Returns: the folders in it that are to be listed, too.
    private mutating func list(_ listed: Folder) async throws -> [Folder] {
        var folder = listed
        var entries: [ListingEntry] = []
        var (pages, found) = (0, 0)
        var next: ListingRequests.Request? = folder.requests.first
        while let request = next {
            let step: ListingRequests.Step
            do throws(TransferError) {
                let isFirst = folder.path.isEmpty && pages == 0
                let response = try await fetch(request, !isFirst)
                step = folder.requests.received(response)
            } catch {
                return try failed(folder, error)
            }
            switch step {
            case .send(let following): next = following
            case .end(let end): return try failed(folder, error(for: end))
            case .page(let page, let following):
                pages += 1
                found += page.entries.count + page.refusedCount
                note(page, in: folder)
                if isDeep { try write(page.entries, of: folder) } else { entries += page.entries }
                next = following
                if found >= ListingPage.maximumEntries, following != nil, !isDeep {
                    incomplete(folder)
                    next = nil
                }
            }
        }
        // A store has no folders, only keys that begin alike.
        if plan.bucket?.prefix.isEmpty == false, found == 0 { return try failed(folder, error(for: .notAListing)) }
        if pages > 1 { entries = ListingPage.sorted(entries) }
        try write(entries, of: folder)
        return folders(in: folder, entries)
    }

    /// Whether the pages of the first folder have the whole tree.
    private var isDeep: Bool { plan.bucket != nil && plan.isRecursive && plan.depth == nil }

    private mutating func folders(in folder: Folder, _ entries: [ListingEntry]) -> [Folder] {
        let below = entries.filter { $0.kind == .folder }
        guard plan.isRecursive, !below.isEmpty, !isDeep else { return [] }
        guard folder.level < plan.levels else {
            // A number that was typed is meant.
            if plan.depth == nil { fail("\(name(of: folder)): has folders below \(plan.levels) levels", .other) }
            return []
        }
        // A link to a folder above lists the same for ever.
        let hash = entries.hashValue
        guard !folder.above.contains(hash) else {
            fail("\(name(of: folder)): lists the same as a folder above; the loop is not entered", .other)
            return []
        }
        return below.map { entry in
            Folder(
                requests: requests(for: entry, in: folder), path: "\(folder.path)\(entry.name)/",
                level: folder.level + 1, above: folder.above.union([hash]))
        }
    }

    private func requests(for entry: ListingEntry, in folder: Folder) -> ListingRequests {
        if let bucket = plan.bucket {
            let prefix = "\(bucket.prefix)\(folder.path)\(entry.name)/"
            return ListingRequests(plan.url, .store(prefix: prefix, isDeep: false))
        }
        return ListingRequests(
            ListingRequests.asFolder(folder.requests.folder).appendingIfFolder(entry.name + "/"),
            folder.requests.form)
    }

    private mutating func write(_ entries: [ListingEntry], of folder: Folder) throws {
        let (plan, base) = (plan, ListingRequests.asFolder(folder.requests.folder))
        try lines.write(entries, below: folder.path, to: &output) { entry in
            let name = entry.name + (entry.kind == .folder ? "/" : "")
            guard let bucket = plan.bucket else { return base.appendingIfFolder(name).string }
            return "s3://\(bucket.name)/\(bucket.prefix)\(folder.path)\(name)"
        }
    }

    // MARK: Failures

    /// - Throws: `error`, if it is that of the folder which was named, or ends the run.
    private mutating func failed(_ folder: Folder, _ error: TransferError) throws -> [Folder] {
        guard !folder.path.isEmpty, error.code != .cancelled else {
            try output.flush()
            throw error
        }
        fail("\(folder.path): \(MessageCatalog.text(error))", error.code)
        return []
    }

    private mutating func fail(_ line: String, _ code: TransferError.Code) {
        report(line)
        if status == 0 { status = Int32(code.rawValue) }
    }

    private func name(of folder: Folder) -> String { folder.path.isEmpty ? plan.address : folder.path }

    private mutating func incomplete(_ folder: Folder) {
        fail("\(name(of: folder)): has more than its listing", .partialFile)
    }

    private mutating func note(_ page: ListingPage, in folder: Folder) {
        for refused in page.refused {
            let name = LineText.escaped(folder.path + refused.text)
            fail("'\(name)' is left out: \(Self.text(refused.reason))", .cannotWrite)
        }
        let others = page.refusedCount - page.refused.count
        if others > 0 { report("\(others) more names are left out") }
        if page.isTruncated { incomplete(folder) }
    }

    private static func text(_ reason: RefusedName.Reason) -> String {
        switch reason {
        case .empty: "a name is empty"
        case .dots: "it is a path, not a name"
        case .slash: "a name contains no '/'"
        case .control: "it contains a control character"
        case .notUTF8: "it is not UTF-8"
        case .encoding: "its percent-encoding is broken"
        case .reserved: "fileq uses such names for its own files"
        case .outside: "it is not in the folder"
        }
    }

    private func error(for end: ListingRequests.End) -> TransferError {
        switch end {
        case .notAListing:
            let advice = plan.bucket == nil ? "is no listing of a folder; 'fileq get' downloads it" : "has no objects"
            return TransferError(.httpStatus, "\(plan.address): \(advice)")
        case .refused(let response):
            return HTTPStatusError.make(response.head, from: response.url, body: response.content)
                ?? TransferError(.httpStatus, "\(plan.address): is no listing of a folder")
        }
    }
}
