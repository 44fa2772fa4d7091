// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import HTTPTypes
import TransferModel

/// A listing for browsers: names, sizes, dates, and a drop area that uploads with tus. It loads nothing, and runs no
/// script but its own.
struct ListingPage {
    struct Row: Equatable {
        /// A relative reference, percent-encoded.
        var reference: String
        /// As it is; escaped here.
        var name: String
        /// Bytes; `nil` for a folder.
        var size: Int64?
        /// Seconds since 1970.
        var modified: Int64
    }

    /// As it is; escaped here.
    var title: String
    /// `nil` for the top.
    var parent: String?
    var rows: [Row]
    /// The folder has more entries than rows.
    var isTruncated = false
    /// A reference to the following rows, if there are any.
    var next: String?

    func answer() -> Answer {
        Answer(
            .ok,
            headers: [
                .cacheControl: "no-cache", .vary: "Accept", .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: Self.policy, .referrerPolicy: "no-referrer",
            ], body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width\">", "<title>\(Self.escape(title))</title>",
            "<style>\(Self.style)</style>", "<h1><bdi>\(Self.escape(title))</bdi></h1>",
            "<p id=\"drop\"><label>Drop files here, or <input type=\"file\" id=\"choose\" multiple></label></p>",
            "<noscript><p>Uploads from this page need JavaScript. PUT stores a file without it.</p></noscript>",
            "<ul id=\"uploads\" aria-live=\"polite\"></ul>", "<table>",
            "<thead><tr><th scope=\"col\">Name<th scope=\"col\">Size<th scope=\"col\">Modified</thead>", "<tbody>",
        ]
        if let parent { lines.append("<tr><td><a href=\"\(Self.escape(parent))\">../</a><td><td>") }
        lines += rows.map(Self.row)
        lines += ["</tbody>", "</table>"]
        if rows.isEmpty { lines.append("<p>Empty.</p>") }
        if isTruncated { lines.append("<p>There are more than \(rows.count) entries.</p>") }
        if let next { lines.append("<p><a id=\"next\" href=\"\(Self.escape(next))\">More</a></p>") }
        lines.append("<script>\(Self.script)</script>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ row: Row) -> String {
        let size = row.size.map { "<td title=\"\($0) bytes\">\(ByteCount.short(Double($0)))" } ?? "<td>"
        let (day, clock) = (CompactTime.day(row.modified), CompactTime.stamp(row.modified).suffix(8))
        let name = escape(row.name) + (row.size == nil ? "/" : "")
        return "<tr><td><a href=\"\(escape(row.reference))\"><bdi>\(name)</bdi></a>\(size)"
            + "<td><time datetime=\"\(day)T\(clock)Z\">\(day) \(clock) UTC</time>"
    }

    /// For text and quoted attributes. Control characters, which could change how a line looks, become U+FFFD.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case _ where scalar.properties.generalCategory == .control: escaped += "\u{FFFD}"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Nothing but the inline style and script, identified by their digests, and requests to this server.
    static let policy: String = {
        func source(_ text: String) -> String {
            "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
        }
        return [
            "default-src 'none'", "style-src \(source(style))", "script-src \(source(script))", "connect-src 'self'",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }()

    /// Whether a client prefers HTML to JSON. Clients without a preference, such as curl, get JSON.
    static func isPreferred(by request: HTTPRequest) -> Bool {
        var qualities: [String: Double] = [:]
        for item in (request.headerFields[.accept] ?? "").split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            qualities[type] = max(quality, qualities[type] ?? 0)
        }
        let html = qualities["text/html"] ?? 0
        return html > 0 && html >= qualities["application/json"] ?? 0
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
