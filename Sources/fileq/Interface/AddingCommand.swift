// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// A command that enqueues transfers.
protocol AddingCommand: ParsableCommand {
    /// The plan, without access to the network, and its output options.
    /// - Parameter isDry: create no folder.
    func planForScreen(_ surroundings: CommandEnvironment, isDry: Bool) throws -> (plan: AddPlan, AddOutputOptions)
}

extension AddGetCommand: AddingCommand {
    func planForScreen(_ surroundings: CommandEnvironment, isDry: Bool) throws -> (plan: AddPlan, AddOutputOptions) {
        try shared.checkForScreen(hasStandardInput: curl == "-")
        if let place = files.checksumFile, ChecksumFetch.isAddress(place) {
            throw TransferError(
                .usage, option: "--checksum-file", "a list at a URL is downloaded in a shell; here pass a file")
        }
        var command = self
        if isDry { command.inputs.dryRun = true }
        return (try command.plan(surroundings, checksums: nil), shared.output)
    }
}

extension AddPutCommand: AddingCommand {
    func planForScreen(_ surroundings: CommandEnvironment, isDry: Bool) throws -> (plan: AddPlan, AddOutputOptions) {
        try shared.checkForScreen(hasStandardInput: items.contains("-"))
        return (try plan(surroundings), shared.output)
    }
}

extension AddCurlCommand: AddingCommand {
    func planForScreen(_ surroundings: CommandEnvironment, isDry: Bool) throws -> (plan: AddPlan, AddOutputOptions) {
        var get = try Self.mergedDefaults()
        if isDry { get.inputs.dryRun = true }
        return (try get.plan(curl: words, surroundings), get.shared.output)
    }
}

extension AddOptions {
    fileprivate func checkForScreen(hasStandardInput: Bool) throws(TransferError) {
        guard !hasStandardInput, !files.input.contains("-") else {
            throw TransferError(.usage, "the keyboard uses standard input: pass a file instead of '-'")
        }
        guard !files.dryRun else {
            throw TransferError(.usage, "--dry-run needs standard output, which the screen uses")
        }
    }
}
