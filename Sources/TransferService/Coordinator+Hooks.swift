// SPDX-License-Identifier: MIT

import TransferModel

/// Programs that are run when something happens.
extension Coordinator {
    /// - Parameter id: `nil` for what is no transfer's.
    func runHook(_ event: HookEvent, _ id: TransferID?) {
        configuration.hooks?.run(event, id.flatMap { queue[$0] })
    }
}
