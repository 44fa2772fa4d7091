// SPDX-License-Identifier: MIT

import TransferModel

extension ConfigurationFile {
    /// At the top, and no option: whether running transfers of the service keep the machine from suspending.
    static let sleepKey = "inhibit-sleep"

    /// - Throws: code `usage` with the line, if it is neither true nor false.
    func inhibitsSleep() throws(TransferError) -> Bool {
        try flag(Self.sleepKey, in: root, name: nil) ?? true
    }
}
