// SPDX-License-Identifier: MIT

import TransferModel

/// A ``Relocation`` as it travels.
struct WireRelocation: Sendable, Hashable, Codable {
    /// With user information, where there is any.
    var url: String?
    var cookies: [WireOptions.Pair]?
    var login: Credential?
    var sid: String?
    var headers: [WireOptions.Pair]?
    var clientIdentity: WireIdentity?

    init(_ place: Relocation) {
        url = place.url?.withUserInformation
        cookies = place.cookies?.map { WireOptions.Pair(name: $0.name, value: $0.value) }
        login = place.credential
        sid = place.sid
        headers = place.headers?.map { WireOptions.Pair(name: $0.name, value: $0.value) }
        clientIdentity = place.clientIdentity.map(WireIdentity.init)
    }

    func relocation() throws(TransferError) -> Relocation {
        var list: [Cookie]?
        if let cookies {
            var checked: [Cookie] = []
            for cookie in cookies { checked.append(try Cookie(name: cookie.name, value: cookie.value)) }
            list = checked
        }
        // Checked here, so that a bad one changes nothing.
        var checked = TransferOptions()
        for header in headers ?? [] { try checked.addHeader(name: header.name, value: header.value) }
        return Relocation(url: try url.map(TransferURL.init), headers: headers?.map { .init(name: $0.name, value: $0.value) },
                          cookies: list, credential: login, sid: sid, clientIdentity: try clientIdentity?.identity())
    }
}
