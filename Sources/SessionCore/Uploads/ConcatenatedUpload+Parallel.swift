// SPDX-License-Identifier: MIT

import HTTPTypes
package import TransferModel

/// Parts that are sent at the same time. The own task creates all of them.
extension ConcatenatedUpload {
    package mutating func beside() -> (number: Int, exchange: UploadExchange)? {
        guard case .appending(let own, _) = state,
            let number = parts.indices.first(where: {
                $0 != own && parts[$0].url != nil && besides[$0] == nil && !isComplete($0)
            })
        else { return nil }
        if unclear.contains(number) {
            guard let exchange = queryExchange(of: number) else { return nil }
            besides[number] = .querying
            return (number, exchange)
        }
        guard let (range, exchange) = appendExchange(of: number) else { return nil }
        besides[number] = .appending(range)
        return (number, exchange)
    }

    package mutating func ended(beside number: Int, _ reply: UploadReply) -> BesideEnd {
        guard let beside = besides.removeValue(forKey: number) else { return .missing }
        noteExpiry(of: number, reply)
        if case .appending(let range) = beside { reaches[number].finish(range, sent: reply.sent) }
        unclear.insert(number)
        guard let head = reply.head, reply.error == nil || reply.refusal != nil, !reply.isEarly else { return .unclear }
        guard reply.refusal == nil else {
            let status = head.status.code
            guard TusUpload().goneStatuses.contains(status) else { return status == 409 ? .unclear : .missing }
            lose(number, .init(.expired, number + 1))
            return .lost
        }
        let reading = TusUpload().reading(head, size: parts[number].length)
        switch beside {
        case .querying: take(reading, of: number)
        case .appending(let range):
            guard reading.offset != nil else { return .unclear }
            take(reading, of: number, atMost: range.upperBound)
            // The own task finds out whether the part can be sent at all.
            if !isWorthwhile(number, range) {
                unclear.insert(number)
                return .missing
            }
        }
        guard parts[number].url != nil else { return .lost }
        return fault == nil ? .confirmed : .missing
    }

    package mutating func forget(beside number: Int) {
        if besides.removeValue(forKey: number) != nil { unclear.insert(number) }
    }

    package mutating func takeLoss() -> TransferError? {
        defer { loss = nil }
        return loss
    }

    // MARK: What the server has of a part

    mutating func noteExpiry(of number: Int, _ reply: UploadReply) {
        guard reply.refusal == nil, let head = reply.head, let now = reply.receivedAt,
            let expires = TusUpload().expiry(head, now: now)
        else { return }
        expiries[number] = expires
    }

    /// Takes the server's offset. What cannot be is a ``fault``.
    /// - Parameter most: behind the last byte of the request.
    mutating func take(_ reading: UploadReading, of number: Int, atMost most: Int64 = .max) {
        let part = parts[number]
        if let length = reading.length, length != part.length {
            fault = TransferError(.sendFailed, .length, length, part.length, number + 1, host: authority)
            return
        }
        guard let offset = reading.offset else {
            fault = TransferError(.sendFailed, .noOffset, number + 1, host: authority)
            return
        }
        guard offset <= min(part.length, most), reaches[number].admits(offset) else {
            fault = excess(offset)
            return
        }
        guard offset >= part.offset else {
            if let url = url(of: number) { givenUp.append(UploadRemoval(TusUpload().cancellation(url))) }
            lose(number, .init(.lost, part.offset - offset, number + 1))
            return
        }
        if AppendShare.isProgress(offset - part.offset, of: part.length - part.offset) { idleTurns = 0 }
        parts[number].offset = offset
        unclear.remove(number)
    }

    /// The part starts again; the others keep what the server has of them.
    mutating func lose(_ number: Int, _ problem: TransferProblem) {
        (parts[number].url, parts[number].offset) = (nil, 0)
        unclear.remove(number)
        expiries[number] = nil
        restarts[number, default: 0] += 1
        loss = TransferError(.rangeRefused, problem, host: authority)
    }
}
