// SPDX-License-Identifier: MIT

public import TransferModel

/// What replaces an address or credentials that have expired. A member that is `nil` leaves what was there, with one exception: where
/// `url` has another origin than the address before, no secret of the old origin goes there, and what is not given is dropped
/// (``QueueClient/relocate(_:to:)``).
public struct Relocation: Sendable, Hashable {
    /// A header field as it is typed.
    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public var url: TransferURL?
    /// Replace fields of the same names; all others stay.
    public var headers: [Header]?
    /// All cookies of the transfer; an empty list takes them away.
    public var cookies: [Cookie]?
    public var credential: Credential?
    /// The `fileuploadSID` of a FileQ upload.
    public var sid: String?
    /// Paths are absolute.
    public var clientIdentity: ClientIdentity?

    public init(url: TransferURL? = nil, headers: [Header]? = nil, cookies: [Cookie]? = nil, credential: Credential? = nil,
                sid: String? = nil, clientIdentity: ClientIdentity? = nil) {
        self.url = url
        self.headers = headers
        self.clientIdentity = clientIdentity
        self.cookies = cookies
        self.credential = credential
        self.sid = sid
    }
}
