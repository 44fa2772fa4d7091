// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Adds transfers: in one message, or, if a list is too long for that, in parts that the service stores until the last
/// one arrives.
extension ControlClient {
    /// Maximum transfers per message. With smaller parts client and service work concurrently.
    private static let partCount = 2000

    /// Adds all transfers or none, however many there are.
    /// - Throws: code `usage` for a stream, for a relative path, and for a transfer that does not fit into a message;
    ///   then none was added. If the reply is missing, it is unknown whether they were: the error has the variant
    ///   `additionUnknown`.
    func addInParts(_ list: AddParams) async throws -> AddParams.Reply {
        var parts = Parts(list: makeNumber(), descriptions: list.transfers, terms: list.terms)
        let first = try nextPart(&parts)
        guard !parts.isEmpty else { return try await complete(first) }
        do {
            return try await complete(try await send(first, and: &parts))
        } catch {
            forget(parts.list)
            throw error
        }
    }

    private struct Part {
        var id: Int
        var line: Data
    }

    /// The unsent parts of a list.
    private struct Parts {
        let list: Int
        let descriptions: [Spec]
        let terms: TransferTerms
        /// Next first.
        private(set) var ranges: [Range<Int>]

        init(list: Int, descriptions: [Spec], terms: TransferTerms) {
            (self.list, self.descriptions, self.terms) = (list, descriptions, terms)
            let starts = Array(stride(from: 0, to: descriptions.count, by: partCount))
            ranges = starts.isEmpty ? [0..<0] : starts.map { $0..<min($0 + partCount, descriptions.count) }
        }

        var isEmpty: Bool { ranges.isEmpty }

        /// The params of the next part, and their range.
        mutating func next() throws(TransferError) -> (params: AddParams, range: Range<Int>) {
            let range = ranges.removeFirst()
            var params = try AddParams(descriptions[range], terms: terms)
            if range != 0..<descriptions.count {
                params.list = list
                params.offset = range.lowerBound > 0 ? range.lowerBound : nil
                params.more = isEmpty ? nil : true
            }
            return (params, range)
        }

        /// Splits a part in two. `false` if it cannot be split.
        mutating func halve(_ range: Range<Int>) -> Bool {
            guard range.count > 1 else { return false }
            let middle = range.lowerBound + range.count / 2
            ranges.insert(contentsOf: [range.lowerBound..<middle, middle..<range.upperBound], at: 0)
            return true
        }
    }

    private func nextPart(_ parts: inout Parts) throws(TransferError) -> Part {
        while true {
            let (params, range) = try parts.next()
            let id = makeNumber()
            let line = try encoded(params, id: id)
            if line.count - 1 <= maximumRequest { return Part(id: id, line: line) }
            guard parts.halve(range) else {
                throw TransferError(.usage, .serviceLongTransfer, line.count - 1, maximumRequest)
            }
        }
    }

    /// Sends one part after the other; the next one is encoded while the service reads the previous one.
    /// - Returns: the last part, unsent.
    private func send(_ first: Part, and parts: inout Parts) async throws -> Part {
        var part = first
        while !parts.isEmpty {
            let sent = part
            async let kept = reply(to: AddParams.self, sent.line, id: sent.id)
            let next = try nextPart(&parts)
            _ = try await kept
            part = next
        }
        return part
    }

    /// Sends the only part, or the last one: the service adds the transfers at some time before its reply.
    private func complete(_ part: Part) async throws -> AddParams.Reply {
        let isConnected = failure == nil
        do {
            return try await reply(to: AddParams.self, part.line, id: part.id)
        } catch var error as TransferError where isConnected {
            switch error.fields.local?.localKind {
            case .serviceClosed, .serviceNoReply, .serviceNotMessage, .serviceLongReply, .serviceUnreadableReply:
                error.fields.variant = .additionUnknown
            default: break
            }
            throw error
        }
    }

    /// Requests the service to discard the stored parts of a list. The reply is ignored.
    private func forget(_ list: Int) {
        send(AddParams(forgetting: list), id: makeNumber()) { _ in }
    }
}
