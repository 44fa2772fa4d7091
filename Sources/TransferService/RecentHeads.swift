// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferControl
import TransferModel

/// The heads of the latest requests, also of transfers that have ended.
struct RecentHeads: Sendable {
    static let maximum = 100

    private var heads: [TransferID: TransferHeads] = [:]
    /// The one that was noted last is last.
    private var order: [TransferID] = []

    subscript(id: TransferID) -> TransferHeads? { heads[id] }

    mutating func note(_ new: TransferHeads, of id: TransferID) {
        if heads.updateValue(new, forKey: id) != nil { order.removeAll { $0 == id } }
        order.append(id)
        if order.count > Self.maximum { heads[order.removeFirst()] = nil }
    }
}

extension TransferHeads {
    /// - Parameters:
    ///   - request: as it was sent.
    ///   - response: its latest one.
    init(_ request: TransferRequest, _ response: HTTPResponse?) {
        self.init(
            method: request.method.rawValue, url: request.url.displayString,
            request: request.options.headers.map { Field(name: $0.name.rawName, value: Self.shown($0)) },
            status: response?.status.code,
            response: (response?.headerFields ?? [:]).map { field in
                Field(name: field.name.rawName, value: Self.received(field))
            })
    }

    /// Keys and tokens travel in request fields of any name. Those of resumable uploads hold numbers and names of
    /// algorithms; not so `Upload-Metadata`, which users fill, and `Upload-Concat`, which has addresses.
    private static let open: Set<HTTPField.Name> = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .contentLength,
        .uploadInterop, .uploadOffset, .uploadLength, .uploadComplete, .uploadIncomplete, .uploadLimit,
        .uploadDeferLength, .uploadChecksum, .tusResumable, .reprDigest, .contentDigest, .wantContentDigest,
    ]

    private static func shown(_ field: HTTPField) -> String? {
        field.name.isImpersonal || open.contains(field.name) ? field.value : nil
    }

    private static let addresses: Set<HTTPField.Name> = [.location, .contentLocation]
    private static let challenges: Set<HTTPField.Name> = [.wwwAuthenticate, .proxyAuthenticate]
    private static let secrets = ["cookie", "auth", "token", "secret", "key", "session", "signature", "credential"]
        .map { Array($0.utf8) }

    /// For each field of each request: searching a `String` for another takes a hundred times as long.
    private static func isSecret(_ name: HTTPField.Name) -> Bool {
        var name = name.canonicalName
        return name.withUTF8 { bytes in
            secrets.contains { word in
                bytes.count >= word.count
                    && (0...(bytes.count - word.count)).contains { bytes[$0...].starts(with: word) }
            }
        }
    }

    private static func received(_ field: HTTPField) -> String? {
        if addresses.contains(field.name) { return TransferURL.displayed(field.value) }
        if challenges.contains(field.name) { return field.value }
        return isSecret(field.name) ? nil : field.value
    }
}

extension Coordinator {
    /// Of the latest request of a transfer; `nil` if it made none lately.
    func heads(of id: TransferID) -> TransferHeads? {
        if let task = runs[id]?.task, task.response != nil { return TransferHeads(task.currentRequest, task.response) }
        return recentHeads[id]
    }
}
