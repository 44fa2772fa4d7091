// SPDX-License-Identifier: MIT

package import TransferModel

/// An event that a session's delegate has not acknowledged.
package struct StoredEvent: Sendable, Hashable {
    /// Rises with every event of the store; never reused.
    package let sequence: Int64
    package let transfer: TransferID
    /// As recorded.
    package let payload: [UInt8]
}
