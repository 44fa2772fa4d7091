// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Queries the resolver whether a name exists: libcurl has one code for "no such name" and "no reply".
package enum NameCheck {
    /// Blocks as long as the resolver does.
    package static func ask(_ host: String) -> NameAnswer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(HostName.ascii(host) ?? host, nil, &hints, &found)
        if let found { freeaddrinfo(found) }
        return switch result {
        case 0: .exists
        // -5: a name without an address (EAI_NODATA), which Glibc's headers hide.
        case EAI_NONAME, EAI_FAIL, -5: .doesNotExist
        default: .silent
        }
    }
}
