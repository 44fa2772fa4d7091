// SPDX-License-Identifier: MIT

/// The header fields of a transfer's latest request and of its response, without secrets.
public struct TransferHeads: Sendable, Hashable, Codable {
    public struct Field: Sendable, Hashable, Codable {
        public var name: String
        /// `nil` where it may be a secret: that never leaves the queue.
        public var value: String?

        public init(name: String, value: String?) { (self.name, self.value) = (name, value) }
    }

    public var method: String
    /// With `…` for the values of query items that carry signatures, tokens and keys.
    public var url: String
    public var request: [Field]
    /// The status of the latest response; `nil` if none came.
    public var status: Int?
    public var response: [Field]

    public init(method: String, url: String, request: [Field], status: Int? = nil, response: [Field] = []) {
        self.method = method
        self.url = url
        self.request = request
        self.status = status
        self.response = response
    }
}
