// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// An upload of a file by tus in parts that are sent at the same time, and that the server joins (tus 1.0.0, extension
/// `concatenation`).
///
/// Each part is an upload of its own, with its length and its offset. All are created before the first byte is sent.
/// ``whole`` finds out what the server announces, and is the upload if parts cannot be joined there. `+Replies` decides
/// what a response means, `+Parallel` which parts are sent at the same time.
package struct ConcatenatedUpload: ParallelUploadMachine {
    enum State: Sendable, Equatable {
        /// Between attempts, or ``whole`` has the upload. → creating, querying, joining, ended
        case idle
        /// → creating, querying, appending, joining, ended
        case creating(Int)
        /// → as creating
        case querying(Int)
        /// Bytes of the part. → as creating
        case appending(Int, Range<Int64>)
        /// The target is being made from the parts. → querying, ended
        case joining
        /// The attempt is over. → as idle
        case ended
    }

    /// What another task does with a part.
    enum Beside: Sendable, Equatable {
        case querying
        case appending(Range<Int64>)
    }

    /// Smaller parts cost more requests than they save time.
    package static let smallestPart: Int64 = 8 << 20
    /// Their addresses are in one field.
    package static let maximumParts = 16
    /// Requests of one attempt that bring it no further.
    static let patience = 4

    package let subject: UploadSubject
    /// How many parts the file is to have.
    let count: Int
    var whole: ResumableUpload
    /// In the order of the file. Empty: ``whole`` has the upload.
    var parts: [UploadPoint.Part] = []
    /// The server announced that it joins parts, and refused the first one.
    var refusesParts = false
    /// The most bytes of one request, after a 413.
    var maximumAppend: Int64?
    /// The request that joins the parts was sent, and its response is lost.
    var isJoinSent = false
    /// An error of the server was the response to it: if parts are gone, they were joined.
    var mayBeJoined = false
    /// The server no longer has parts: a repetition of that request cannot store a second file.
    var repeatsJoin = false
    /// That request was sent before, and the server states that a repetition stores no second file, as `fileq serve`
    /// does.
    var isJoinRepeatable = false
    var state = State.idle
    /// Parts that other tasks send.
    var besides: [Int: Beside] = [:]
    /// Parts of which the server may have more bytes than it has confirmed, or none any more.
    var unclear: Set<Int> = []
    /// The reach of each part.
    var reaches: [UploadReach] = []
    /// How often each part has started again.
    var restarts: [Int: Int] = [:]
    var loss: TransferError?
    /// Until when the server keeps each part, as it last stated.
    var expiries: [Int: Double] = [:]
    /// What the point of an earlier process had.
    var knownExpiry: Double?
    /// Why the upload must not be called complete, whatever the final response.
    var fault: TransferError?
    var givenUp: [UploadRemoval] = []
    var idleTurns = 0

    /// - Parameters:
    ///   - resumption: not `never`.
    ///   - most: parts that the user wants.
    ///   - point: of an earlier attempt.
    package init(
        _ subject: UploadSubject, _ resumption: UploadResumption, parts most: Int, point: UploadPoint? = nil
    ) {
        let count = Self.number(atMost: most, size: subject.size ?? 0)
        (self.subject, self.count) = (subject, count)
        whole = ResumableUpload(subject, resumption, asksForExtensions: count > 1, point: point)
        guard let point, let known = point.parts, Self.isValid(known, of: subject) else { return }
        (parts, maximumAppend, knownExpiry) = (known, point.maximumAppend, point.expires)
        reaches = known.map { UploadReach($0.reach) }
        isJoinSent = point.isTailSent && known.allSatisfy { $0.url != nil && $0.offset == $0.length }
    }

    static func number(atMost wanted: Int, size: Int64) -> Int {
        max(1, min(wanted, maximumParts, Int(clamping: size / smallestPart)))
    }

    /// Stored parts are those of this file, at this server.
    private static func isValid(_ parts: [UploadPoint.Part], of subject: UploadSubject) -> Bool {
        guard let size = subject.size, (1...maximumParts).contains(parts.count) else { return false }
        var rest = size
        for part in parts {
            guard (1...max(1, rest)).contains(part.length), (0...part.length).contains(part.offset)
            else { return false }
            if let text = part.url {
                guard let url = try? TransferURL(text), subject.admits(url) else { return false }
            }
            rest -= part.length
        }
        return rest == 0 && parts.contains { $0.url != nil }
    }

    // MARK: State

    package var size: Int64? { subject.size }
    package var found: UploadSupport? { whole.found }
    package var failedForSupport: Bool { whole.failedForSupport }

    package var point: UploadPoint? {
        guard !parts.isEmpty else { return whole.point }
        guard let url = parts.lazy.compactMap(\.url).first else { return nil }
        var point = UploadPoint(
            .tus, url: url, target: subject.target.string, offset: confirmed, maximumAppend: maximumAppend)
        (point.parts, point.isTailSent) = (parts, isJoinSent)
        for number in parts.indices { point.parts?[number].reach = reaches[number].end }
        // The first part to expire.
        point.expires = expiries.values.min() ?? knownExpiry
        return point
    }

    private var confirmed: Int64 { parts.reduce(0) { $0 + $1.offset } }

    package var base: Int64? {
        guard !parts.isEmpty else { return whole.base }
        // What the server has may lie behind the part.
        if case .appending = state { return confirmed }
        return nil
    }

    package var cancellations: [UploadExchange] {
        guard !parts.isEmpty else { return whole.cancellations }
        return parts.indices.compactMap { url(of: $0) }.map { TusUpload().cancellation($0) }
    }

    func isComplete(_ number: Int) -> Bool {
        parts[number].url != nil && parts[number].offset == parts[number].length && !unclear.contains(number)
    }

    // MARK: Beginning

    package mutating func begin(knowing support: UploadSupport?) -> UploadStep {
        (idleTurns, fault, loss, repeatsJoin, besides) = (0, nil, nil, false, [:])
        isJoinRepeatable = false
        guard !parts.isEmpty else { return divided(whole.begin(knowing: support)) }
        unclear = Set(parts.indices.filter { parts[$0].url != nil })
        return next()
    }

    /// Where ``whole`` would create the upload, creates parts, if the server joins them.
    mutating func divided(_ step: UploadStep) -> UploadStep {
        guard case .send(let exchange) = step, exchange.purpose == .creation, whole.dialect.carrier == .tus,
            whole.tus.concatenates, !refusesParts, count > 1, let size = subject.size
        else { return step }
        let (length, longer) = (size / Int64(count), size % Int64(count))
        parts = (0..<count).map { UploadPoint.Part(length: length + (Int64($0) < longer ? 1 : 0)) }
        reaches = parts.map { _ in UploadReach(0) }
        (unclear, restarts, isJoinSent, mayBeJoined) = ([], [:], false, false)
        (expiries, knownExpiry) = ([:], nil)
        return create(0)
    }

    /// The upload as one, of a server that takes no parts.
    mutating func united() -> UploadStep {
        (parts, refusesParts, state) = ([], true, .idle)
        return whole.create()
    }

    // MARK: Continuing

    /// What the own task does next.
    mutating func next() -> UploadStep {
        if isJoinSent { return resolve() }
        if let number = parts.indices.first(where: { parts[$0].url == nil }) {
            guard restarts[number] ?? 0 < 2 else {
                return failed(TransferError(.other, .partLostTwice, number + 1, host: authority))
            }
            return create(number)
        }
        if let number = parts.indices.first(where: { !isComplete($0) && besides[$0] == nil }) {
            return unclear.contains(number) ? query(number) : append(number)
        }
        guard let number = besides.keys.min(), let beside = besides.removeValue(forKey: number) else { return join() }
        switch beside {
        case .querying: state = .querying(number)
        case .appending(let range): state = .appending(number, range)
        }
        return .join(number)
    }

    /// The response to the request that joins the parts is lost. A server that still has all of them may have joined
    /// them or not; one that has not all of them, or says so, does not do so once more.
    private mutating func resolve() -> UploadStep {
        if let number = unclear.min() { return query(number) }
        guard !wasJoinSentBefore else { return join() }
        // If the user wants another attempt, that request is sent again.
        isJoinSent = false
        return failed(outcomeUnknown(.partsMayBeJoined))
    }

    /// The request under way repeats one whose response was lost.
    var wasJoinSentBefore: Bool { repeatsJoin || isJoinRepeatable }

    mutating func create(_ number: Int) -> UploadStep {
        do throws(TransferError) {
            var exchange = try TusUpload().creation(of: subject, withBody: false)
            (exchange.purpose, exchange.isOfPart) = (.part, true)
            exchange.fields[.uploadLength] = String(parts[number].length)
            // The file's, and not those of its parts.
            exchange.fields[.uploadMetadata] = nil
            exchange.fields[.uploadConcat] = Tus.Concatenation.partial.description
            state = .creating(number)
            return .send(exchange)
        } catch {
            return end(error)
        }
    }

    mutating func query(_ number: Int) -> UploadStep {
        guard let exchange = queryExchange(of: number) else { return end(whole.misplaced) }
        state = .querying(number)
        return .send(exchange)
    }

    mutating func append(_ number: Int) -> UploadStep {
        guard let (range, exchange) = appendExchange(of: number) else { return end(whole.misplaced) }
        state = .appending(number, range)
        return .send(exchange)
    }

    private mutating func join() -> UploadStep {
        do throws(TransferError) {
            var exchange = try TusUpload().creation(of: subject, withBody: false)
            exchange.purpose = .completion
            exchange.fields[.uploadLength] = nil
            exchange.fields[.uploadConcat] = Tus.Concatenation.final(parts.compactMap(\.url)).description
            (state, isJoinSent) = (.joining, true)
            return .commit(exchange)
        } catch {
            return end(error)
        }
    }

    /// The request that joins the parts was decided on, and not sent.
    package mutating func withheld() {
        guard state == .joining else { return }
        (state, isJoinSent) = (.idle, wasJoinSentBefore)
    }

    mutating func failed(_ error: TransferError) -> UploadStep {
        state = .ended
        return .failed(error)
    }

    mutating func end(_ error: TransferError) -> UploadStep {
        state = .ended
        return .end(error)
    }

    // MARK: Requests

    func url(of number: Int) -> TransferURL? { parts[number].url.flatMap { try? TransferURL($0) } }

    func queryExchange(of number: Int) -> UploadExchange? {
        guard let url = url(of: number) else { return nil }
        var exchange = TusUpload().query(url)
        exchange.isOfPart = true
        return exchange
    }

    /// Sends what the server has not confirmed of a part.
    mutating func appendExchange(of number: Int) -> (range: Range<Int64>, exchange: UploadExchange)? {
        guard let url = url(of: number) else { return nil }
        let part = parts[number]
        let range = part.offset..<min(part.length, part.offset + min(maximumAppend ?? .max, part.length))
        let start = start(of: number)
        var exchange = TusUpload().append(range, of: part.length, to: url, declaresLength: false)
        exchange.body = (start + range.lowerBound)..<(start + range.upperBound)
        exchange.isOfPart = true
        reaches[number].begin(range)
        return (range, exchange)
    }

    /// Where the part begins in the file.
    private func start(of number: Int) -> Int64 { parts[..<number].reduce(0) { $0 + $1.length } }

    func outcomeUnknown(_ outcome: TransferProblem.Outcome) -> TransferError {
        TransferError(.noResponse, .outcomeUnknown, outcome, host: authority, fields: .init(variant: .outcomeUnknown))
    }

    // MARK: Of one upload only

    package mutating func interim(_ head: HTTPResponse, from url: TransferURL) -> UploadNote {
        parts.isEmpty ? whole.interim(head, from: url) : .nothing
    }

    package mutating func sent(_ count: Int64) {
        if parts.isEmpty { whole.sent(count) }
    }

    package mutating func willSend(upTo position: Int64) {
        guard !parts.isEmpty else { return whole.willSend(upTo: position) }
        guard let number = parts.indices.last(where: { start(of: $0) < position }) else { return }
        reaches[number].extend(to: position - start(of: number))
    }

    package mutating func supplied(upTo available: Int64, isEnd: Bool) -> UploadStep? { nil }
}
