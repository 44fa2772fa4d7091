// SPDX-License-Identifier: MIT

import TransferModel

/// The page of a link for browsers: plain HTML, without script.
struct SharePage {
    let share: Share

    let language: PageLanguage

    func answer() -> Answer {
        let name = Page.escape(share.name)
        let reference = Page.escape("\(share.id)/\(PercentCoding.encode(share.name))")
        var rows = ["<dt>Size<dd title=\"\(share.size) bytes\">\(Page.size(share.size))"]
        if let expires = share.expires { rows.append("<dt>Until<dd>\(Page.time(Int64(expires)))") }
        if let left = share.downloadsLeft { rows.append("<dt>Downloads left<dd>\(left)") }
        return Page(
            title: share.name, language: language,
            body: [
                "<main class=\"narrow\"><h1><bdi>\(name)</bdi></h1>", "<dl>\(rows.joined())</dl>",
                "<p><a id=\"download\" class=\"main\" href=\"\(reference)\">Download</a></p></main>",
            ]
        ).answer(cache: "no-store")
    }
}
