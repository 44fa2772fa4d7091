// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What the plan of downloads needs from servers and from the queue, fetched before it; the plan itself asks neither.
struct PlanInputs: Sendable, Equatable {
    /// The list of ``DownloadFileOptions/checksumFile``, if that is a URL.
    var checksums: ChecksumList?
    /// The Metalink documents that are URLs, by their argument.
    var documents: [String: [UInt8]] = [:]
    /// Absolute paths of files that unfinished downloads of the queue will have: no names for `--keep-both`.
    var namesInUse: Set<String> = []

    /// Fetches what `command` names; nothing for a dry run.
    /// - Parameters:
    ///   - purpose: only a plan for the background service avoids the names of its queue.
    ///   - given: the connection to another machine's queue.
    /// - Throws: the failure of a download, prefixed with the option or argument; why there is no service.
    static func fetch(
        for command: DownloadArguments, purpose: PlanPurpose, _ surroundings: CommandEnvironment,
        of given: ControlClient? = nil
    ) async throws -> PlanInputs {
        var inputs = PlanInputs()
        guard !command.shared.isDry else { return inputs }
        inputs.checksums = try await ChecksumFetch.list(for: command, surroundings)
        inputs.documents = try await MetalinkRequests.fetch(for: command, surroundings)
        if purpose == .background, command.files.keepBoth {
            let client = if let given { given } else { try await ServiceAccess.connect() }
            defer { if given == nil { client.close() } }
            inputs.namesInUse = try await client.namesInUse()
        }
        return inputs
    }
}

extension QueueClient {
    /// See ``PlanInputs/namesInUse``.
    func namesInUse() async throws -> Set<String> {
        let open = try await snapshot().transfers.lazy.filter { $0.kind == .download && !$0.state.isEnded }
        return Set(open.map(\.file))
    }
}
