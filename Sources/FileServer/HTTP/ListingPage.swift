// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// A listing for browsers: names, sizes, dates, and uploads with tus. Without its script it still lists, and leads to
/// files, folders and their archives.
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

    /// The person who gets the page.
    struct Reader: Sendable {
        var language: PageLanguage
        /// By ``LoginPage``.
        var hasLogin: Bool
    }

    var reader: Reader
    /// The names of the folders from the top to this one, as they are; escaped here.
    var folders: [String]
    /// Whether it is a folder, in which there may be others, and not the list of FileQ uploads.
    var isFolder: Bool
    var canDelete: Bool
    var rows: [Row]
    /// The folder has more entries than rows.
    var isTruncated = false
    /// A reference to the following rows, if there are any.
    var next: String?

    private static let pageScript = Page.Script(script)

    private var language: PageLanguage { reader.language }

    func answer() -> Answer {
        let title = folders.last ?? language[isFolder ? .top : .uploads]
        return Page(title: title, language: language, body: [header, main], script: Self.pageScript).answer()
    }

    private var header: String {
        let names = [language[.top]] + folders.map { Page.escape($0) }
        let steps = names.enumerated().map { index, name in
            let above = names.count - 1 - index
            guard above > 0 else { return "<bdi aria-current=\"page\">\(name)</bdi>" }
            return "<a href=\"\(String(repeating: "../", count: above))\"><bdi>\(name)</bdi></a>"
        }
        let path = isFolder ? steps.joined(separator: " / ") : "<a href=\"/\">\(names[0])</a> / \(language[.uploads])"
        let logOut =
            reader.hasLogin
            ? "<form method=\"post\"><button name=\"logout\" value=\"1\">\(language[.logOut])</button></form>" : ""
        return "<header><nav aria-label=\"\(language[.folder])\"><h1>\(path)</h1></nav>\(logOut)</header>"
    }

    /// Elements that need the script are hidden until it runs.
    private var main: String {
        var lines = [
            "<main data-folder=\"\(isFolder ? "1" : "")\"\(language.wordsAttribute)>",
            "<section id=\"drop\" aria-label=\"\(language[.uploads])\" hidden><p>\(language[.drop])</p><p>",
            "<label class=\"main\">\(language[.chooseFiles])<input type=\"file\" id=\"choose\" multiple></label>",
        ]
        if isFolder {
            lines += [
                "<label class=\"main\">\(language[.chooseFolder])"
                    + "<input type=\"file\" id=\"choose-folder\" webkitdirectory></label>"
            ]
        }
        lines += [
            "</p></section>", "<noscript><p>\(language[.needsScript])</p></noscript>",
            "<p id=\"status\" role=\"status\"></p>", "<p id=\"all\" hidden></p>",
            "<ul id=\"uploads\" aria-label=\"\(language[.uploads])\"></ul>",
        ]
        if isFolder {
            lines.append(
                "<p class=\"tools\"><button type=\"button\" id=\"make\" hidden>\(language[.newFolder])</button> "
                    + "<a href=\"./?zip\" download>\(language[.zip])</a></p>")
        }
        lines += ["<div id=\"list\">"] + table + ["</div></main>"]
        return lines.joined(separator: "\n")
    }

    private var table: [String] {
        guard !rows.isEmpty else { return ["<p>\(language[.empty])</p>"] }
        let heads = [PageWord.name, .size, .modified].map { "<th scope=\"col\" data-sort>\(language[$0])" }
        var lines = [
            "<table><thead><tr>\(heads.joined())<th><span class=\"unseen\">\(language[.actions])</span></thead>",
            "<tbody>",
        ]
        lines += rows.map(row)
        lines.append("</tbody></table>")
        if isTruncated { lines.append("<p>\(filled(.truncated, "\(rows.count)"))</p>") }
        if let next { lines.append("<p><a id=\"next\" href=\"\(Page.escape(next))\">\(language[.more])</a></p>") }
        return lines
    }

    private func row(_ row: Row) -> String {
        let size = row.size.map { "<td title=\"\($0) bytes\">\(Page.size($0))" } ?? "<td>"
        let (plain, reference) = (Page.escape(row.name), Page.escape(row.reference))
        let zip =
            row.size == nil
            ? "<a href=\"\(reference)?zip\" download aria-label=\"\(filled(.zipOf, plain))\">.zip</a> " : ""
        let delete =
            canDelete
            ? "<button type=\"button\" class=\"delete\" aria-label=\"\(filled(.delete, plain))\" hidden>✕</button>" : ""
        return "<tr><td><a href=\"\(reference)\"><bdi>\(plain)\(row.size == nil ? "/" : "")</bdi></a>\(size)"
            + "<td>\(Page.time(row.modified))<td>\(zip)\(delete)"
    }

    private func filled(_ word: PageWord, _ value: String) -> String {
        language[word].split(separator: "{}", omittingEmptySubsequences: false).joined(separator: value)
    }
}
