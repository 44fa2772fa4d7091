// SPDX-License-Identifier: MIT

package import TransferModel

extension Transfer {
    /// Whether it failed because its file exists: a retry alone fails again.
    package var failedOnExistingFile: Bool {
        guard state == .failed, let error else { return false }
        return error.code.cause == .destinationExists || error.fields.variant == .existingDiffers
    }
}
