// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The queue behind `get` and `put`: the one place of the command line that names concrete parts.
func makeQueue(_ settings: QueueSettings) throws(TransferError) -> RunningQueue {
    throw TransferError(.other, "this build holds no transfer engine")
}
