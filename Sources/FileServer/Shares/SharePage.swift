// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The page of a link for browsers: plain HTML, without script. No request for it counts as a download.
struct SharePage {
    let share: Share
    let language: PageLanguage
    /// The value of `key` in the address; it is right if it is that of the link's maker.
    let key: String?

    /// Only the question for the password: neither name nor size.
    func locked(becauseWrong isWrong: Bool = false) -> Answer {
        page(
            title: language[.sharedFile], isWrong ? .forbidden : .ok,
            [
                isWrong ? "<p role=\"alert\">\(language[.wrongPassword])</p>" : "", "<form method=\"post\">",
                "<label for=\"password\">\(language[.password])</label>",
                "<input id=\"password\" name=\"password\" type=\"password\" required autofocus>",
                "<button class=\"main\">\(language[.open])</button></form>",
            ])
    }

    /// - Parameter ticket: proof that the password was given.
    func open(ticket: String?) -> Answer {
        var rows =
            share.isFolder
            ? ["<dt>\(language[.kind])<dd>\(language[.zippedFolder])"]
            : ["<dt>\(language[.size])<dd title=\"\(share.size) bytes\">\(Page.size(share.size))"]
        if let expires = share.expires { rows.append("<dt>\(language[.until])<dd>\(Page.time(Int64(expires)))") }
        if let left = share.downloadsLeft { rows.append("<dt>\(language[.downloadsLeft])<dd>\(left)") }
        let download: String
        if share.downloads == nil, ticket == nil {
            let reference = Page.escape("\(share.id)/\(PercentCoding.encode(share.name))")
            download = "<p><a id=\"download\" class=\"main\" href=\"\(reference)\">\(language[.download])</a></p>"
        } else {
            // A program that only follows links, such as a preview, starts no download.
            download = form(
                "<button id=\"download\" class=\"main\" name=\"download\" value=\"1\">\(language[.download])</button>",
                ticket.map { ("ticket", $0) })
        }
        var end = ""
        if let key, share.isRemoved(by: key) {
            end = form(
                "<button name=\"delete\" value=\"1\">\(language[.deleteLink])</button>", ("key", key))
        }
        return page(title: share.name, .ok, ["<dl>\(rows.joined())</dl>", download, end])
    }

    func removed() -> Answer { page(title: language[.linkDeleted], .ok, []) }

    private func form(_ button: String, _ hidden: (name: String, value: String)?) -> String {
        let field = hidden.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(Page.escape(value))\">"
        }
        return "<form method=\"post\">\(field ?? "")\(button)</form>"
    }

    private func page(title: String, _ status: HTTPResponse.Status, _ lines: [String]) -> Answer {
        Page(
            title: title, language: language,
            body: ["<main class=\"narrow\"><h1><bdi>\(Page.escape(title))</bdi></h1>"] + lines + ["</main>"]
        ).answer(status, cache: "no-store")
    }
}
