// SPDX-License-Identifier: MIT

package import TransferModel

/// Something that a session's delegate has not been told yet.
package struct StoredEvent: Sendable, Hashable {
    /// Rises with every event of the store; never used twice.
    package let sequence: Int64
    package let transfer: TransferID
    /// As it was recorded.
    package let payload: [UInt8]
}
