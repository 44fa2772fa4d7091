// SPDX-License-Identifier: MIT

import SessionCore

/// A request that was sent without it.
extension RunningExchange {
    /// Takes what has come of the response so far.
    /// - Parameter head: whole lines.
    /// - Returns: false where the exchange must end.
    func takeOver(head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, tlsNames: TLSNames?) -> Bool {
        if let tlsNames { (self.tlsNames, hasLookedAtTLS) = (tlsNames, true) }
        backlog = Array(body)
        noteHeldBody()
        var rest = head[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard headerArrived(UnsafeRawBufferPointer(rebasing: rest[...end])) else { return false }
            rest = rest[(end + 1)...]
        }
        return callbackFailure == nil
    }

    /// Takes note of what libcurl has sent of a body that it was given as a whole.
    func noteHeldBody() { if heldBody != nil { _ = source.seek(to: handle.bytesUploaded) } }

    /// Body bytes that libcurl holds come now, unless this exchange holds them too.
    func releaseFiles() { applyHolds() }
}
