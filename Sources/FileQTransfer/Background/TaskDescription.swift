// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import SessionCore
import TransferModel

/// The `taskDescription` that a session stores with a transfer, to find its task in a later run.
///
/// Stored in plain text, so it contains no secret: only header fields that are known to be harmless.
struct TaskDescription: Hashable, Codable {
    static let currentVersion = 1
    /// Larger identifiers are invalid.
    static let highestTask = 1 << 40

    var version = currentVersion
    var task: Int
    /// Identifies a task across attempts to add it.
    var token: String
    var description: String?
    var method: String
    /// Names and values alternate.
    var headers: [String]?

    init(_ order: BackgroundOrder, token: String) {
        task = order.task
        self.token = token
        description = order.taskDescription
        method = order.request.method.rawValue
        let open = order.request.options.headers.filter { $0.name.isImpersonal }.flatMap {
            [$0.name.rawName, $0.value]
        }
        headers = open.isEmpty ? nil : open
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Plain values: JSON encoding cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// `nil` if no session wrote it.
    init?(_ text: String?) {
        guard let text, let words = try? JSONDecoder().decode(TaskDescription.self, from: Data(text.utf8)),
            (1...Self.highestTask).contains(words.task)
        else { return nil }
        self = words
    }
}

extension BackgroundTask {
    /// A task restored from its transfer.
    /// - Parameter identifier: the default without a stored one.
    /// - Returns: `nil` for a transfer with an invalid URL.
    init?(_ transfer: Transfer, identifier: Int) {
        guard let url = try? TransferURL(transfer.url) else { return nil }
        let words = TaskDescription(transfer.taskDescription)
        var options = TransferOptions()
        options.priority = transfer.priority ?? options.priority
        options.rateLimit = transfer.rateLimit
        let pairs = words?.headers ?? []
        for index in stride(from: 0, to: pairs.count - 1, by: 2) {
            if let name = HTTPField.Name(pairs[index]) {
                options.headers.append(HTTPField(name: name, value: pairs[index + 1]))
            }
        }
        let usual: HTTPRequest.Method = transfer.kind == .download ? .get : .put
        let request = TransferRequest(
            url: url, method: words.flatMap { HTTPRequest.Method($0.method) } ?? usual, options: options)
        self.init(
            identifier: words?.task ?? identifier, request: request, taskDescription: words?.description,
            snapshot: transfer)
    }
}

extension BackgroundOrder {
    /// The transfer for the task.
    /// - Parameter file: the destination of a download.
    func description(downloadingTo file: String) -> Spec {
        let operation: Spec.Operation =
            if let uploadedFile {
                .upload(Upload(source: .file(path: uploadedFile), resumption: uploadResumption))
            } else {
                .download(download(to: file))
            }
        return Spec(url: request.url, operation: operation, options: request.options)
    }

    /// As with `URLSession`, the file is what the server sends.
    private func download(to file: String) -> Download {
        var download = Download(destination: .file(path: file))
        download.followsMetalink = false
        return download
    }
}
