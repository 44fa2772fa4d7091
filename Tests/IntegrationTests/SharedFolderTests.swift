// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

extension Integration {
    /// Links of `put --share`, as their receivers use them.
    @Suite(.serialized) struct SharedFolderTests {
        @Test func aFolderHasALinkAndSoHasEachFile() async throws {
            try await Stage.with { stage in
                let token = ["--token-file", try stage.write("secret\n", to: "token")]
                let server = try await stage.serve(.fileq, token)
                _ = try stage.makeFolder(stage.path("写真/sub"))
                for name in ["写真/a.txt", "写真/sub/b.txt", "c.txt"] {
                    _ = try stage.write("content of \(name)", to: name)
                }
                let put = ["put", "-q", "--share"] + token
                let sent = try await stage.fileq(put + ["-r", "写真", "c.txt", server.url("in%20box/")])
                #expect(sent.exit == 0, "\(sent)")
                let lines = sent.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
                    .filter { $0.count == 2 }
                #expect(lines.map { $0[1] } == ["写真/", "写真/a.txt", "写真/sub/b.txt", "c.txt"], "\(sent)")
                let unzip = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())"
                let folder = try #require(lines.first?.first)
                let got = try await stage.shell(
                    "\"$FILEQ\" get -q -o all.zip '\(folder)' && python3 -c '\(unzip)' all.zip")
                #expect(got.exit == 0 && got.text.contains("写真/a.txt 写真/sub/ 写真/sub/b.txt"), "\(got)")
                // One link alone has no name beside it, so that a script can take the output as it is.
                let one = try await stage.fileq(put + ["--share-downloads", "1", "c.txt", server.url("")])
                let link = one.text.split(separator: "\n").first.map(String.init) ?? ""
                #expect(one.exit == 0 && link.hasPrefix(server.origin) && !link.contains("\t"), "\(one)")
                let first = try await stage.fileq("get", "-q", "-o", "got.txt", link)
                #expect(first.exit == 0 && Files.same(stage.path("c.txt"), stage.path("got.txt")), "\(first)")
                #expect(try await stage.fileq("get", "-q", "-o", "again.txt", link).exit == 22)
            }
        }
    }
}
