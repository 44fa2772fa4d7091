// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface
import TransferControl
import TransferModel
import TransferTesting

/// What the form adds to the queue in memory: addresses between spaces, or files to one address.
enum ProbeAdding {
    /// Adding `crash` crashes.
    static func add(_ request: AddRequest, to queue: FakeQueue) async -> AddOutcome {
        precondition(request.addresses != "crash", "asked to crash")
        do {
            let terms = TransferTerms(paused: request.start == .paused)
            let ids = try await queue.add(try specs(request), on: terms)
            return .added(ids.count, notes: [])
        } catch {
            return .failed((error as? TransferError)?.message ?? "\(error)", .addresses)
        }
    }

    /// Addresses that end in `/taken` have a file already; a folder `/hung` never responds.
    static func lookAhead(_ request: AddRequest) -> AddOutlook {
        var outlook = AddOutlook()
        if request.folder == "/hung" { while true { pause() } }
        guard let specs = try? specs(request) else { return outlook }
        outlook.downloads = specs.count { $0.kind == .download }
        outlook.uploads = specs.count { $0.kind == .upload }
        outlook.servers = Set(specs.map(\.url.host)).count
        outlook.existing = specs.count { $0.url.lastPathSegment == "taken" }
        return outlook
    }

    /// Sets limits and starts; a folder is refused.
    static func edit(_ request: EditRequest, in queue: FakeQueue) async -> EditOutcome {
        guard request.folder == nil else { return .failed("there is no such folder", .folder) }
        do {
            if let limit = request.limit {
                try await queue.perform(.limit(try TransferRate.parse(limit)), on: request.ids)
            }
            if case .at = request.start { try await queue.perform(.schedule(4_000_000_000), on: request.ids) }
            return .done(steps: 1, notes: [])
        } catch {
            return .failed((error as? TransferError)?.message ?? "\(error)", .limit)
        }
    }

    private static func specs(_ request: AddRequest) throws -> [Spec] {
        let addresses = request.addresses.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !request.files.isEmpty else {
            return try addresses.map {
                Spec(
                    url: try TransferURL($0),
                    operation: .download(.init(destination: .folder(path: "/tmp", name: "added"))))
            }
        }
        let url = try TransferURL(addresses.first ?? "")
        return request.files.map {
            let name = String($0.split(separator: "/").last ?? "")
            return Spec(url: url.appendingIfFolder(name), operation: .upload(.init(source: .file(path: $0))))
        }
    }
}
