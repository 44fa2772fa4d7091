// SPDX-License-Identifier: MIT

import TransferModel

/// What is wrong with files, and with the bytes in them.
extension MessageCatalog {
    /// The sentence of the library.
    static func cause(ofFileIn error: TransferError) -> String? {
        let fields = error.fields
        return fields.file?.message(path: fields.path, errno: error.systemErrno)
            ?? fields.mismatch?.message(of: fields.path ?? fields.host)
    }
}
