// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import FileServer

/// Folders as archives: what unpacks them is another program.
@Suite(.timeLimit(.minutes(10))) struct ZipTests {
    /// Python's `zipfile` checks every checksum, and prints a line for each entry.
    private static let list = """
        import sys, zipfile
        archive = zipfile.ZipFile(sys.argv[1])
        assert archive.testzip() is None
        for entry in archive.infolist():
            print(entry.filename, entry.file_size, entry.compress_type, entry.flag_bits, *entry.date_time, sep="|")
        """

    private func list(_ archive: Data, _ folder: ServedFolder) async throws -> [String] {
        let file = folder.scratch.appendingPathComponent(UUID().uuidString + ".zip")
        try archive.write(to: file)
        let log = file.appendingPathExtension("log")
        let exit = try await runProgram("python3", ["-c", Self.list, file.path], log: log)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(exit == 0, "\(text)")
        return text.split(separator: "\n").map(String.init)
    }

    @Test func aFolderIsAnArchive() async throws {
        let large = sampleBytes(3_000_001)
        try await ServedFolder.with { (folder) async throws in
            try folder.write("a b/夏/写真.bin", large)
            try folder.write("a b/empty", "")
            try folder.write("a b/x\\..\\y", "1")
            try folder.write("a b/.hidden/x", "1")
            try folder.write("a b/sub/.fileq-server/x", "1")
            try folder.write("other", "1")
            let file = folder.root.appendingPathComponent("a b/empty").path
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_764_500_433)], ofItemAtPath: file)
            try FileManager.default.createSymbolicLink(
                atPath: folder.root.appendingPathComponent("a b/link").path, withDestinationPath: "/etc/passwd")
            let head = try await folder.curl("/a%20b/?zip", "-I")
            let answer = try await folder.curl("/a%20b/?zip")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/zip")
            #expect(answer.headers["content-disposition"]?.contains("filename=\"a b.zip\"") == true)
            #expect(answer.headers["content-length"] == "\(answer.body.count)")
            #expect(head.status == 200 && head.headers["content-length"] == answer.headers["content-length"])
            let lines = try await list(answer.body, folder)
            #expect(
                lines.map { $0.split(separator: "|").prefix(4).joined(separator: "|") } == [
                    "a b/empty|0|0|2056", "a b/sub/|0|0|2048", "a b/x_.._y|1|0|2056", "a b/夏/|0|0|2048",
                    "a b/夏/写真.bin|3000001|0|2056",
                ])
            #expect(lines.first?.hasSuffix("|2025|11|30|11|0|32") == true, "\(lines)")
            let top = try await list(try await folder.curl("/?x=1&zip").body, folder)
            #expect(top.count == 7 && top.last?.hasPrefix("other|1|") == true)
            for path in ["/missing/?zip", "/other/?zip", "/.fileq-server/?zip", "/a%20b/link/?zip"] {
                #expect(try await folder.curl(path).status == 404, "\(path)")
            }
        }
    }

    @Test func anEmptyFolderIsAnArchive() async throws {
        try await ServedFolder.with { (folder) async throws in
            let answer = try await folder.curl("/?zip")
            #expect(try await list(answer.body, folder).isEmpty)
        }
    }

    /// What was promised in the head no longer exists.
    @Test func aFileThatChangesEndsTheResponse() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("a", "1")
            try folder.write("b", "1")
            let root = try RootFolder(path: folder.root.path)
            let archive = try ZipArchive(of: [], in: root, listsHidden: false)
            try folder.write("b", "22")
            #expect(throws: (any Error).self) { _ = try archive.read(0..<archive.size) }
            let again = try ZipArchive(of: [], in: root, listsHidden: false)
            _ = try again.read(0..<again.size)
            #expect(throws: (any Error).self) { _ = try again.read(again.size..<again.size + 1) }
            try FileManager.default.removeItem(at: folder.root.appendingPathComponent("b"))
            #expect(try ZipArchive(of: [], in: root, listsHidden: false).size < again.size)
        }
    }

    /// As zlib's documentation has it for the digits.
    @Test func checksumsAreThoseOfZlib() {
        for cut in 0...9 {
            var checksum = CRC32()
            let digits = Array("123456789".utf8)
            digits[..<cut].withUnsafeBytes { checksum.update($0) }
            digits[cut...].withUnsafeBytes { checksum.update($0) }
            #expect(checksum.value == 0xCBF4_3926)
        }
        #expect(CRC32().value == 0)
    }

    /// Sizes and offsets beyond 32 bits, and more entries than 16 bits count. A sparse file stands in for the content.
    @Test func largeArchivesAreZip64() async throws {
        let sizes: [Int64] = [1, 0xFFFF_FFFE, 0xFFFF_FFFF, 5 << 32]
        try await ServedFolder.with { (folder) async throws in
            let file = folder.scratch.appendingPathComponent("large.zip")
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            let handle = try FileHandle(forWritingTo: file)
            var layout = ZipLayout()
            for (index, size) in sizes.enumerated() {
                let entry = ZipLayout.Entry(name: "\(index)", size: size, modified: 1_764_500_433)
                let first = layout.begin(entry)
                try handle.seek(toOffset: UInt64(layout.offset))
                try handle.write(contentsOf: first)
                try handle.seek(toOffset: UInt64(layout.offset + Int64(first.count) + size))
                try handle.write(contentsOf: layout.end(entry, checksum: 7, first: first.count))
            }
            #expect(layout.offset == Int64(try handle.offset()))
            try handle.write(contentsOf: layout.close())
            try handle.close()
            let script = """
                import sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                for entry in archive.infolist():
                    archive.open(entry).close()
                    print(entry.filename, entry.file_size, entry.CRC)
                """
            let log = folder.scratch.appendingPathComponent("log")
            let exit = try await runProgram("python3", ["-c", script, file.path], log: log)
            let text = try String(contentsOf: log, encoding: .utf8)
            #expect(exit == 0, "\(text)")
            #expect(text == sizes.enumerated().map { "\($0) \($1) 7\n" }.joined())

            var many = ZipLayout()
            var bytes: [UInt8] = []
            for index in 0..<70_000 {
                let entry = ZipLayout.Entry(name: "\(index)/", size: 0, modified: -1)
                let first = many.begin(entry)
                bytes += first + many.end(entry, checksum: 0, first: first.count)
            }
            let lines = try await list(Data(bytes + many.close()), folder)
            #expect(lines.count == 70_000 && lines.last == "69999/|0|0|2048|1980|1|1|0|0|0")
        }
    }
}
