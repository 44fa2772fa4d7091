// SPDX-License-Identifier: MIT

import Crypto
import TransferModel

/// A link to one version of one file, or to a folder as an archive, which works without the server's token. Stored as
/// JSON.
struct Share: Codable, Sendable, Equatable {
    static let currentVersion = 1

    var version = Share.currentVersion
    var id: String
    /// Below the root.
    var path: [String]
    var name: String
    /// 0 for a folder.
    var size: Int64
    /// The entity tag of the file when it was shared; another version is not sent. Empty for a folder.
    var entityTag: String
    var isFolder = false
    /// The digest of the key with which its maker removes it.
    var deleteKey: [UInt8]?
    /// Seconds since 1970; `nil`: no end.
    var expires: Double?
    /// How many downloads may begin; `nil`: any number.
    var downloads: Int64?
    /// Downloads that have begun.
    var begun: Int64 = 0
    /// Resumable ones, least recently used first.
    var open: [ShareDownload] = []
    var password: SharePassword?

    /// More downloads cannot continue.
    static let mostOpen = 64

    /// Downloads that can begin.
    var downloadsLeft: Int64? { downloads.map { max(0, $0 - begun) } }

    func hasExpired(at now: Double) -> Bool { expires.map { $0 <= now } ?? false }

    /// - Parameter key: what ``deleteKey`` is a digest of.
    func isRemoved(by key: String) -> Bool { deleteKey.map { Secret.areEqual($0, Secret.digest(key)) } ?? false }

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

    /// Sends what another response of a download is to send a second time, for another connection of that download.
    /// - Returns: whether the download may continue, and has bytes left for that: in all, as many as the file has.
    mutating func resend(_ range: Range<Int64>, of number: Int64, at now: Double) -> Bool {
        guard let index = open.firstIndex(where: { $0.number == number }),
            open[index].used + ShareDownload.lifetime > now,
            open[index].resend(range, size: size, at: now)
        else { return false }
        open.append(open.remove(at: index))
        return true
    }

    /// A response with `range` broke off after `sent` bytes.
    mutating func giveBack(_ range: Range<Int64>, sent: Int64, of number: Int64) {
        guard let index = open.firstIndex(where: { $0.number == number }) else { return }
        open[index].giveBack(range, sent: sent, size: size)
    }
}

extension Share {
    /// The keys of earlier versions, which counted bytes.
    private enum EarlierKeys: String, CodingKey { case spent }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        version = try members.decode(Int.self, forKey: .version)
        id = try members.decode(String.self, forKey: .id)
        path = try members.decode([String].self, forKey: .path)
        name = try members.decode(String.self, forKey: .name)
        size = try members.decode(Int64.self, forKey: .size)
        entityTag = try members.decode(String.self, forKey: .entityTag)
        isFolder = try members.decodeIfPresent(Bool.self, forKey: .isFolder) ?? false
        deleteKey = try members.decodeIfPresent([UInt8].self, forKey: .deleteKey)
        expires = try members.decodeIfPresent(Double.self, forKey: .expires)
        downloads = try members.decodeIfPresent(Int64.self, forKey: .downloads)
        open = try members.decodeIfPresent([ShareDownload].self, forKey: .open) ?? []
        password = try members.decodeIfPresent(SharePassword.self, forKey: .password)
        if let begun = try members.decodeIfPresent(Int64.self, forKey: .begun) {
            self.begun = begun
        } else {
            let spent = try decoder.container(keyedBy: EarlierKeys.self).decodeIfPresent(Int64.self, forKey: .spent)
            let (whole, rest) = max(0, spent ?? 0).quotientAndRemainder(dividingBy: max(1, size))
            begun = rest > 0 ? whole + 1 : whole
        }
    }
}

/// A counted download: which bytes it has not sent. It sends each byte once, over any number of requests; what a
/// connection may have lost when it broke is sent again, as is what one takes over from another.
struct ShareDownload: Codable, Sendable, Equatable {
    /// The number of the download, counted from 1 for each link.
    var number: Int64
    /// Ranges that were neither sent nor assigned to a running response.
    private(set) var unsent: ByteRangeSet
    /// Bytes that may be sent a second time; at most the size of the file.
    private(set) var returned: Int64 = 0
    /// Seconds since 1970.
    private(set) var used: Double

    /// Seconds after its last request in which a download may continue.
    static let lifetime: Double = 12 * 3600
    /// A connection that breaks takes bytes with it that the client has not received: so many are sent again.
    static let mostLost: Int64 = 16 << 20
    /// The most ranges that are kept; beyond it, the smallest is dropped.
    static let mostRanges = 64

    init(number: Int64, size: Int64, used: Double) {
        (self.number, self.used) = (number, used)
        unsent = ByteRangeSet(0..<max(0, size))
    }

    /// Empty ranges, of empty files, belong to no download.
    func has(_ range: Range<Int64>) -> Bool {
        !range.isEmpty
            && unsent.ranges.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }

    mutating func take(_ range: Range<Int64>, at now: Double) {
        used = now
        unsent.remove(range)
        limitRanges()
    }

    /// The first byte of the file is never sent again: a request for it is another download.
    mutating func giveBack(_ range: Range<Int64>, sent: Int64, size: Int64) {
        let end = range.lowerBound + min(max(0, sent), Int64(range.count))
        guard end < range.upperBound else { return }
        let resendable = end - min(end, max(range.lowerBound, 1))
        let lost = min(resendable, Self.mostLost, max(0, size - returned))
        returned += lost
        unsent.insert((end - lost)..<range.upperBound)
        limitRanges()
    }

    /// - Returns: whether so many bytes may be sent a second time.
    mutating func resend(_ range: Range<Int64>, size: Int64, at now: Double) -> Bool {
        let count = Int64(range.count)
        guard count > 0, count <= size - returned else { return false }
        (used, returned) = (now, returned + count)
        return true
    }

    private mutating func limitRanges() {
        guard unsent.ranges.count > Self.mostRanges, let smallest = unsent.ranges.min(by: { $0.count < $1.count })
        else { return }
        unsent.remove(smallest)
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
