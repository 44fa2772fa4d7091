// SPDX-License-Identifier: MIT

package import TransferModel

/// Makes the calls on one file whose file system may hang, one after the other and on no thread that others need.
package protocol FileLane: Sendable {
    /// Makes `call` elsewhere, after every earlier one; returns at once.
    /// - Parameter reply: called once, on any thread; with code `folderNotResponding` if the folder does not respond.
    ///   The call may have its effect later all the same.
    func perform<Value: Sendable>(
        _ call: @escaping @Sendable () throws(TransferError) -> Value,
        reply: @escaping @Sendable (Result<Value, TransferError>) -> Void)
}
