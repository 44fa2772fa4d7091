// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// An upload to S3: files of one part by `PUT`, larger ones in parts.
///
/// A part is confirmed by the response to it or by `ListParts`, with which every later attempt begins. All parts but
/// the last have the size that ``UploadPoint/maximumAppend`` states. `+Replies` decides what a response means,
/// `+Parallel` which parts are sent at the same time.
package struct MultipartUpload: ParallelUploadMachine {
    enum State: Sendable, Equatable {
        /// Between attempts. → putting, creating, listing
        case idle
        /// The whole file. → ended, looking
        case putting
        /// → sending, awaiting, ended
        case creating
        /// The parts after a number. → listing, sending, awaiting, completing, looking, ended
        case listing(after: Int)
        /// → sending, awaiting, listing, completing, ended
        case sending(Int)
        /// The server has every whole part of a stream that was read so far. → sending, completing
        case awaiting(Int)
        /// → listing, looking, ended
        case completing
        /// Whether the object under the name is this file. → ended
        case looking
        /// The attempt is over. → as idle
        case ended
    }

    /// What the machine cannot compute itself.
    package struct Digests: Sendable {
        var sha256, md5: @Sendable ([UInt8]) -> [UInt8]
        var base64: @Sendable ([UInt8]) -> String

        package init(
            sha256: @escaping @Sendable ([UInt8]) -> [UInt8], md5: @escaping @Sendable ([UInt8]) -> [UInt8],
            base64: @escaping @Sendable ([UInt8]) -> String
        ) { (self.sha256, self.md5, self.base64) = (sha256, md5, base64) }
    }

    package static let usualPartSize: Int64 = 8 << 20
    package static let maximumParts: Int64 = 10_000
    /// Requests of one attempt that bring it no further.
    static let patience = 4

    package let subject: UploadSubject
    let region: String
    let digests: Digests
    let partSize: Int64
    package internal(set) var size: Int64?
    var available: Int64
    package internal(set) var point: UploadPoint? {
        get { stored?.stating(reach) }
        set { stored = newValue }
    }
    private var stored: UploadPoint?
    /// The reach within the file: each missing part is sent before those behind it.
    var reach: UploadReach
    /// Below it, the parts of which no process has sent all bytes.
    var cut: Set<Int> = []
    /// The parts that are being sent, and were never sent before.
    var fresh: Set<Int> = []
    /// By number.
    var parts: [Int: S3Part] = [:]
    /// The parts that other tasks send beside the exchange under way.
    var besides: Set<Int> = []
    /// The parts before the list that is under way.
    var formerParts: [Int: S3Part] = [:]
    /// The response to the completion was none of the store's.
    var lacksResult = false
    /// The SHA-256 of parts that this process has sent, by number.
    var sentDigests: [Int: [UInt8]] = [:]
    var state = State.idle
    /// Whether the store keeps SHA-256 of parts: the user's own checksum fields, and stores that know none, exclude it.
    var statesChecksums: Bool
    /// An earlier request may have made the object.
    var mayBeStored = false
    /// The SHA-256 of a file of one part, sent with ``mayBeStored``.
    var wholeDigest: [UInt8]?
    var givenUp: [UploadRemoval] = []
    var idleTurns = 0

    package var found: UploadSupport? { nil }

    /// - Parameters:
    ///   - partSize: the user's; `nil`: the usual one. More, if the parts would be too many.
    ///   - point: of an earlier attempt.
    package init(
        _ subject: UploadSubject, region: String, partSize: Int64? = nil, statesChecksums: Bool = true,
        digests: Digests, point: UploadPoint? = nil
    ) {
        (self.subject, self.region, self.digests) = (subject, region, digests)
        self.statesChecksums = statesChecksums
        (size, available) = (subject.size, subject.size ?? 0)
        let known = point?.carrier == .s3 ? point : nil
        (stored, reach) = (known, UploadReach(of: known))
        // Of a stream, a part is held in memory until it is confirmed.
        let wanted = min(partSize ?? Self.usualPartSize, subject.size == nil ? Self.usualPartSize : .max)
        let needed = ((subject.size ?? 0) + Self.maximumParts - 1) / Self.maximumParts
        let mebibyte: Int64 = 1 << 20
        self.partSize =
            known?.maximumAppend
            ?? max(wanted, S3Upload.smallestPart, (needed + mebibyte - 1) / mebibyte * mebibyte)
    }

    package var base: Int64? {
        switch state {
        case .putting: 0
        // What the server has may lie behind the part.
        case .sending: point?.offset ?? 0
        default: nil
        }
    }

    var isStream: Bool { subject.size == nil }

    /// The bytes of a part, as far as they are known.
    func range(of number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<max(start, min(start + partSize, available))
    }

    /// The number of parts; `nil` as long as a stream has not ended. An empty stream has one.
    var count: Int? { size.map { max(1, Int(($0 + partSize - 1) / partSize)) } }

    // MARK: Beginning

    package mutating func begin(knowing support: UploadSupport?) -> UploadStep {
        (idleTurns, besides, fresh) = (0, [], [])
        if point != nil { return list(after: 0) }
        parts = [:]
        if let size, size <= partSize { return put() }
        return create()
    }

    mutating func put() -> UploadStep {
        state = .putting
        return .send(signed(UploadExchange(.creation, subject.target, .put, body: 0..<(size ?? 0))))
    }

    mutating func create() -> UploadStep {
        state = .creating
        var exchange = UploadExchange(.creation, address("uploads="), .post)
        // The digests of the parts are stored with the object, and sent back.
        if statesChecksums { exchange.fields[Self.checksumAlgorithm] = "SHA256" }
        var step = signed(exchange)
        step.signature?.statesChecksum = false
        return .send(step)
    }

    // MARK: Continuing

    /// What the server has.
    mutating func list(after number: Int) -> UploadStep {
        state = .listing(after: number)
        if number == 0 { (formerParts, parts) = (parts, [:]) }
        let marker = number == 0 ? "" : "&part-number-marker=\(number)"
        return .send(signed(UploadExchange(.query, pointURL(marker), .get)))
    }

    /// Sends the first part that the server does not have and no other task sends.
    mutating func next() -> UploadStep {
        var number = 1
        while parts[number] != nil || besides.contains(number) { number += 1 }
        countConfirmed()
        if let count, number > count {
            guard let other = besides.min() else { return complete() }
            besides.remove(other)
            state = .sending(other)
            return .join(other)
        }
        let range = range(of: number)
        if size == nil, range.upperBound - range.lowerBound < partSize {
            state = .awaiting(number)
            return .await
        }
        guard number <= Self.maximumParts else {
            return end(
                TransferError(.sendFailed, .streamTooLong, Self.maximumParts, partSize, host: authority))
        }
        state = .sending(number)
        return .send(part(number))
    }

    mutating func part(_ number: Int) -> UploadExchange {
        let range = range(of: number)
        if !mayHave(number) { fresh.insert(number) }
        cut.remove(number)
        reach.begin(range)
        return signed(UploadExchange(.append, pointURL("&partNumber=\(number)"), .put, body: range))
    }

    /// Whether the server can have the part.
    func mayHave(_ number: Int) -> Bool { reach.admits(range(of: number).upperBound) && !cut.contains(number) }

    /// The exchange of a part has ended.
    /// - Parameter sent: bytes of it at most; `nil`: all.
    mutating func noteSent(_ sent: Int64?, of number: Int) {
        guard fresh.remove(number) != nil else { return }
        let range = range(of: number)
        if let sent, sent < range.count { cut.insert(number) } else { reach.extend(to: range.upperBound) }
    }

    mutating func countConfirmed() {
        let confirmed = parts.values.reduce(0) { $0 + $1.size }
        point?.offset = confirmed
    }

    private mutating func complete() -> UploadStep {
        (state, lacksResult) = (.completing, false)
        let all = (1...(count ?? 1)).compactMap { parts[$0] }
        let isChecked = statesChecksums && all.allSatisfy { $0.digest != nil }
        var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        for part in all {
            text += "<Part>"
            if isChecked, let digest = part.digest {
                text += "<ChecksumSHA256>\(digests.base64(digest))</ChecksumSHA256>"
            }
            text += "<ETag>\(Self.escaped(part.tag))</ETag><PartNumber>\(part.number)</PartNumber></Part>"
        }
        text += "</CompleteMultipartUpload>"
        point?.isTailSent = true
        let tag = completeTag(of: all)
        let checksum = digests.base64(digests.sha256(all.flatMap { $0.digest ?? [] }))
        point?.completeTag = tag
        point?.completeChecksum = isChecked ? "\(checksum)-\(all.count)" : nil
        var exchange = signed(UploadExchange(.completion, pointURL(), .post, [.contentType: "application/xml"]))
        exchange.content = Array(text.utf8)
        exchange.signature?.statesChecksum = false
        return .commit(exchange)
    }

    /// What stores name an object of parts whose tags are MD5; `nil`: they are something else, as with some encryption.
    private func completeTag(of all: [S3Part]) -> String? {
        var joined: [UInt8] = []
        for part in all {
            let text = part.tag.trimmingQuotes
            guard text.utf8.count == 32, let bytes = Hex.decode(text) else { return nil }
            joined += bytes
        }
        return "\(Hex.encode(digests.md5(joined)))-\(all.count)"
    }

    /// Whether the object is there.
    mutating func look() -> UploadStep {
        state = .looking
        return .send(
            signed(UploadExchange(.query, subject.target, .head, [Self.checksumMode: "ENABLED"])))
    }

    mutating func end(_ error: TransferError) -> UploadStep {
        state = .ended
        return .end(error)
    }

    package var cancellations: [UploadExchange] { cancellation.map { [$0] } ?? [] }

    var cancellation: UploadExchange? {
        guard point != nil else { return nil }
        return signed(UploadExchange(.cancellation, pointURL(), .delete))
    }

    package mutating func sent(_ count: Int64) {
        if state == .putting, count >= size ?? 0 { mayBeStored = true }
    }

    package mutating func willSend(upTo position: Int64) { reach.extend(to: position) }

    package mutating func interim(_ head: HTTPResponse, from url: TransferURL) -> UploadNote { .nothing }

    package mutating func supplied(upTo available: Int64, isEnd: Bool) -> UploadStep? {
        guard isStream else { return nil }
        self.available = available
        if isEnd { size = available }
        guard case .awaiting = state else { return nil }
        let step = next()
        return step == .await ? nil : step
    }

    // MARK: Requests

    private func signed(_ exchange: UploadExchange) -> UploadExchange {
        var exchange = exchange
        let hasContent = exchange.body?.isEmpty == false
        exchange.signature = S3Signature(region: region, statesChecksum: statesChecksums && hasContent)
        return exchange
    }

    /// The object with a query.
    private func address(_ query: String) -> TransferURL {
        // The target is an address, and the query has only characters of one.
        (try? TransferURL("\(subject.target.string)?\(query)")) ?? subject.target
    }

    private func pointURL(_ more: String = "") -> TransferURL {
        address("uploadId=\(PercentCoding.encode(uploadID))\(more)")
    }

    var uploadID: String { point.map { Self.uploadID(in: $0.url) } ?? "" }

    /// What identifies the upload at the server.
    static func uploadID(in url: String) -> String {
        guard let range = url.firstRange(of: "?uploadId=") else { return "" }
        return PercentCoding.decode(url[range.upperBound...]) ?? ""
    }

    mutating func created(_ uploadID: String) {
        (reach, cut, fresh) = (UploadReach(0), [], [])
        point = UploadPoint(
            .s3, url: address("uploadId=\(PercentCoding.encode(uploadID))").string, target: subject.target.string,
            maximumAppend: partSize)
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    static let checksumAlgorithm = HTTPField.Name("x-amz-checksum-algorithm")!
    static let checksumMode = HTTPField.Name("x-amz-checksum-mode")!
    static let checksumSHA256 = HTTPField.Name("x-amz-checksum-sha256")!
    static let bucketRegion = HTTPField.Name("x-amz-bucket-region")!
}

extension StringProtocol {
    /// Of an entity tag.
    var trimmingQuotes: String {
        var text = self[...]
        if text.first == "\"" { text = text.dropFirst() }
        if text.last == "\"" { text = text.dropLast() }
        return String(text)
    }
}
