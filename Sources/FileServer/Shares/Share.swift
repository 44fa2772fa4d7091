// SPDX-License-Identifier: MIT

import Crypto

/// A link to one version of one file, which works without the server's token. Stored as JSON.
struct Share: Codable, Sendable, Equatable {
    static let currentVersion = 1

    var version = Share.currentVersion
    var id: String
    /// Below the root.
    var path: [String]
    var name: String
    var size: Int64
    /// Of the file when it was shared; another version is not sent.
    var entityTag: String
    /// Seconds since 1970; `nil`: no end.
    var expires: Double?
    /// How many downloads may begin; `nil`: any number.
    var downloads: Int64?
    /// Downloads that have begun.
    var begun: Int64 = 0
    /// Of those, the ones that may continue; the last one used is the last.
    var open: [ShareDownload] = []
    var password: SharePassword?

    /// More downloads cannot continue.
    static let mostOpen = 64

    /// Downloads that can begin.
    var downloadsLeft: Int64? { downloads.map { max(0, $0 - begun) } }

    func hasExpired(at now: Double) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether no download can begin or continue. One that is under way may return what it has not sent.
    func isUsedUp(at now: Double) -> Bool {
        downloadsLeft == 0 && open.allSatisfy { $0.unsent.isEmpty || $0.used + ShareDownload.lifetime <= now }
    }

    /// Takes what a request sends from a download that has not sent it, else from a new one.
    /// - Returns: the number of the download; `nil` if the link is used up.
    mutating func take(_ range: Range<Int64>, at now: Double) -> Int64? {
        open.removeAll { $0.used + ShareDownload.lifetime <= now }
        if let index = open.firstIndex(where: { $0.has(range) }) {
            var download = open.remove(at: index)
            download.take(range, at: now)
            open.append(download)
            return download.number
        }
        guard downloadsLeft.map({ $0 > 0 }) ?? true else { return nil }
        begun += 1
        var download = ShareDownload(number: begun, size: size, used: now)
        download.take(range, at: now)
        open.append(download)
        if open.count > Self.mostOpen { open.removeFirst() }
        return download.number
    }

    /// A response with `range` broke off after `sent` bytes.
    mutating func giveBack(_ range: Range<Int64>, sent: Int64, of number: Int64) {
        guard let index = open.firstIndex(where: { $0.number == number }) else { return }
        open[index].giveBack(range, sent: sent, size: size)
    }
}

/// A counted download: which bytes it has not sent. It sends each byte once, over any number of requests; what a
/// connection may have lost when it broke is sent again.
struct ShareDownload: Codable, Sendable, Equatable {
    /// Of the link's downloads, from 1 on.
    var number: Int64
    /// Not sent, and not promised to a running response. In order; they do not touch.
    private(set) var unsent: [Range<Int64>]
    /// Bytes that were sent and returned; at most the size of the file.
    private(set) var returned: Int64 = 0
    /// Seconds since 1970.
    private(set) var used: Double

    /// Seconds after its last request in which a download may continue.
    static let lifetime: Double = 12 * 3600
    /// A connection that breaks takes bytes with it that the client has not received: so many are sent again.
    static let mostLost: Int64 = 16 << 20
    /// Of more, the smallest is dropped.
    static let mostRanges = 64

    init(number: Int64, size: Int64, used: Double) {
        (self.number, self.used) = (number, used)
        unsent = size > 0 ? [0..<size] : []
    }

    /// Empty ranges, of empty files, belong to no download.
    func has(_ range: Range<Int64>) -> Bool {
        !range.isEmpty && unsent.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }

    mutating func take(_ range: Range<Int64>, at now: Double) {
        used = now
        unsent = unsent.flatMap { one -> [Range<Int64>] in
            guard one.overlaps(range) else { return [one] }
            return [
                one.lowerBound..<max(one.lowerBound, range.lowerBound),
                min(one.upperBound, range.upperBound)..<one.upperBound,
            ].filter { !$0.isEmpty }
        }
        limitRanges()
    }

    /// The first byte of the file is never sent again: a request for it is another download.
    mutating func giveBack(_ range: Range<Int64>, sent: Int64, size: Int64) {
        let end = range.lowerBound + min(max(0, sent), Int64(range.count))
        guard end < range.upperBound else { return }
        let resendable = end - min(end, max(range.lowerBound, 1))
        let lost = min(resendable, Self.mostLost, max(0, size - returned))
        returned += lost
        let back = (end - lost)..<range.upperBound
        var joined: [Range<Int64>] = []
        for one in (unsent + [back]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, one.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, one.upperBound)
            } else {
                joined.append(one)
            }
        }
        unsent = joined
        limitRanges()
    }

    private mutating func limitRanges() {
        guard unsent.count > Self.mostRanges else { return }
        let sizes = unsent.map(\.count)
        guard let smallest = sizes.indices.min(by: { sizes[$0] < sizes[$1] }) else { return }
        unsent.remove(at: smallest)
    }
}

/// A password as stored: PBKDF2 with HMAC-SHA-256 (RFC 8018), one block.
struct SharePassword: Codable, Sendable, Equatable {
    var salt: [UInt8]
    var rounds: Int
    var digest: [UInt8]

    /// 16 random bytes of salt. Blocks for some hundredths of a second.
    init(_ password: String, rounds: Int = 50_000) {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.rounds = rounds
        digest = Self.derive(password, salt, rounds)
    }

    /// Blocks as ``init(_:rounds:)`` does.
    func matches(_ password: String) -> Bool { Secret.areEqual(Self.derive(password, salt, rounds), digest) }

    private static func derive(_ password: String, _ salt: [UInt8], _ rounds: Int) -> [UInt8] {
        let key = SymmetricKey(data: Array(password.utf8))
        var block = Array(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var result = block
        for _ in 1..<max(1, rounds) {
            block = Array(HMAC<SHA256>.authenticationCode(for: block, using: key))
            for index in result.indices { result[index] ^= block[index] }
        }
        return result
    }
}
