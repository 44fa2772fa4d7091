// SPDX-License-Identifier: MIT

import TransferModel

/// Parts that are sent at the same time. Those beside the content under way are missing again if they fail.
extension MultipartUpload {
    /// The next part that is missing. A store must have confirmed one before: if it refuses parts, it does so once. The
    /// parts of a stream follow each other.
    package mutating func beside() -> (number: Int, exchange: UploadExchange)? {
        guard case .sending(let own) = state, !isStream, !parts.isEmpty, let count else { return nil }
        var number = 1
        while parts[number] != nil || besides.contains(number) || number == own { number += 1 }
        guard number <= count else { return nil }
        besides.insert(number)
        return (number, part(number))
    }

    package mutating func ended(beside number: Int, _ reply: UploadReply) -> BesideEnd {
        noteSent(reply.sent, of: number)
        guard besides.remove(number) != nil, reply.error == nil, reply.refusal == nil, !reply.isEarly,
            let head = reply.head
        else { return .missing }
        do throws(TransferError) { try confirm(number, reply, head) } catch { return .missing }
        countConfirmed()
        idleTurns = 0
        return .confirmed
    }

    package mutating func forget(beside number: Int) {
        besides.remove(number)
        fresh.remove(number)
    }
}
