// SPDX-License-Identifier: MIT

/// The header fields of a transfer's latest request and of its response, without secrets.
package struct TransferHeads: Sendable, Hashable, Codable {
    package struct Field: Sendable, Hashable, Codable {
        package var name: String
        /// `nil` where it may be a secret: that never leaves the queue.
        package var value: String?

        package init(name: String, value: String?) { (self.name, self.value) = (name, value) }
    }

    package var method: String
    /// With `…` for the values of query items that carry signatures, tokens and keys.
    package var url: String
    package var request: [Field]
    /// The status of the latest response; `nil` if none came.
    package var status: Int?
    package var response: [Field]

    package init(method: String, url: String, request: [Field], status: Int? = nil, response: [Field] = []) {
        self.method = method
        self.url = url
        self.request = request
        self.status = status
        self.response = response
    }
}
