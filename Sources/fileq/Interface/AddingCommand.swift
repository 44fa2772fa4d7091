// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// A command that enqueues transfers.
protocol AddingCommand: ParsableCommand {
    /// The plan, without access to the network, and its output options.
    func planForScreen(
        _ surroundings: CommandEnvironment, with fetched: PlanInputs
    ) throws -> (plan: AddPlan, AddOutputOptions)
}

extension AddGetCommand: AddingCommand {
    func planForScreen(
        _ surroundings: CommandEnvironment, with fetched: PlanInputs
    ) throws -> (plan: AddPlan, AddOutputOptions) {
        try shared.checkForScreen(hasStandardInput: curl == "-")
        if let place = files.checksumFile, ChecksumFetch.isAddress(place) {
            throw TransferError(
                .usage, option: "--checksum-file", "a list at a URL is downloaded in a shell; here pass a file")
        }
        return (try plan(surroundings, with: fetched).checkedForScreen(), shared.output)
    }
}

extension AddPutCommand: AddingCommand {
    func planForScreen(
        _ surroundings: CommandEnvironment, with fetched: PlanInputs
    ) throws -> (plan: AddPlan, AddOutputOptions) {
        try shared.checkForScreen(hasStandardInput: items.contains("-"))
        return (try plan(surroundings).checkedForScreen(), shared.output)
    }
}

extension AddCurlCommand: AddingCommand {
    func planForScreen(
        _ surroundings: CommandEnvironment, with fetched: PlanInputs
    ) throws -> (plan: AddPlan, AddOutputOptions) {
        let get = try Self.mergedDefaults()
        return (try get.plan(curl: words, surroundings, with: fetched).checkedForScreen(), get.shared.output)
    }
}

extension AddOptions {
    fileprivate func checkForScreen(hasStandardInput: Bool) throws(TransferError) {
        guard !hasStandardInput, !files.input.contains("-") else {
            throw TransferError(.usage, "the keyboard uses standard input: pass a file instead of '-'")
        }
    }
}

extension AddPlan {
    /// - Throws: code `usage` for a dry run, and for a plan without transfers, which a screen would add unnoticed.
    fileprivate func checkedForScreen() throws(TransferError) -> AddPlan {
        guard !isDry else {
            throw TransferError(.usage, "--dry-run needs standard output, which the screen uses")
        }
        guard !descriptions.isEmpty else { throw TransferError(.usage, "the list is empty: nothing to add") }
        return self
    }
}
