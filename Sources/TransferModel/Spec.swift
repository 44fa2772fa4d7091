// SPDX-License-Identifier: MIT

/// A request of the user: one file, one URL, one direction. A value: creating it has no effect.
///
/// The same encoding is stored and sent to the service. The encoder's `userInfo` states how secrets are encoded
/// (``SecretCoding``).
package struct Spec: Sendable, Hashable {
    package enum Operation: Sendable, Hashable {
        case download(Download)
        case upload(Upload)
    }

    /// The address, with its user information, which applies to this URL only.
    package var url: TransferURL
    package var operation: Operation
    /// Transfers with the same options may share them: `a.$options = b.$options`.
    @Shared package var options: TransferOptions

    package init(url: TransferURL, operation: Operation, options: TransferOptions) {
        self.url = url
        self.operation = operation
        self.options = options
    }

    /// Makes a spec with every option at its default.
    package init(url: TransferURL, operation: Operation) {
        self.url = url
        self.operation = operation
        _options = Self.usualOptions
    }

    package var kind: TransferKind {
        switch operation {
        case .download: .download
        case .upload: .upload
        }
    }

    /// The local path: source of an upload, destination of a download as far as known; `-` for a stream.
    package var file: String {
        switch operation {
        case .download(let download):
            switch download.destination {
            case .file(let path): path
            case .folder(let path, let name): path.endsWithSlash ? path + name : "\(path)/\(name)"
            case .stream: "-"
            }
        case .upload(let upload):
            switch upload.source {
            case .file(let path): path
            case .stream: "-"
            }
        }
    }

    /// The options of a transfer that was made or read without any.
    package static let usualOptions = Shared(wrappedValue: TransferOptions())
}

/// `url`, one of `download` and `upload`, and `options` unless all are defaults.
extension Spec: Codable {
    private enum Key: CodingKey { case url, download, upload, options }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        url = try container.decode(TransferURL.self, forKey: .url)
        let download = try container.decodeIfPresent(Download.self, forKey: .download)
        let upload = try container.decodeIfPresent(Upload.self, forKey: .upload)
        operation =
            switch (download, upload) {
            case (let download?, nil): .download(download)
            case (nil, let upload?): .upload(upload)
            default: throw TransferError(.specOperation)
            }
        _options =
            try container.decodeIfPresent(TransferOptions.self, forKey: .options).map(Shared.init) ?? Self.usualOptions
    }

    /// - Throws: code `usage` for a stream, whose descriptor ends with the process.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(url, forKey: .url)
        switch operation {
        case .download(let download): try container.encode(download, forKey: .download)
        case .upload(let upload): try container.encode(upload, forKey: .upload)
        }
        if _options != Self.usualOptions { try container.encode(options, forKey: .options) }
    }

    /// The spec with every option at its default.
    package var withoutOptions: Spec { Spec(url: url, operation: operation) }
}
