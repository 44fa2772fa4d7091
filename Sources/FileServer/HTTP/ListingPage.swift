// SPDX-License-Identifier: MIT

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

    /// Who gets the page.
    struct Reader: Sendable {
        var language: PageLanguage
        /// By ``LoginPage``.
        var hasLogin: Bool
    }

    var reader: Reader
    /// As it is; escaped here.
    var title: String
    /// `nil` for the top.
    var parent: String?
    var rows: [Row]
    /// The folder has more entries than rows.
    var isTruncated = false
    /// A reference to the following rows, if there are any.
    var next: String?

    func answer() -> Answer { Page(title: title, language: reader.language, body: body, script: Self.script).answer() }

    private var body: [String] {
        var lines = ["<header><h1><bdi>\(Page.escape(title))</bdi></h1>"]
        let language = reader.language
        if reader.hasLogin {
            lines.append(
                "<form method=\"post\"><button name=\"logout\" value=\"1\">\(language[.logOut])</button></form>")
        }
        lines += [
            "</header>",
            "<p id=\"drop\"><label>Drop files here, or <input type=\"file\" id=\"choose\" multiple></label></p>",
            "<noscript><p>Uploads from this page need JavaScript. PUT stores a file without it.</p></noscript>",
            "<ul id=\"uploads\" aria-live=\"polite\"></ul>", "<table>",
            "<thead><tr><th scope=\"col\">Name<th scope=\"col\">Size<th scope=\"col\">Modified</thead>", "<tbody>",
        ]
        if let parent { lines.append("<tr><td><a href=\"\(Page.escape(parent))\">../</a><td><td>") }
        lines += rows.map(Self.row)
        lines += ["</tbody>", "</table>"]
        if rows.isEmpty { lines.append("<p>Empty.</p>") }
        if isTruncated { lines.append("<p>There are more than \(rows.count) entries.</p>") }
        if let next { lines.append("<p><a id=\"next\" href=\"\(Page.escape(next))\">More</a></p>") }
        return lines
    }

    private static func row(_ row: Row) -> String {
        let size = row.size.map { "<td title=\"\($0) bytes\">\(Page.size($0))" } ?? "<td>"
        let name = Page.escape(row.name) + (row.size == nil ? "/" : "")
        return "<tr><td><a href=\"\(Page.escape(row.reference))\"><bdi>\(name)</bdi></a>\(size)"
            + "<td>\(Page.time(row.modified))"
    }
}
