// SPDX-License-Identifier: MIT

@testable import FileServer
import HTTPTypes
import TransferModel
@testable import TransferService
@testable import fileq

extension FuzzTarget {
    /// Lists and command lines of others, and requests to the server.
    static let commands = [
        FuzzTarget("curl-lines", curlLines), FuzzTarget("lists", lists), FuzzTarget("configuration", configuration),
        FuzzTarget("server", server), FuzzTarget("s3", store),
    ]

    private static func curlLines(_ bytes: Bytes) throws {
        guard let words = try? ShellLine.split(bytes.text) else { return }
        try promise(!words.contains { $0.utf8.contains(0) }, "an argument contains NUL")
        _ = try? CurlLine(words)
        _ = try? StartTime.parse(bytes.text, now: 1_700_000_000, local: .system)
    }

    private static func lists(_ bytes: Bytes) throws {
        let text = bytes.text
        _ = try? ChecksumList(parsing: text, named: "list")
        _ = InputList.parse(text)
        let document = try? Metalink(parsing: Array(bytes))
        for file in document?.files ?? [] {
            try promise(SafeFileName.sanitize(file.name) == file.name, "a name that is not safe: \(file.name)")
        }
        if let url = try? TransferURL("https://host.example/a") { _ = FileMirror.announced(by: [text], of: url) }
        guard let requests = try? DownloadList.parse(text, named: "list") else { return }
        var options = ListedOptionReader(now: 0)
        let url = try TransferURL("http://host.example/")
        for request in requests { _ = try? options.read(request, for: url) }
    }

    private static func configuration(_ bytes: Bytes) throws {
        _ = try? ConfigurationFile(path: "config.toml", text: bytes.text)
    }

    private static func server(_ bytes: Bytes) throws {
        var reader = Reader(bytes)
        let (target, host) = (reader.line(), reader.line())
        if let target = try? RequestTarget(target), case .plain(let names, _) = target {
            try promise(
                !names.contains { $0 == "." || $0 == ".." || $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) },
                "a path that leaves the folder: \(names)")
        }
        if let host = RequestHost(host) { try promise(!host.name.isEmpty, "no name") }
        var request = HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/")
        while !reader.isAtEnd {
            let line = reader.line()
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            request.headerFields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...])))
        }
        _ = (try? RequestFraming(request.headerFields), Preconditions(request))
    }
}
