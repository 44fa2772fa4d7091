// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Which failures may be the network's fault. Pure.
enum ConnectivityPolicy {
    private static let unreachable: Set<Int32> = [ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL, ENODEV]

    /// There was no connection.
    static func isUnreachable(_ failure: TransferError) -> Bool {
        switch failure.code {
        case .cannotConnect: failure.systemErrno != ECONNREFUSED || failure.curlCode == 45
        case .timedOut: failure.curlCode == 28
        default: unreachable.contains(failure.systemErrno ?? 0)
        }
    }

    /// There was one, and it broke.
    static func isLoss(_ failure: TransferError) -> Bool {
        [.receiveFailed, .sendFailed, .partialFile, .timedOut].contains(failure.code)
    }
}

/// Why a resolver gave no address.
public enum NameAnswer: Sendable, Hashable {
    case exists
    /// It said so.
    case doesNotExist
    /// It said nothing.
    case silent
}
