// SPDX-License-Identifier: MIT

public import TransferModel

/// What replaces an address or credentials that have expired. A member that is `nil` leaves what was there.
public struct Relocation: Sendable, Hashable {
    public var url: TransferURL?
    /// All cookies of the transfer; an empty list takes them away.
    public var cookies: [Cookie]?
    public var credential: Credential?
    /// The `fileuploadSID` of a FileQ upload.
    public var sid: String?

    public init(url: TransferURL? = nil, cookies: [Cookie]? = nil, credential: Credential? = nil, sid: String? = nil) {
        self.url = url
        self.cookies = cookies
        self.credential = credential
        self.sid = sid
    }
}
