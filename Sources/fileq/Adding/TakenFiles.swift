// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Files of downloads to add that unfinished downloads of the queue have, too: whichever begins second fails.
struct TakenFiles: Equatable {
    /// The first of these files, and the transfer that has it.
    var file: String
    var holder: TransferID
    var count: Int

    /// Those of downloads that get no other name if theirs is taken.
    static func candidates(of specs: [Spec]) -> [String] {
        specs.compactMap { spec in
            guard case .download(let download) = spec.operation, download.existing != .keepsBoth else { return nil }
            let file = spec.file
            return file == "-" || file.endsWithSlash ? nil : file
        }
    }

    /// For standard error.
    var warning: String {
        let others = count > 1 ? ", and others have \(count - 1) more of these files" : ""
        return "'\(file)': transfer \(holder) has this file already\(others); --keep-both saves beside it"
    }

    /// For the screen, which has a choice instead of the option.
    var note: String {
        count > 1 ? "\(count) of the files are in the queue already" : "\(holder) has this file already"
    }
}

extension QueueClient {
    /// More files are not looked for: the service compares each with each transfer.
    private static var most: Int { 32 }

    /// - Returns: `nil` if no unfinished download of the queue has a file of `specs`.
    func takenFiles(of specs: [Spec]) async throws -> TakenFiles? {
        let files = TakenFiles.candidates(of: specs)
        guard !files.isEmpty, files.count <= Self.most else { return nil }
        // Characters that mean something in patterns match themselves, too.
        let patterns = try files.map { try GlobPattern($0) }
        let states = TransferState.allCases.filter { !$0.isEnded }
        let open = try await transfers(
            matching: QueueFilter(states: states, kind: .download, terms: [.init(.files(patterns))]))
        let holders = Dictionary(open.map { ($0.file, $0.id) }) { first, _ in first }
        let taken = files.filter { holders[$0] != nil }
        guard let file = taken.first, let holder = holders[file] else { return nil }
        return TakenFiles(file: file, holder: holder, count: taken.count)
    }
}
