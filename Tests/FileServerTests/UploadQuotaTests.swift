// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing

@testable import FileServer

/// How many bytes the unfinished uploads have together.
struct UploadQuotaTests {
    private func bytes(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// The status of a refusal; 0 if there is none.
    private func admit(_ id: String, _ bytes: Int64, joining parts: Set<String> = [], _ quota: UploadQuota) -> Int {
        do throws(Refusal) { try quota.admit(id, of: bytes, joining: parts) } catch { return error.status.code }
        return 0
    }

    private func reserve(_ bytes: Int64, _ id: String, _ quota: UploadQuota) -> Int {
        do throws(Refusal) { try quota.reserve(bytes, for: id) } catch { return error.status.code }
        return 0
    }

    @Test func countsWhatUploadsHold() {
        let quota = UploadQuota(mostUploads: 3, mostBytes: 100)
        #expect(admit("a", 60, quota) == 0)
        #expect(admit("b", 41, quota) == 507)
        #expect(admit("b", 0, quota) == 0)
        #expect(reserve(41, "b", quota) == 507)
        #expect(reserve(40, "b", quota) == 0)
        #expect(reserve(.max, "b", quota) == 507)
        // Never less than before, and nothing for an upload that was removed.
        #expect(reserve(1, "b", quota) == 0)
        #expect(reserve(1, "removed", quota) == 0)
        quota.correct("removed", to: 1, of: 1)
        #expect(quota.bytes == 100 && quota.uploads == 2)
        quota.correct("b", to: 10, of: 0)
        #expect(quota.bytes == 70)
        #expect(admit("c", 30, quota) == 0)
        #expect(admit("d", 0, quota) == 503)
        quota.release("a")
        quota.release("a")
        #expect(quota.bytes == 40 && quota.uploads == 2)
    }

    /// One without content takes little from others.
    @Test func aLengthIsReservedSomeWayAhead() {
        let quota = UploadQuota(mostUploads: 5, mostBytes: 100, ahead: 20)
        func announce(_ length: Int64, _ written: Int64, _ id: String) -> Int {
            do throws(Refusal) { try quota.announce(length, after: written, for: id) } catch {
                return error.status.code
            }
            return 0
        }
        #expect(admit("a", 100, quota) == 0 && quota.bytes == 20)
        #expect(admit("b", 101, quota) == 507 && quota.bytes == 20)
        #expect(announce(100, 0, "a") == 0 && announce(101, 0, "a") == 507)
        // What arrives beyond that is reserved as it comes.
        #expect(reserve(50, "a", quota) == 0 && quota.bytes == 50)
        // Between two requests only what is here.
        quota.correct("a", to: 50, of: 100)
        #expect(quota.bytes == 50)
        #expect(announce(100, 50, "a") == 0 && quota.bytes == 70)
        quota.correct("a", to: 50, of: 100)
        #expect(admit("b", 25, quota) == 0 && admit("c", 10, quota) == 0 && quota.bytes == 80)
        #expect(reserve(70, "a", quota) == 0 && reserve(71, "a", quota) == 507)
        quota.correct("a", to: 70, of: 100)
        #expect(quota.bytes == 100)
        #expect(announce(100, 70, "a") == 507)
        quota.release("b")
        #expect(announce(100, 70, "a") == 0 && quota.bytes == 100)
        // One without content holds what others leave of its reservation.
        quota.correct("c", to: 0, of: 10)
        #expect(quota.bytes == 100)
        #expect(!quota.excludes(100) && quota.excludes(101))
        #expect(!UploadQuota(mostUploads: 1, mostBytes: nil).excludes(.max))
    }

    @Test func aCopyTellsWhatOthersWouldLeave() {
        let quota = UploadQuota(mostUploads: 2, mostBytes: 100)
        #expect(admit("a", 60, quota) == 0 && admit("b", 40, quota) == 0)
        #expect(admit("c", 50, quota.without([])) == 503 && admit("c", 50, quota.without(["b"])) == 507)
        #expect(admit("c", 50, quota.without(["a"])) == 0)
        #expect(quota.bytes == 100 && quota.uploads == 2)
    }

    /// What never fits must not be asked to come back.
    @Test func statesWhichLimitAnUploadExceeds() {
        let quota = UploadQuota(mostUploads: 3, mostBytes: 100)
        func words(_ bytes: Int64) -> String? {
            do throws(Refusal) { try quota.admit("b", of: bytes) } catch { return error.message }
            return nil
        }
        #expect(words(101)?.contains("larger than the 100 bytes") == true)
        quota.restore("a", holding: 1)
        #expect(words(101)?.contains("larger than the 100 bytes") == true)
        #expect(words(100)?.contains("used up") == true)
    }

    @Test func joiningCreditsTheParts() {
        let quota = UploadQuota(mostUploads: 2, mostBytes: 100)
        #expect(admit("a", 60, quota) == 0)
        #expect(admit("b", 40, quota) == 0)
        // More than they have.
        #expect(admit("c", 160, joining: ["a", "b"], quota) == 507)
        #expect(admit("c", 100, joining: ["a", "b"], quota) == 0)
        #expect(quota.bytes == 100)
        for id in ["a", "b", "c"] { quota.release(id) }
        #expect(quota.bytes == 0 && quota.uploads == 0)
    }

    @Test func uploadsOfAnEarlierProcessCountWhateverTheirSize() {
        let quota = UploadQuota(mostUploads: 2, mostBytes: 100)
        for id in ["a", "b", "c"] { quota.restore(id, holding: .max) }
        #expect(quota.bytes == 3 * Int128(Int64.max))
        #expect(admit("d", 0, quota) == 503)
        quota.release("a")
        quota.release("b")
        #expect(admit("d", 1, quota) == 507)
        #expect(admit("d", 0, quota) == 0)
    }

    @Test func aKnownLengthIsReservedAtTheCreation() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.unfinishedBytes = 1000 }) {
            (folder) async throws in
            let version = "Upload-Draft-Interop-Version: 8"
            for (content, fields) in [
                ("", ["Upload-Complete: ?0", "Upload-Length: 1001"]), (bytes(1001), ["Upload-Complete: ?0"]),
                (bytes(1001), ["Upload-Complete: ?1"]),
            ] {
                let answer = try await folder.send("POST", "/files", content, fields + [version])
                #expect(answer.status == 507, "\(answer.text)")
            }
            #expect(try folder.unfinished().isEmpty)
            #expect(try await folder.put("/plain", bytes(1001)).status == 201)
            let first = try await folder.create("/files", "Upload-Length: 600")
            let second = ["Upload-Complete: ?0", "Upload-Length: 401", version]
            #expect(try await folder.send("POST", "/files", "", second).status == 507)
            try await folder.restart()
            #expect(try await folder.send("POST", "/files", "", second).status == 507)
            #expect(try await folder.append(first, at: 0, bytes(600), complete: true).status == 201)
            _ = try await folder.create("/files", "Upload-Length: 1000")
        }
    }

    @Test(arguments: [true, false]) func anUnknownLengthIsCountedWhileWriting(isTus: Bool) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.unfinishedBytes = 1000 }) {
            (folder) async throws in
            func create() async throws -> String {
                try await isTus ? folder.createTus("/files", "Upload-Defer-Length: 1") : folder.create()
            }
            func append(_ location: String, at offset: Int, _ count: Int, _ field: String) async throws -> CurlAnswer {
                try await isTus
                    ? folder.appendTus(location, at: String(offset), bytes(count), field)
                    : folder.append(location, at: Int64(offset), bytes(count), complete: false, field)
            }
            let chunked = "Transfer-Encoding: chunked"
            let location = try await create()
            let announced = try await append(location, at: 0, 1001, "X-Any: 1")
            #expect(announced.status == 507 && announced.headers["upload-offset"] == "0")
            #expect(try await append(location, at: 0, 600, chunked).status == 204)
            let elsewhere = try await append(location, at: 0, 600, "X-Any: 1")
            #expect(elsewhere.status == 409 && elsewhere.headers["upload-offset"] == "600")
            let full = try await append(location, at: 600, 600, chunked)
            #expect(full.status == 507)
            let offset = try #require(full.headers["upload-offset"].flatMap { Int($0) })
            #expect((600...1000).contains(offset))
            #expect(try await folder.state(location).headers["upload-offset"] == String(offset))
            #expect(try await append(location, at: offset, 1000 - offset, chunked).status == 204)
            let other = try await create()
            #expect(try await append(other, at: 0, 1, chunked).status == 507)
            #expect(try await folder.curl(location, "-X", "DELETE").status == 204)
            #expect(try await append(other, at: 0, 1000, chunked).status == 204)
        }
    }

    /// They cost nothing to create.
    @Test func emptyUploadsMakeRoom() async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.unfinishedBytes = 1000
            configuration.limits.unfinishedUploads = 3
            configuration.limits.emptySeconds = 0
        }) { (folder) async throws in
            let started = try await folder.createTus("/files", "Upload-Length: 300")
            #expect(try await folder.appendTus(started, at: "0", "x").status == 204)
            let first = try await folder.createTus("/files", "Upload-Length: 300")
            let second = try await folder.createTus("/files", "Upload-Length: 300")
            let tus = "Tus-Resumable: 1.0.0"
            // Larger than everything: nothing makes room for it.
            #expect(try await folder.send("POST", "/files", "", [tus, "Upload-Length: 1001"]).status == 507)
            #expect(try await folder.state(first, tus).status == 200)
            // One too many, then too many bytes.
            let third = try await folder.createTus("/files", "Upload-Length: 100")
            #expect(try await folder.state(first, tus).status == 404)
            #expect(try await folder.state(second, tus).status == 200)
            #expect(try await folder.appendTus(third, at: "0", "x").status == 204)
            let large = try await folder.createTus("/files", "Upload-Length: 600")
            #expect(try await folder.state(second, tus).status == 404)
            // What has content stays, and holds only that.
            #expect(try await folder.appendTus(started, at: "1", String(repeating: "x", count: 298)).status == 204)
            // Nothing is removed if that would not be enough.
            #expect(try await folder.send("POST", "/files", "", [tus, "Upload-Length: 701"]).status == 507)
            for location in [started, third, large] {
                #expect(try await folder.state(location, tus).status == 200)
            }
        }
    }

    @Test func emptyUploadsStayForSomeTime() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.unfinishedUploads = 1 }) {
            (folder) async throws in
            let first = try await folder.createTus("/files", "Upload-Length: 1")
            let fields = ["Tus-Resumable: 1.0.0", "Upload-Length: 1"]
            #expect(try await folder.send("POST", "/files", "", fields).status == 503)
            #expect(try await folder.appendTus(first, at: "0", "x").status == 204)
            #expect(try await folder.send("POST", "/files", "", fields).status == 201)
        }
    }

    @Test func partsCountUntilTheyAreJoined() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.unfinishedBytes = 1000 }) {
            (folder) async throws in
            let fields = ["Tus-Resumable: 1.0.0", "Upload-Concat: partial", "Upload-Length: 400"]
            var parts: [String] = []
            for _ in 0..<2 {
                let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 400")
                #expect(try await folder.appendTus(part, at: "0", bytes(400)).status == 204)
                parts.append(part)
            }
            #expect(try await folder.send("POST", "/files", "", fields).status == 507)
            try await folder.restart()
            #expect(try await folder.send("POST", "/files", "", fields).status == 507)
            // It adds nothing.
            let list = parts.joined(separator: " ")
            _ = try await folder.createTus("/", "Upload-Concat: final;\(list)", "Upload-Metadata: filename eA==")
            #expect(try folder.content("x") == bytes(800))
            _ = try await folder.createTus("/files", "Upload-Length: 1000")
        }
    }
}
