// SPDX-License-Identifier: MIT

import TransferModel

/// A ``Relocation`` as it travels.
struct WireRelocation: Sendable, Hashable, Codable {
    /// With user information, where there is any.
    var url: String?
    var cookies: [WireOptions.Pair]?
    var login: Credential?
    var sid: String?

    init(_ place: Relocation) {
        url = place.url?.withUserInformation
        cookies = place.cookies?.map { WireOptions.Pair(name: $0.name, value: $0.value) }
        login = place.credential
        sid = place.sid
    }

    func relocation() throws(TransferError) -> Relocation {
        var list: [Cookie]?
        if let cookies {
            var checked: [Cookie] = []
            for cookie in cookies { checked.append(try Cookie(name: cookie.name, value: cookie.value)) }
            list = checked
        }
        return Relocation(url: try url.map(TransferURL.init), cookies: list, credential: login, sid: sid)
    }
}
