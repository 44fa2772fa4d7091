// SPDX-License-Identifier: MIT

import Platform
import TransferModel

/// The permissions of a downloaded file that replaces none: 0666 without the bits of the umask that its transfer has,
/// which may differ from that of this process.
struct FilePermissions: Sendable {
    /// `nil`: that of this process.
    private let umask: UInt32?
    /// That of this process, if it is needed and known.
    private let own: UInt32?

    private static let ofThisProcess = ProcessUmask.read()

    init(_ options: TransferOptions) {
        let umask = options.umask.map { UInt32(truncatingIfNeeded: $0) & 0o777 }
        self.init(umask: umask, own: umask == nil ? nil : Self.ofThisProcess)
    }

    init(umask: UInt32?, own: UInt32?) {
        (self.umask, self.own) = (umask, own)
    }

    /// Whether the permissions are those that the system gives to a new file of this process.
    var areUsual: Bool { umask == nil || umask == own }

    /// For creating the file, before the umask of this process: at no time more than it may have in the end, but that
    /// this program reads and writes it in any case.
    var atFirst: UInt32 { areUsual ? 0o666 : 0o666 & ~(umask ?? 0) | 0o600 }

    /// For the complete file; `nil`: those that it has. In a folder with a default access control list these are not
    /// the umask's.
    /// - Parameter isOfEarlierProcess: the file was created by another process, whose umask may have been another one.
    func atLast(isOfEarlierProcess: Bool) -> UInt32? {
        guard let umask, !areUsual || isOfEarlierProcess else { return nil }
        return 0o666 & ~umask
    }
}
