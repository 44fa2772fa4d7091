// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Several addresses of one file.
///
/// One of them leads: the run's own task asks it. When it fails, another one leads the next attempt, which is neither
/// delayed nor counted as a failure. Further connections may ask other addresses if digests prove the result.
extension DownloadRun {
    static func sources(of description: Spec, _ download: Download) -> DownloadSources {
        DownloadSources(
            description.url, download.mirrors, hasDigests: download.checksum != nil || download.pieces != nil)
    }

    /// The addresses whose bytes the attempt may use.
    var usableURLs: [String] {
        sources.all.filter { $0.state == .usable || sources.joins }.map(\.url.string)
    }

    /// Which address leads: that of the stored bytes, as long as it has not failed.
    /// - Parameter url: the address of the bytes.
    /// - Returns: where the attempt resumes; `nil`: bytes of another address are of no use.
    func startingPoint(_ point: ResumePoint?, from url: String?) -> ResumePoint? {
        guard let point, let index = url.flatMap({ sources.index(of: $0) }) else {
            sources.startedOver()
            return nil
        }
        if sources.contributors.isEmpty {
            sources.contributed(index)
            if sources.joins { sources.resumedUnknown() }
        }
        sources.note(index, validator: point.validator)
        sources.refer(to: index)
        if index == sources.lead { return point }
        if sources.all[index].mayBeAsked(at: engine.scheduler.now) {
            sources.lead(by: index)
            return point
        }
        guard sources.joins else {
            sources.startedOver()
            return nil
        }
        return point.vouched(sources.all[sources.lead].validator ?? Validator())
    }

    // MARK: What a response says

    /// Mirrors and digest that the response of the leading address names (RFC 6249, RFC 9530).
    func learn(from task: DownloadTask) {
        guard learnedFrom != task.identifier, let head = task.response, [200, 206].contains(head.status.code) else {
            return
        }
        learnedFrom = task.identifier
        sources.note(sources.lead, validator: Validator(head.headerFields, origin: task.currentURL.origin))
        guard download.body == nil, head.contentCoding == nil else { return }
        if download.checksum == nil, announced == nil {
            announced = Self.digest(head)
            if announced != nil { sources.hasDigests = true }
        }
        let isSecure = task.currentURL.isSecure && description.options.allowsDowngrade != true
        guard sources.hasDigests else { return }
        for mirror in FileMirror.announced(by: head.headerFields[values: .link], of: task.currentURL)
        where (!isSecure || mirror.url.isSecure) && sources.all.count <= FileMirror.maximumCount {
            sources.add(mirror)
        }
    }

    private static func digest(_ head: HTTPResponse) -> Checksum? {
        if let text = head.headerFields.first(.reprDigest), let found = ReprDigest(parsing: text)?.checksums.first {
            return found
        }
        return head.headerFields.first(.digest).flatMap { ReprDigest(obsolete: $0).checksums.first }
    }

    // MARK: Failures

    /// - Parameter retryAfter: seconds for which the failed address asked for no request.
    /// - Returns: whether another address is asked instead.
    func moveOn(after error: TransferError, retryAfter: Double?) -> Bool {
        guard sources.all.count > 1, Self.isOfAddress(error), engine.queue[id]?.state != .paused else { return false }
        if [.retry, .wait].contains(FailurePolicy.verdict(error).next) { hopeful = error }
        let failed = sources.address
        guard sources.leadFailed(retryAfter: retryAfter, at: engine.scheduler.now) else { return false }
        engine.tryNext(self, .mirror(failed: failed.authority, next: sources.address.authority, error))
        return true
    }

    /// What the attempt has failed with, when all addresses have: of their errors one after which another attempt may
    /// succeed.
    func errorOfAll(_ error: TransferError) -> TransferError {
        defer { hopeful = nil }
        return FailurePolicy.verdict(error).next == .end ? hopeful ?? error : error
    }

    /// The failure says something about the server, not about this machine.
    private static func isOfAddress(_ error: TransferError) -> Bool {
        guard error.fields.networkObstacle == nil, error.fields.variant != .restMissing else { return false }
        return switch error.code {
        case .cannotWrite, .usage, .interrupted, .folderNotResponding, .cannotReadSource, .proxyNotResolved: false
        default: FailurePolicy.verdict(error).next != .pause
        }
    }

    /// The file has another digest than it should.
    /// - Returns: whether it is requested again: from one address alone, or from the next one.
    func requestsAgain(after mismatch: TransferError) -> Bool {
        let failed = sources.address
        let now = engine.scheduler.now
        guard sources.mismatched(at: now) else { return false }
        engine.tryNext(
            self, .mirror(failed: failed.authority, next: sources.address.authority, mismatch),
            after: sources.pause(at: now) ?? 0)
        return true
    }

    // MARK: Further connections

    /// Connections by address.
    private var load: [Int: Int] {
        var load = [sources.lead: pieces?.isOwnCut == false && pieces?.hasOwnEnded == false ? 1 : 0]
        for helper in pieces?.helpers.values.filter({ !$0.isCut }) ?? [] { load[helper.source, default: 0] += 1 }
        return load
    }

    /// The address that the next connection asks.
    func nextSource() -> Int? {
        let now = engine.scheduler.now
        guard sources.all.count > 1 else { return sources.pause(at: now) == nil ? sources.lead : nil }
        var speeds: [Int: [Double]] = [:]
        for piece in pieces?.plan.pieces ?? [] {
            if let rate = piece.rate { speeds[source(of: piece.id), default: []].append(rate) }
        }
        for (index, rates) in speeds { sources.note(index, speed: rates.reduce(0, +) / Double(rates.count)) }
        return sources.next(load, at: now)
    }

    /// Of a connection, by the plan's ID.
    func source(of piece: Int) -> Int {
        pieces?.helpers.values.first { $0.id == piece }?.source ?? sources.lead
    }

    /// What the end of a connection says, if its address is one of several.
    func end(_ end: PiecePlan.End, of helper: Pieces.Helper) -> PiecePlan.End {
        guard end != .whole, sources.all.count > 1 else { return end }
        let others = load[helper.source, default: 0]
        switch end {
        case .broken where helper.hasBytes: return end
        case .refused, .unfit, .broken:
            if others > 0 { sources.refused(helper.source, with: others) } else { sources.failed(helper.source) }
            // Where only one address may be joined, it is as if there were no others.
            return sources.next([:], at: engine.scheduler.now) == sources.lead && !sources.joins ? end : .elsewhere
        case .whole, .elsewhere: return end
        }
    }
}

extension HTTPField.Name {
    fileprivate static let link = Self("Link")!
    fileprivate static let digest = Self("Digest")!
}
