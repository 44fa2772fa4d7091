// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// The addresses of one file: which one leads the attempt, which one a further connection asks, and what follows when
/// one fails. Pure.
struct DownloadSources: Sendable {
    struct Source: Sendable, Equatable {
        let url: TransferURL
        /// The lowest is asked first.
        let priority: Int
        var state = State.usable
        /// The validator of its last response, if ranges with it can be joined.
        var validator: Validator?
        /// Bytes a second of one connection, when last measured.
        var speed: Double?
        /// Connections that it takes at the same time.
        var most = Int.max
        /// It has asked for no request before (`Retry-After`); on the clock of the caller.
        var notBefore: Double?

        func mayBeAsked(at now: Double) -> Bool { state == .usable && notBefore ?? now <= now }
    }

    enum State: Sendable {
        case usable
        /// Not asked again until all others have failed as well.
        case failed
        /// It has sent other bytes.
        case wrong
    }

    private(set) var all: [Source]
    /// The index of the address of the run's own task.
    private(set) var lead = 0
    /// The address whose version is downloaded: stored ranges are recorded as bytes of it.
    private(set) var reference = 0
    /// The file's digest, or those of its parts, are known.
    var hasDigests: Bool
    /// Bytes of several addresses made a file with another digest: from now on all are from one.
    private(set) var isOneOnly = false
    /// The indices of the addresses whose bytes are in the file.
    private(set) var contributors: Set<Int> = []

    /// - Parameters:
    ///   - url: what was asked for; asked first if no mirror has a priority.
    init(_ url: TransferURL, _ mirrors: [FileMirror], hasDigests: Bool) {
        self.hasDigests = hasDigests
        all = [Source(url: url, priority: 0)]
        for mirror in mirrors { add(mirror) }
    }

    var address: TransferURL { all[lead].url }
    var hasOthers: Bool { all.indices.contains { $0 != lead && all[$0].state == .usable } }
    /// Whether bytes of several addresses may be in one file.
    var joins: Bool { hasDigests && !isOneOnly }
    var isMixed: Bool { contributors.count > 1 }

    /// - Returns: its index, or that of the same address.
    @discardableResult
    mutating func add(_ mirror: FileMirror) -> Int {
        if let known = all.firstIndex(where: { $0.url.string == mirror.url.string }) { return known }
        all.append(Source(url: mirror.url, priority: mirror.priority ?? FileMirror.priorities.upperBound + 1))
        return all.count - 1
    }

    func index(of url: String) -> Int? { all.firstIndex { $0.url.string == url } }

    // MARK: Ends

    /// The attempt at the leading address has failed.
    /// - Parameter retryAfter: seconds for which it asked for no request.
    /// - Returns: whether another one leads now, which may be asked at once; otherwise all have failed, and the next
    ///   attempt begins with the first of those that need not be waited for.
    mutating func leadFailed(retryAfter: Double? = nil, at now: Double = 0) -> Bool {
        if all[lead].state == .usable { all[lead].state = .failed }
        if let retryAfter { wait(lead, until: now + retryAfter) }
        if let next = best(at: now), all[next].mayBeAsked(at: now) { lead = next } else { return restartRound(at: now) }
        return true
    }

    private mutating func restartRound(at now: Double) -> Bool {
        for index in all.indices where all[index].state == .failed { all[index].state = .usable }
        lead = best(at: now) ?? 0
        return false
    }

    private func best(at now: Double) -> Int? {
        func rank(_ index: Int) -> (Double, Int, Int) {
            (max(now, all[index].notBefore ?? now), all[index].priority, index)
        }
        return all.indices.filter { all[$0].state == .usable }.min { rank($0) < rank($1) }
    }

    /// The address asks for no request before that time.
    mutating func wait(_ index: Int, until time: Double) { all[index].notBefore = time }

    /// The same for an address to which a request went.
    /// - Parameter isMoved: whether the user has moved the file to another one since, which may be asked at once.
    mutating func wait(_ url: String, until time: Double, isMoved: Bool) {
        guard let index = all.firstIndex(where: { $0.url.string == url }) ?? (isMoved ? nil : lead) else { return }
        if index > 0 || !isMoved { wait(index, until: time) }
    }

    /// The file has another first address, which may be asked at once; the others still ask for no request.
    mutating func keepWaits(of known: DownloadSources) {
        for index in all.indices.dropFirst() {
            all[index].notBefore = known.all.first { $0.url.string == all[index].url.string }?.notBefore
        }
    }

    /// Seconds until the leading address may be asked; `nil`: now.
    func pause(at now: Double) -> Double? { all[lead].notBefore.flatMap { $0 > now ? $0 - now : nil } }

    /// A connection beside the leading one has failed before its first byte.
    mutating func failed(_ index: Int) { if index != lead, all[index].state == .usable { all[index].state = .failed } }

    /// A connection was refused while others of the same address were open.
    mutating func refused(_ index: Int, with others: Int) { all[index].most = max(1, others) }

    /// It has sent other bytes. The last address that is left stays.
    /// - Returns: whether it is given up.
    mutating func drop(_ index: Int, at now: Double = 0) -> Bool {
        guard all.indices.contains(where: { $0 != index && all[$0].state != .wrong }) else { return false }
        all[index].state = .wrong
        for other in all.indices where all[other].state == .failed { all[other].state = .usable }
        if index == lead, let best = best(at: now) { lead = best }
        return true
    }

    /// The file has another digest. Bytes of several addresses are given up for those of one; bytes of one for those of
    /// the next.
    /// - Returns: whether another attempt may bring the right ones.
    mutating func mismatched(at now: Double = 0) -> Bool {
        guard all.count > 1 else { return false }
        let wasMixed = isMixed || contributors.isEmpty
        contributors = []
        if !isOneOnly, wasMixed {
            isOneOnly = true
            return true
        }
        isOneOnly = true
        return drop(lead, at: now)
    }

    // MARK: Bytes

    /// Bytes of it are in the file.
    mutating func contributed(_ index: Int) { contributors.insert(index) }

    /// The bytes of an earlier process may be from any of them.
    mutating func resumedUnknown() { contributors.formUnion(all.count > 1 ? [0, 1] : [0]) }

    /// There is nothing in the file.
    mutating func startedOver() { contributors = [] }

    mutating func lead(by index: Int) { lead = index }

    mutating func refer(to index: Int) { reference = index }

    mutating func note(_ index: Int, validator: Validator) {
        if validator.ifRange != nil { all[index].validator = validator }
    }

    mutating func note(_ index: Int, speed: Double?) { if let speed { all[index].speed = speed } }

    // MARK: Further connections

    /// The addresses that connections of one attempt may ask.
    var joined: [TransferURL] { joins ? all.filter { $0.state == .usable }.map(\.url) : [all[reference].url] }

    /// The address for another connection: the one that is expected to be the fastest for it.
    /// - Parameter load: connections by address.
    func next(_ load: [Int: Int], at now: Double = 0) -> Int? {
        let measured = all.compactMap(\.speed)
        let usual = measured.isEmpty ? 1 : measured.reduce(0, +) / Double(measured.count)
        func time(_ index: Int) -> Double { Double(load[index, default: 0] + 1) / max(1, all[index].speed ?? usual) }
        return all.indices.filter { index in
            let source = all[index]
            guard source.mayBeAsked(at: now), load[index, default: 0] < source.most else { return false }
            return index == reference || joins
        }.min { (time($0), all[$0].priority, $0) < (time($1), all[$1].priority, $1) }
    }

    /// What a range of the address is requested with.
    /// - Parameter point: of ``reference``.
    func point(_ index: Int, like point: ResumePoint) -> ResumePoint {
        if index == reference { return point }
        return joins ? point.vouched(all[index].validator ?? Validator()) : point
    }
}
