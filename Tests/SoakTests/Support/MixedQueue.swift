// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// Makes the transfers of a soak, of every kind there is, as a seed says.
struct MixedQueue {
    private let stage: SoakStage
    private var random: SeededRandom
    private var count = 0
    /// For those uploads that bring their own.
    private let sid: String

    /// Sizes of small files: nothing, one byte, at and around what programs cut at.
    private static let small = [0, 1, 63, 4096, 4097, 65_536, 100_003]

    init(_ stage: SoakStage, seed: UInt64) async throws {
        (self.stage, random) = (stage, SeededRandom(seed))
        sid = try await stage.server.newSID()
    }

    /// One of each, and several of what is most.
    mutating func opening(large: Int, small: Int) throws -> [SoakItem] {
        var items: [SoakItem] = []
        for _ in 0..<large { items.append(try download(size: 12 << 20, "rate=3M")) }
        for _ in 0..<small { items.append(try another()) }
        items += try [
            download(size: 2 << 20, "fault=truncate&times=2&at=700000"),
            download(size: 2 << 20, "fault=reset&times=2&at=1M"),
            download(size: 65_536, "fault=stall&times=1", ["--request-timeout", "2"]),
            download(size: 4097, "fault=503&times=2"),
            wrongSum(), existing(), missing(), nameless(),
            upload(.fileQ, size: 4 << 20, ["--limit", "1M", "--sid", sid]),
            upload(.fileQ, size: 4 << 20, ["--limit", "1M", "--meta", "kind=large"]),
            upload(.put, size: 4 << 20, ["--limit", "1M"]),
        ]
        return items.shuffled(using: &random)
    }

    /// One as they come between two crashes; most of them small.
    mutating func another() throws -> SoakItem {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: try download(size: 3 << 20, "rate=2M")
        case 1: try download(size: Self.small.randomElement(using: &random)!, "fault=503&times=1")
        case 2: try wrongSum()
        case 3: try existing()
        case 4: try missing()
        case 5, 6: try upload(.fileQ, size: Self.small.randomElement(using: &random)!, ["--sid", sid])
        case 7, 8: try upload(.fileQ, size: Self.small.randomElement(using: &random)!, ["--meta", "n=\(count)"])
        case 9: try upload(.put, size: Self.small.randomElement(using: &random)!, [])
        case 10: try summed()
        default:
            try download(
                size: Self.small.randomElement(using: &random)!, "wait-head=0.0\(Int.random(in: 0...9, using: &random))"
            )
        }
    }

    /// One that does not end before it is stopped.
    mutating func endless() throws -> SoakItem { try download(size: 256 << 20, "rate=100k") }

    /// One that can be interrupted and ends after it is resumed.
    mutating func long() throws -> SoakItem { try download(size: 4 << 20, "rate=400k") }

    // MARK: Kinds

    private mutating func name(_ kind: String) -> String {
        count += 1
        return "\(kind)-\(count)"
    }

    mutating func download(size: Int, _ query: String, _ options: [String] = []) throws -> SoakItem {
        let (name, version) = (name("down"), Int.random(in: 1...3, using: &random))
        let url = stage.lab.url(name, "size=\(size)&version=\(version)&\(query)")
        return SoakItem(
            name: name, kind: .download(size: size, version: version),
            words: ["get", url, "-o", "\(stage.here)/\(name)"] + options)
    }

    private mutating func summed() throws -> SoakItem {
        var item = try download(size: 65_536, "wait-head=0")
        guard case .download(let size, let version) = item.kind else { return item }
        item.words += ["--checksum", "sha256:\(try stage.wantedSum(size: size, version: version))"]
        return item
    }

    private mutating func wrongSum() throws -> SoakItem {
        var item = try download(
            size: 4096, "wait-head=0", ["--checksum", "sha256:" + String(repeating: "0", count: 64)])
        (item.kind, item.end) = (.hopeless, .failed(32))
        return item
    }

    /// The place is taken, by a file that must stay as it is.
    private mutating func existing() throws -> SoakItem {
        var item = try download(size: 4096, "wait-head=0")
        try Data(SoakStage.old.utf8).write(to: URL(fileURLWithPath: "\(stage.here)/\(item.name)"))
        (item.kind, item.end) = (.hopeless, .failed(23))
        return item
    }

    private mutating func missing() throws -> SoakItem {
        let name = name("missing")
        return SoakItem(
            name: name, kind: .hopeless,
            words: ["get", stage.server.url("/no/\(name)"), "-o", "\(stage.here)/\(name)"],
            end: .failed(22))
    }

    /// Its host does not exist.
    private mutating func nameless() throws -> SoakItem {
        let name = name("nameless")
        return SoakItem(
            name: name, kind: .hopeless,
            words: [
                "get", "http://nonexistent.invalid/\(name)", "-o", "\(stage.here)/\(name)", "--no-wait", "--retry", "0",
            ],
            end: .failed(6))
    }

    mutating func upload(_ kind: SoakItem.Kind, size: Int, _ options: [String]) throws -> SoakItem {
        let name = name(kind == .put ? "put" : "up")
        try Files.fill(stage.source(name), size, seed: UInt64(count))
        let url = stage.server.url(kind == .put ? "/plain/\(name)" : "/upload")
        return SoakItem(name: name, kind: kind, words: ["put", stage.source(name), url] + options)
    }
}
