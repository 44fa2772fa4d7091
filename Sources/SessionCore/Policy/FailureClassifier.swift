// SPDX-License-Identifier: MIT

public import TransferModel

/// What an outcome means for what happens next: the one table, pure.
public enum FailureClassifier {
    public enum Verdict: Sendable, Hashable {
        /// The network cannot carry it now.
        case waitForConnectivity
        /// Passing; try again after a pause, from the bytes that are kept.
        case transient
        /// What is kept does not fit the server's version: once more from the first byte.
        case restartFromZero
        /// The destination cannot take it now (disk full, no permission): no retry until somebody acts.
        case pause
        case permanent
    }

    /// - Parameter error: how the last try ended. Its `curlCode` and `systemErrno` refine the class where present.
    public static func verdict(on error: TransferError) -> Verdict {
        switch error.code {
        case .hostNotResolved, .proxyNotResolved: .transient
        case .cannotConnect: unreachable.contains(error.systemErrno ?? 0) ? .waitForConnectivity : .transient
        case .timedOut, .partialFile, .sendFailed, .receiveFailed: .transient
        case .tlsHandshake: interrupted.contains(error.systemErrno ?? 0) ? .transient : .permanent
        case .cannotWrite: full.contains(error.systemErrno ?? 0) ? .pause : .permanent
        case .rangeRefused: .restartFromZero
        default: .permanent
        }
    }

    /// - Parameter status: a final HTTP status.
    public static func verdict(onStatus status: Int) -> Verdict? {
        switch status {
        case ..<400: nil
        case 408, 429, 500, 502, 503, 504, 522, 524: .transient
        default: .permanent
        }
    }

    // Linux errno values: ENETDOWN, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL.
    private static let unreachable: Set<Int32> = [100, 101, 113, 99]
    // EPIPE, ECONNRESET, ETIMEDOUT.
    private static let interrupted: Set<Int32> = [32, 104, 110]
    // ENOSPC, EDQUOT.
    private static let full: Set<Int32> = [28, 122]
}
