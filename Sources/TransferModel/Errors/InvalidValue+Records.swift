// SPDX-License-Identifier: MIT

// Sentences about descriptions of transfers and about what goes into requests.

extension InvalidValue {
    /// Distinguishes those with a remedy of their own.
    var variant: TransferError.Variant? {
        switch self {
        case .spec(.streamedDownload): .streamedDownload
        case .spec(.streamedUpload): .streamedUpload
        default: nil
        }
    }
}

extension InvalidValue.SpecProblem {
    var message: String {
        switch self {
        case .operation: "a transfer is either a download or an upload"
        case .destination: "a download goes either to a file or into a folder"
        case .body(let maximum): "body: write at most \(maximum) bytes in hexadecimal digits"
        case .certificatePin: "certificatePins: the SHA-256 of a certificate has 64 hexadecimal digits"
        case .pieceDigits: "pieces.digests: hexadecimal digits"
        case .uploadMethod: "method: an upload takes one that stores content, such as PUT, POST or PATCH"
        case .streamedDownload: "a download to standard output cannot be queued in the background"
        case .streamedUpload: "an upload from standard input cannot be queued in the background"
        }
    }
}

extension InvalidValue.CookieProblem {
    var message: String {
        switch self {
        case .character: "a control character or ';' cannot be sent; percent-encode it"
        case .equalsSign: "the name holds '='"
        case .blank: "name or value has a blank at its end; percent-encode it"
        case .empty: "name and value are empty"
        case .size(let maximum): "larger than \(maximum) bytes"
        case .domain: "the domain is empty or begins with a dot"
        case .path: "the path does not begin with '/'"
        case .longAttribute(let maximum): "domain or path is longer than \(maximum) bytes"
        case .prefix: "the name's prefix promises what the cookie does not keep"
        }
    }
}

extension InvalidValue.FileQProblem {
    var message: String {
        switch self {
        case .checksum(let algorithm): "a FileQ upload carries a SHA-256 checksum, not \(algorithm.name)"
        case .metadataName: "metadata: a name is empty or holds a control character"
        case .control(let item): "\(item.text): the value holds a control character"
        case .double(let item): "\(item.text): given twice"
        case .malformed(let item): "\(item.text): malformed value"
        case .size(let item, let maximum): "\(item.text): larger than \(maximum) bytes"
        case .encodedSize(let item, let maximum): "\(item.text): larger than \(maximum) bytes once encoded"
        }
    }
}

extension InvalidValue.FileQProblem.Item {
    fileprivate var text: String {
        switch self {
        case .cookie(let name): "cookie \(name)"
        case .metadata(let name): "metadata \(name)"
        }
    }
}

extension InvalidValue.S3Problem {
    var message: String {
        switch self {
        case .noObject(let text):
            "'\(text)' names a bucket and no object: write s3://BUCKET/NAME, or s3://BUCKET/ for the name of the file"
        case .bucket(let name):
            "'\(name)' is no name of a bucket: at AWS it has 3 to 63 letters, digits, dots and hyphens, with a letter "
                + "or digit at both ends"
        case .objectName: "the name of an object has at most 1024 bytes and no control characters"
        }
    }
}
