// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferService

/// The record that a later command continues an upload by.
@Suite struct UploadRecorderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func recorder(_ target: String = "http://h/u") -> UploadRecorder {
        UploadRecorder(folder: folder.file("records"), target: target, source: "/source")
    }

    private func checkpoint(_ offset: Int64) -> UploadCheckpoint {
        UploadCheckpoint(
            source: .init(inode: 1, size: 100, seconds: 2, nanoseconds: 3),
            point: UploadPoint(.tus, url: "http://h/u/1", target: "http://h/u", offset: offset))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("records"))
    }

    @Test func findsWhatWasSavedOnceItIsClosed() throws {
        let first = recorder()
        #expect(first.find() == nil)
        first.save(checkpoint(10))
        #expect(first.find() == nil, "no record is made by the way")
        first.commit(checkpoint(10))
        first.save(checkpoint(20))
        #expect(first.find() == checkpoint(20))
        #expect(recorder().find() == nil, "another one uses it")
        first.close()
        #expect(recorder("http://h/other").find() == nil)
        #expect(recorder().find() == checkpoint(20))
    }

    @Test func aRemovedRecordIsMadeAgain() throws {
        let recorder = recorder()
        recorder.commit(checkpoint(10))
        recorder.remove()
        #expect(try names().isEmpty)
        recorder.save(checkpoint(20))
        #expect(try names().isEmpty)
        recorder.commit(checkpoint(30))
        #expect(recorder.find() == checkpoint(30))
    }

    @Test func aDamagedRecordIsRemoved() throws {
        let first = recorder()
        first.commit(checkpoint(10))
        first.close()
        try folder.write([1, 2, 3], to: "records/\(try #require(try names().first))")
        #expect(recorder().find() == nil)
        #expect(try names().isEmpty)
    }
}
