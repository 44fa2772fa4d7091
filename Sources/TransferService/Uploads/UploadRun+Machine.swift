// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Which protocol an upload is sent by.
extension UploadRun {
    var isForS3: Bool {
        if case .s3 = upload.form { true } else { false }
    }

    /// The machine of the upload's protocol.
    func machine(_ subject: UploadSubject, _ point: UploadPoint?) -> any UploadMachine {
        if case .s3(let form) = upload.form { return multipartUpload(form, subject, point) }
        guard point.map({ $0.parts != nil }) ?? mayHaveParts else {
            return ResumableUpload(subject, upload.resumption, point: point)
        }
        return ConcatenatedUpload(
            subject, upload.resumption, parts: description.options.connections ?? 1, point: point)
    }

    /// Whether a point belongs to an upload of this form.
    func fits(_ point: UploadPoint) -> Bool {
        // Of a file that was sent in parts, no exchange has the digest of the whole.
        isForS3 == (point.carrier == .s3) && (point.parts == nil || isJoinable)
    }

    /// Whether the file may be sent by tus in parts that the server joins: if the user wants several connections.
    private var mayHaveParts: Bool { isJoinable && description.options.connections ?? 1 > 1 }

    /// Whether parts of the source may be uploads of their own.
    private var isJoinable: Bool {
        guard case .file = upload.source, case .put = upload.form else { return false }
        return upload.checksum == nil && (upload.resumption == .tus || upload.resumption == .auto)
    }
}
