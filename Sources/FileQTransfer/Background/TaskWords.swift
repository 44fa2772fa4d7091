// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import SessionCore
import TransferModel

/// What a session writes to a transfer about its task, to find it again in a later run: the queue keeps it and never
/// reads it.
///
/// It lies in the open, so it holds no secret: of the request's fields those alone that say nothing of who asks.
struct TaskWords: Hashable, Codable {
    static let currentVersion = 1
    /// Identifiers beyond are no session's.
    static let highestTask = 1 << 40

    var version = currentVersion
    var task: Int
    /// The same for all attempts to hand one task over, and for no other task.
    var token: String
    var description: String?
    var method: String
    /// Names and values in turn.
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
        // Plain values: there is nothing in them that JSON cannot hold.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// `nil` for what no session has written.
    init?(_ text: String?) {
        guard let text, let words = try? JSONDecoder().decode(TaskWords.self, from: Data(text.utf8)),
            (1...Self.highestTask).contains(words.task)
        else { return nil }
        self = words
    }
}

extension BackgroundTask {
    /// A task as its transfer tells of it.
    /// - Parameter identifier: for one whose words say none.
    /// - Returns: `nil` for a transfer whose address is none.
    init?(_ transfer: TransferSnapshot, identifier: Int) {
        guard let url = try? TransferURL(transfer.url) else { return nil }
        let words = TaskWords(transfer.taskDescription)
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
    /// The transfer that does it.
    /// - Parameter file: where a download goes.
    func description(downloadingTo file: String) -> Spec {
        let operation: Spec.Operation =
            if let uploadedFile {
                .upload(Upload(source: .file(path: uploadedFile)))
            } else {
                .download(Download(destination: .file(path: file)))
            }
        return Spec(url: request.url, operation: operation, options: request.options)
    }
}
