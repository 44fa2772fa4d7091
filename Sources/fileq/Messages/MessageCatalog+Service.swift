// SPDX-License-Identifier: MIT

import TransferControl

extension MessageCatalog {
    /// What the launcher reports while it waits.
    static func text(_ report: ServiceLauncher.Report) -> String {
        switch report {
        case .waiting(let error): "waiting: \(cause(of: error))"
        case .terminates(let process): "the background service (process \(process)) cannot be asked; it gets SIGTERM"
        }
    }
}
