// SPDX-License-Identifier: MIT

import TransferModel

/// All that a `get` or `put` is going to do, checked as far as it can be without the network.
struct TransferPlan {
    var descriptions: [TransferDescription] = []
    var settings = QueueSettings()
    var output: OutputOptions
    /// Standard output is taken by a download's bytes.
    var writesBytesToStandardOutput = false

    init(output: OutputOptions) throws(TransferError) {
        guard !(output.quiet && output.verbose) else {
            throw TransferError(.usage, "--quiet and --verbose contradict each other: give one of them")
        }
        self.output = output
    }
}
