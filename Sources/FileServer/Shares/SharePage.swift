// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import HTTPTypes
import TransferModel

/// The page of a link for browsers: plain HTML, without script.
struct SharePage {
    let share: Share

    func answer() -> Answer {
        Answer(
            .ok,
            headers: [
                .cacheControl: "no-store", .vary: "Accept", .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: Self.policy, .referrerPolicy: "no-referrer",
            ], body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        let name = ListingPage.escape(share.name)
        let reference = ListingPage.escape("\(share.id)/\(PercentCoding.encode(share.name))")
        var rows = ["<dt>Size<dd title=\"\(share.size) bytes\">\(ByteCount.short(Double(share.size)))"]
        if let expires = share.expires {
            let (day, clock) = (CompactTime.day(Int64(expires)), CompactTime.stamp(Int64(expires)).suffix(8))
            rows.append("<dt>Until<dd><time datetime=\"\(day)T\(clock)Z\">\(day) \(clock) UTC</time>")
        }
        if let left = share.downloadsLeft { rows.append("<dt>Downloads left<dd>\(left)") }
        return [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width\">", "<meta name=\"robots\" content=\"noindex\">",
            "<title>\(name)</title>", "<style>\(Self.style)</style>", "<h1><bdi>\(name)</bdi></h1>",
            "<dl>\(rows.joined())</dl>", "<p><a id=\"download\" href=\"\(reference)\">Download</a></p>",
        ].joined(separator: "\n") + "\n"
    }

    private static let style = """
        :root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif }
        body { max-width: 40rem; margin: 1rem auto; padding: 0 1rem }
        h1 { font-size: 1.2rem; overflow-wrap: anywhere }
        dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem }
        dd { margin: 0 }
        #download { display: inline-block; padding: .5rem 1.5rem; border: 2px solid; border-radius: .5rem }
        """

    static let policy: String = {
        let digest = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; form-action 'none'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }()
}
