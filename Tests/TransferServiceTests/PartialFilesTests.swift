// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Testing
import TransferModel
@testable import TransferService
import TransferTesting

/// Two files of one download, as a crash may leave them.
@Suite struct PartialFilesTests {
    let folder: TemporaryFolder
    private let url = "http://host.test/"

    init() throws { folder = try TemporaryFolder() }

    private func leave(_ bytes: [UInt8], _ name: String, tag: String?) throws {
        let path = try folder.write(bytes, to: name)
        guard let tag else { return }
        PartialRecord.save(
            ResumeData(
                url: url, validator: Validator(entityTag: tag), ranges: .init(), total: 10, partialPath: path,
                bootID: BootID.current))
    }

    @Test func resumesTheNewerVersion() throws {
        try leave([1, 1, 1], "f.fileq-part", tag: "\"1\"")
        try leave([2, 2], "f.fileq-part-new", tag: "\"2\"")
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(try files.choose(urls: [url], isRetry: false)?.point.validator.entityTag == "\"2\"")
        #expect(files.current.path == folder.file("f.fileq-part-new"))
    }

    @Test func resumesTheOlderVersionOtherwise() throws {
        try leave([1, 1, 1], "f.fileq-part", tag: "\"1\"")
        try leave([2, 2], "f.fileq-part-new", tag: nil)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(try files.choose(urls: [url], isRetry: false)?.point.validator.entityTag == "\"1\"")
        files.removeOther()
        #expect(folder.names == ["f.fileq-part", "f.fileq-part.json"])
    }

    @Test func aLoneNewVersionTakesTheFirstName() throws {
        try leave([2, 2], "f.fileq-part-new", tag: "\"2\"")
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(try files.choose(urls: [url], isRetry: false)?.point.offset == 2)
        #expect(folder.names == ["f.fileq-part", "f.fileq-part.json"])
        #expect(PartialRecord.load(folder.file("f.fileq-part.json"))?.partialPath == folder.file("f.fileq-part"))
    }

    @Test(
        arguments: [
            ([1, 1, 1], nil, [2, 2], nil, [1, 1, 1]), ([1], nil, [2, 2], nil, [2, 2]),
            ([1, 1, 1], nil, [2, 2], "\"2\"", [2, 2]), ([1], "\"1\"", [2, 2], nil, [1]),
        ]
            as [([UInt8], String?, [UInt8], String?, [UInt8])])
    func aThirdVersionReplacesTheLessValuable(
        _ one: [UInt8], _ oneTag: String?, _ two: [UInt8], _ twoTag: String?,
        _ kept: [UInt8]
    ) throws {
        try leave(one, "f.fileq-part", tag: oneTag)
        try leave(two, "f.fileq-part-new", tag: twoTag)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        let room = try files.makeNewVersion()
        #expect(room.path == folder.file("f.fileq-part-new"))
        #expect(try folder.read("f.fileq-part") == kept)
        #expect(!folder.exists("f.fileq-part-new.json"))
        #expect(
            files.takeSuperseded()
                == PartialFiles.Superseded(path: folder.file("f.fileq-part"), bytes: Int64(kept.count)))
        #expect(files.takeSuperseded() == nil)
    }

    /// A power cut may bring back a record that was removed. It must not vouch for bytes of another version.
    @Test(arguments: [true, false]) func noVersionIsWrittenOverAnother(_ isReplaceable: Bool) throws {
        try leave([1, 1, 1], "f.fileq-part", tag: isReplaceable ? nil : "\"1\"")
        try leave([2, 2], "f.fileq-part-new", tag: nil)
        let before = ["f.fileq-part", "f.fileq-part-new"].map { open(folder.file($0), O_RDONLY) }
        defer { for descriptor in before { close(descriptor) } }
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        if isReplaceable { try files.startOver(isAlwaysWhole: false) }
        let room = try files.makeNewVersion()
        #expect(pwrite(room.descriptor, [7, 7] as [UInt8], 2, 0) == 2)
        for descriptor in before {
            var bytes = [UInt8](repeating: 0, count: 2)
            let count = pread(descriptor, &bytes, 2, 0)
            #expect(count == 0 || bytes != [7, 7])
        }
        #expect(try folder.read(isReplaceable ? "f.fileq-part" : "f.fileq-part-new") == [7, 7])
    }

    /// An empty file beside which a power cut has left a record.
    @Test func aFileIsNotWrittenBesideAnOldRecord() throws {
        try leave([], "f.fileq-part", tag: "\"1\"")
        let before = open(folder.file("f.fileq-part"), O_RDONLY)
        defer { close(before) }
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(folder.names == ["f.fileq-part"])
        #expect(pwrite(files.current.descriptor, [7] as [UInt8], 1, 0) == 1)
        var status = stat()
        #expect(fstat(before, &status) == 0 && status.st_size == 0)
        #expect(try folder.read("f.fileq-part") == [7])
    }

    /// Those that no download can resume are not kept beside a new version.
    @Test(
        arguments: [
            ([1, 1, 1], nil, nil, nil, [7], nil), ([1, 1, 1], "W/\"1\"", nil, nil, [7], nil),
            ([1, 1, 1], nil, [2, 2], nil, [7], nil), ([1], nil, [2, 2], "W/\"2\"", [7], nil),
            ([1, 1, 1], "\"1\"", nil, nil, [1, 1, 1], [7]), ([1, 1, 1], "\"1\"", [2, 2], nil, [1, 1, 1], [7]),
            ([1, 1, 1], nil, [2, 2], "\"2\"", [2, 2], [7]),
        ]
            as [([UInt8], String?, [UInt8]?, String?, [UInt8], [UInt8]?)])
    func uselessBytesAreReplaced(
        _ one: [UInt8], _ oneTag: String?, _ two: [UInt8]?, _ twoTag: String?, _ first: [UInt8], _ second: [UInt8]?
    ) throws {
        try leave(one, "f.fileq-part", tag: oneTag)
        if let two { try leave(two, "f.fileq-part-new", tag: twoTag) }
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(try files.choose(urls: ["http://other.test/"], isRetry: false) == nil)
        try files.startOver(isAlwaysWhole: false)
        let room = try files.makeNewVersion()
        #expect(room.length == 0 || second != nil)
        try room.truncate(to: 0)
        #expect(pwrite(room.descriptor, [7] as [UInt8], 1, 0) == 1)
        #expect(try folder.read("f.fileq-part") == first)
        #expect(folder.exists("f.fileq-part-new") == (second != nil))
        if let second { #expect(try folder.read("f.fileq-part-new") == second) }
        #expect(files.takeSuperseded()?.path == (second == nil ? nil : folder.file("f.fileq-part")))
        #expect(folder.exists("f.fileq-part.json") == (second != nil) && !folder.exists("f.fileq-part-new.json"))
    }

    /// A record that cannot be read, or that another version of this program has written, says nothing about the bytes.
    @Test(arguments: ["", "-new"], [true, false]) func bytesWithAnUnreadableRecordStay(
        _ suffix: String, _ isFolder: Bool
    ) throws {
        try leave([1, 1, 1], "f.fileq-part", tag: nil)
        try leave([2, 2], "f.fileq-part-new", tag: nil)
        let record = "f.fileq-part\(suffix).json"
        if isFolder {
            #expect(mkdir(folder.file(record), 0o700) == 0)
        } else {
            try folder.write(Array(#"{"version":1000}"#.utf8), to: record)
        }
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        #expect(try files.choose(urls: [url], isRetry: false) == nil)
        try files.startOver(isAlwaysWhole: false)
        #expect(folder.names.sorted() == ["f.fileq-part", "f.fileq-part-new", record].sorted())
        _ = try files.makeNewVersion()
        #expect(try folder.read("f.fileq-part") == (suffix.isEmpty ? [1, 1, 1] : [2, 2]))
        #expect(folder.exists("f.fileq-part.json"))
    }

    /// Before a response is accepted, even useless bytes are not removed.
    @Test func uselessBytesStayUntilTheNextVersionArrives() throws {
        try leave([1, 1, 1], "f.fileq-part", tag: nil)
        try leave([2, 2], "f.fileq-part-new", tag: nil)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        try files.startOver(isAlwaysWhole: false)
        #expect(try folder.read("f.fileq-part") == [1, 1, 1])
        #expect(try folder.read("f.fileq-part-new") == [2, 2])
        _ = try files.makeNewVersion()
        #expect(files.takeSuperseded() == PartialFiles.Superseded(path: nil, bytes: 3))
        #expect(folder.names == ["f.fileq-part"])
    }

    /// What this attempt has received may be of use.
    @Test func bytesAreReplacedOnce() throws {
        try leave([1, 1, 1], "f.fileq-part", tag: nil)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        try files.startOver(isAlwaysWhole: false)
        let first = try files.makeNewVersion()
        #expect(first === files.current)
        let second = try files.makeNewVersion()
        #expect(second !== first)
        #expect(folder.names == ["f.fileq-part", "f.fileq-part-new"])
    }

    @Test func refusesTheRecordOfAnEarlierVersion() throws {
        try leave([1], "f.fileq-part", tag: nil)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        let version = files.version
        _ = try files.makeNewVersion()
        files.save(ResumeData(url: url, validator: .init(), ranges: .init(), total: nil, partialPath: ""), of: version)
        #expect(!folder.exists("f.fileq-part.json") && !folder.exists("f.fileq-part-new.json"))
    }

    @Test func createsAndRecordsNothingAfterItWasRemoved() throws {
        try leave([1], "f.fileq-part", tag: nil)
        let files = try PartialFiles(path: folder.file("f.fileq-part"))
        let version = files.version
        files.removeAll()
        #expect(throws: TransferError.self) { try files.makeNewVersion() }
        let record = ResumeData(url: url, validator: .init(), ranges: .init(), total: nil, partialPath: "")
        #expect(!files.save(record, of: version))
        #expect(folder.names.isEmpty)
    }

    @Test func removesLeftoversOfARenamedFile() throws {
        try leave([1], "f.fileq-part", tag: "\"1\"")
        PartialFiles.removeLeftovers(of: folder.file("f.fileq-part-new"), leaving: .alone)
        #expect(folder.names.isEmpty)
    }
}
