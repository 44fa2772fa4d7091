// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// An upload by the IETF draft or tus. `+Replies` and `+Creation` decide what a response means, `+Digests` what
/// requests state of their content.
package struct ResumableUpload: UploadMachine {
    package typealias Step = UploadStep
    package typealias Note = UploadNote

    enum State: Sendable, Equatable {
        /// Between attempts. → discovering, creating, querying
        case idle
        /// → creating, ended
        case discovering
        /// The server has no upload yet, or has not said where. → querying, appending, creating, seeking, ended
        case creating(body: Range<Int64>)
        /// → appending, awaiting, replaying, ended
        case querying
        /// The target refused the creation: whether it is an upload itself. → as querying
        case seeking
        /// → appending, awaiting, querying, ended
        case appending(Range<Int64>)
        /// The server has every byte of a stream that was read so far. → appending, ended
        case awaiting(Int64)
        /// The upload is complete; the response of its target is asked for again. → ended
        case replaying
        /// The attempt is over. → as idle
        case ended
    }

    /// Smaller files cost more to make resumable than to send again.
    package static let smallest: Int64 = 1 << 20
    /// Requests of one attempt that bring it no further.
    static let patience = 4
    /// After a 413 without a limit, appends do not become smaller than this.
    static let smallestAppend: Int64 = 1 << 20
    /// A server that allows less in one request, and not the rest of the file, would get thousands of requests.
    package static let leastAppend: Int64 = 4096
    /// The most bytes of a stream in one request; they are held until the server has confirmed them.
    package static let largestPortion: Int64 = 8 << 20
    /// tus: files of at most so many bytes are sent with their creation, if the server takes that.
    static let largestTusCreation: Int64 = 1 << 16

    package let subject: UploadSubject
    package let resumption: UploadResumption
    /// tus: what the server announces is asked for in any case.
    let asksForExtensions: Bool
    package internal(set) var size: Int64?
    /// Bytes that can be sent by now.
    var available: Int64
    /// The exchange under way has the last bytes, and says so.
    var sendsEnd = false
    /// tus: the server knows the length of the stream.
    var isLengthDeclared: Bool
    package internal(set) var point: UploadPoint? {
        get { stored?.stating(reach) }
        set { stored = newValue }
    }
    private var stored: UploadPoint?
    package internal(set) var found: UploadSupport?
    package internal(set) var failedForSupport = false
    var state = State.idle
    var dialect: any UploadDialect
    /// Versions that were not offered yet, in order.
    var versions: ArraySlice<UploadInterop> = []
    /// The version of the question what the server announces.
    var asked = UploadInterop.newest
    /// The server is asked for the offset by GET, since HEAD does not get there.
    var queriesByGet = false
    /// The question is about the folder of the target.
    var asksFolder = false
    var limits = UploadLimits()
    var tus = TusSupport()
    /// The creation has no content.
    var isCareful = false
    var reach: UploadReach
    var verified = VerifiedAppends()
    /// The creation under way has the whole file, and all of it was sent.
    var isCreationSent = false
    var idleTurns = 0
    /// Why the upload must not be called complete, whatever the final response.
    var fault: TransferError?
    /// What may be the refusal of the target: 409 for an upload that the server calls complete.
    var verdict: TransferError?
    /// The creation that the target refused in this attempt.
    var refusedCreation: UploadReply?
    var givenUp: [UploadRemoval] = []

    /// - Parameters:
    ///   - resumption: not `never`.
    ///   - asksForExtensions: tus: asks the server what it announces, however large the file is.
    ///   - point: of an earlier attempt.
    package init(
        _ subject: UploadSubject, _ resumption: UploadResumption, asksForExtensions: Bool = false,
        point: UploadPoint? = nil
    ) {
        // The others are points of other machines.
        let point = point.flatMap { $0.carrier == .s3 || $0.parts != nil ? nil : $0 }
        (self.subject, self.resumption, stored) = (subject, resumption, point)
        reach = UploadReach(of: point)
        self.asksForExtensions = asksForExtensions
        (size, available, isLengthDeclared) = (subject.size, subject.size ?? 0, subject.size != nil)
        dialect = point.map { Self.dialect($0.carrier) } ?? IETFUpload(version: .newest)
    }

    static func dialect(_ carrier: UploadCarrier) -> any UploadDialect {
        switch carrier {
        case .ietf(let version): IETFUpload(version: version)
        case .tus: TusUpload()
        // Not a protocol of this machine: no point has it.
        case .s3: IETFUpload(version: .newest)
        }
    }

    package var carrier: UploadCarrier? { point?.carrier }

    /// No exchange is under way: ``begin(knowing:)`` follows.
    package var isBetweenAttempts: Bool { state == .idle || state == .ended }

    /// The exchange under way was given up; what it sent may have arrived.
    package mutating func interrupt() { state = .ended }

    package var base: Int64? {
        switch state {
        case .creating(let body): body.lowerBound
        case .appending(let range): range.lowerBound
        default: nil
        }
    }

    // MARK: Beginning

    package mutating func begin(knowing support: UploadSupport?) -> Step {
        (idleTurns, fault, verdict, found, failedForSupport) = (0, nil, nil, nil, false)
        (asksFolder, refusedCreation) = (false, nil)
        if let point {
            dialect = Self.dialect(point.carrier)
            return query()
        }
        switch resumption {
        case .never: return sendPlain()
        case .auto where size.map { $0 < Self.smallest } ?? false: return sendPlain()
        case .tus where !subject.needsTarget && !dependsOnExtensions: return create(with: .tus(TusSupport()))
        case .tus, .auto, .ietf:
            if let support { return create(with: support) }
            return discover(by: .newest)
        }
    }

    /// Servers of the draft announce nothing to requests without a version that they know.
    mutating func discover(by version: UploadInterop) -> Step {
        (state, asked) = (.discovering, version)
        // tus announces what it has where it creates.
        let creation = resumption == .tus ? try? TusUpload().creation(of: subject, withBody: false).url : nil
        var exchange = UploadExchange(.discovery, creation ?? subject.target, .options)
        if resumption != .tus { exchange.fields[.uploadInterop] = version.field }
        return .send(exchange)
    }

    /// tus: what the server announces changes the requests.
    private var dependsOnExtensions: Bool {
        asksForExtensions || subject.digest != nil
            || size.map { (1...Self.largestTusCreation).contains($0) } ?? false
    }

    mutating func create(with support: UploadSupport) -> Step {
        switch resumption == .tus && !subject.needsTarget ? support.byTus : support {
        case .none where resumption == .ietf:
            // A server that does not know the protocol takes the file as from a plain upload.
            versions = UploadInterop.preferred[...]
            isCareful = isStream
        case .tus where resumption == .ietf || subject.needsTarget: return create(with: .none)
        case .none where resumption == .tus: return unsupported()
        case .none: return sendPlain()
        case .ietf where resumption == .tus: return unsupported()
        case .ietf(let newest, let limits, _):
            self.limits = limits
            versions = UploadInterop.preferred.drop { $0 > newest }
            isCareful = true
            if let size, let maximum = limits.maximumSize, size > maximum { return tooLarge(size, maximum) }
            if let size, let minimum = limits.minimumSize, size < minimum { return sendPlain() }
            if let most = limits.maximumAppend, isTooLittle(most, from: 0) {
                return resumption == .auto ? sendPlain() : limited(to: most)
            }
        case .tus(let tus) where size == nil && !tus.defersLength: return unsupported()
        case .tus(let tus):
            if let size, let maximum = tus.maximumSize, size > maximum { return tooLarge(size, maximum) }
            (dialect, self.tus) = (TusUpload(), tus)
            isCareful = true
            return create()
        }
        dialect = IETFUpload(version: versions.removeFirst())
        return create()
    }

    mutating func create() -> Step {
        do throws(TransferError) {
            let isSmall = tus.createsWithContent && size.map { $0 <= Self.largestTusCreation } ?? false
            var creation = try dialect.creation(of: subject, withBody: !isCareful || isSmall)
            // By the draft it has the whole file, whose digest it states.
            if dialect.carrier == .tus, creation.body?.isEmpty == false { creation.checksum = checksum }
            state = .creating(body: creation.body ?? 0..<0)
            isCreationSent = false
            // Another upload than that of an earlier attempt.
            if point == nil { reach = UploadReach(0) }
            reach.begin(creation.body ?? 0..<0)
            return .send(creation)
        } catch {
            return end(error)
        }
    }

    private mutating func tooLarge(_ size: Int64, _ maximum: Int64) -> Step {
        failedForSupport = true
        return end(
            TransferError(.httpStatus, .tooLarge, size, maximum, host: authority))
    }

    func isTooLittle(_ most: Int64, from offset: Int64) -> Bool {
        most < Self.leastAppend && (size.map { $0 - offset > most } ?? true)
    }

    private mutating func limited(to most: Int64) -> Step {
        failedForSupport = true
        return end(
            TransferError(
                .sendFailed, .appendLimit, most, Self.leastAppend, host: authority,
                fields: .init(variant: .appendLimit)))
    }

    mutating func sendPlain() -> Step {
        state = .ended
        return .sendPlain
    }

    mutating func end(_ error: TransferError) -> Step {
        state = .ended
        giveUp()
        return .end(error)
    }

    // MARK: Continuing

    mutating func query() -> Step {
        guard let url = pointURL else { return end(misplaced) }
        (state, sendsEnd) = (.querying, false)
        var exchange = dialect.query(url)
        if queriesByGet { exchange.method = .get }
        return .send(exchange)
    }

    /// Sends what follows `offset`.
    mutating func append(from offset: Int64) -> Step {
        guard let url = pointURL else { return end(misplaced) }
        let limit = [point?.maximumAppend, limits.maximumAppend].compactMap(\.self).min()
        if let limit, isTooLittle(limit, from: offset) { return limited(to: limit) }
        let most =
            [limit, isStream ? Self.largestPortion : nil, largestVerifiedAppend].compactMap(\.self).min() ?? .max
        let range = offset..<(available - offset > most ? offset + most : max(offset, available))
        if size == nil, range.isEmpty || isTooShort(range) {
            state = .awaiting(offset)
            return .await
        }
        state = .appending(range)
        sendsEnd = range.upperBound == size
        reach.begin(range)
        if range.isEmpty { point?.isTailSent = true }
        var exchange = dialect.append(range, of: size, to: url, declaresLength: !isLengthDeclared)
        if !range.isEmpty { exchange.checksum = point?.checksum }
        return .send(exchange)
    }

    // MARK: Streams

    var isStream: Bool { subject.size == nil }

    package mutating func supplied(upTo available: Int64, isEnd: Bool) -> Step? {
        guard isStream else { return nil }
        self.available = available
        if isEnd { size = available }
        guard case .awaiting(let offset) = state, isEnd || available > offset,
            isEnd || !isTooShort(offset..<available)
        else { return nil }
        return append(from: offset)
    }

    /// The server takes no append of so few bytes, but as the last one. More than can be held is not waited for.
    private func isTooShort(_ range: Range<Int64>) -> Bool {
        Int64(range.count) < min(limits.minimumAppend ?? 0, Self.largestPortion)
    }

    /// The size that completeness is measured by: tus calls an upload complete whose length the server knows.
    var comparedSize: Int64? { isLengthDeclared || sendsEnd ? size : nil }

    package var cancellations: [UploadExchange] { cancellation.map { [$0] } ?? [] }

    var cancellation: UploadExchange? {
        // Another program has created one at the target.
        guard let point, let url = pointURL, point.url != point.target else { return nil }
        return Self.dialect(point.carrier).cancellation(url)
    }

    package mutating func sent(_ count: Int64) {
        guard let base, let size, base + count >= size else { return }
        point?.isTailSent = true
        if case .creating = state { isCreationSent = true }
    }

    package mutating func willSend(upTo position: Int64) { reach.extend(to: position) }

    private var pointURL: TransferURL? {
        guard let point, let url = try? TransferURL(point.url), subject.admits(url) else { return nil }
        return url
    }

    /// The error for a stored point at another server.
    var misplaced: TransferError { misplaced(point?.url ?? "") }

    private func misplaced(_ place: String) -> TransferError {
        TransferError(.other, .otherServer, TextLine.first(of: place), host: authority)
    }

    // MARK: While content is sent

    package mutating func interim(_ head: HTTPResponse, from url: TransferURL) -> Note {
        guard base != nil, dialect.understands(interim: head) else { return .nothing }
        let reading = dialect.reading(head, size: comparedSize)
        if case .creating = state, point == nil, let location = reading.location {
            guard let place = try? place(location, from: url) else { return .nothing }
            point = UploadPoint(
                dialect.carrier, url: place.string, target: subject.target.string,
                maximumAppend: reading.limits?.maximumAppend)
            noteDigest(reading)
            return .created
        }
        guard let offset = reading.offset, let known = point?.offset, offset > known else { return .nothing }
        guard offset <= available, reach.admits(offset) else {
            fault = excess(offset)
            return .nothing
        }
        point?.offset = offset
        return .confirmed
    }

    /// The address of an upload resource, without fragment; perhaps at another origin.
    func place(_ location: String, from url: TransferURL) throws(TransferError) -> TransferURL {
        guard let place = try? url.resolving(location) else { throw misplaced(location) }
        guard subject.admits(place) else {
            throw TransferError(.insecureRedirect, .insecureRedirect, place.authority, host: authority)
        }
        return place.replacingCredential(nil)
    }
}
