// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// All that a `get` or `put` is going to do, checked as far as it can be without the network.
struct TransferPlan {
    var descriptions: [Spec] = []
    var settings = QueueSettings()
    var output: OutputOptions
    /// Whether somebody can be asked something in the middle of it: at a terminal that nothing else is read from, and
    /// where neither a program listens nor silence was asked for.
    var leavesTerminalFree: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, !output.json, !output.quiet else { return false }
        return !descriptions.contains { description in
            guard case .upload(let upload) = description.operation, case .stream = upload.source else { return false }
            return true
        }
    }

    /// Standard output is taken by a download's bytes.
    var writesBytesToStandardOutput = false
    /// Places in ``descriptions`` of those that their list wants queued without being started.
    var held: [Int] = []
    /// Lines of a list that are left out, as they cannot be carried out; the exit code is then 2 at best.
    var skipped = 0

    init(output: OutputOptions) throws(TransferError) {
        guard !(output.quiet && output.verbose) else {
            throw TransferError(.usage, about: "quiet", "--quiet and --verbose contradict each other: give one of them")
        }
        self.output = output
    }
}
