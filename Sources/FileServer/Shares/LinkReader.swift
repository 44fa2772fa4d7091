// SPDX-License-Identifier: MIT

import HTTPTypes

/// The choice between file and page for a link. Programs that people download with get the file. All other requests
/// get a page first where downloads are counted: chats fetch each link that they show, and name no type that they
/// prefer.
enum LinkReader {
    /// The beginnings of `User-Agent`.
    private static let programs = ["fileq/", "curl/", "Wget/", "Wget2/", "aria2/", "HTTPie/", "rclone/", "lftp/"]

    /// Whether a request for a link without the name of its file gets the page.
    static func wantsPage(of share: Share, _ request: HTTPRequest) -> Bool {
        if Page.isPreferred(by: request) { return true }
        let fields = request.headerFields
        // A preview knows no password.
        guard share.downloads != nil, fields[.authorization] == nil else { return false }
        let agent = fields[.userAgent] ?? ""
        return !programs.contains { agent.hasPrefix($0) }
    }
}
