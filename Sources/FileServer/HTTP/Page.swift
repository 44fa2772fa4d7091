// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import HTTPTypes
import TransferModel

/// The frame of the pages for browsers. Style and script are in the page, which loads nothing.
struct Page {
    /// As it is; escaped here.
    var title: String
    var language: PageLanguage
    /// HTML.
    var body: [String]
    var script: Script?

    /// With its source for `Content-Security-Policy`, since its digest takes longer than the rest of a page.
    struct Script {
        let text: String
        fileprivate let source: String

        init(_ text: String) { (self.text, source) = (text, Page.source(text)) }
    }

    /// - Parameter cache: `Cache-Control`.
    func answer(_ status: HTTPResponse.Status = .ok, cache: String = "private, no-cache") -> Answer {
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"\(language.rawValue)\">", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width\">", "<meta name=\"robots\" content=\"noindex\">",
            "<title>\(Self.escape(title))</title>", "<style>\(Self.style)</style>",
        ]
        lines += body
        if let script { lines.append("<script>\(script.text)</script>") }
        return Answer(
            status,
            headers: [
                .cacheControl: cache, .vary: "Accept, Accept-Language, Cookie",
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy(script),
                // With none at all, browsers would send the page's own forms as from an unknown origin.
                .referrerPolicy: "same-origin",
            ], body: .bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
    }

    /// Nothing but the inline style and script, identified by their digests, and requests to this server.
    private static func policy(_ script: Script?) -> String {
        ["default-src 'none'", styleSource, script.map { "script-src \($0.source); connect-src 'self'" }]
            .compactMap(\.self).joined(separator: "; ")
            + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private static func source(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }

    private static let styleSource = "style-src \(source(style))"

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

    /// The page's script shows it in the time zone of the browser.
    static func time(_ seconds: Int64) -> String {
        let (day, clock) = (CompactTime.day(seconds), CompactTime.stamp(seconds).suffix(8))
        return "<time datetime=\"\(day)T\(clock)Z\">\(day) \(clock) UTC</time>"
    }

    static func size(_ bytes: Int64) -> String { ByteCount.short(Double(bytes)) }

    /// Whether a client prefers HTML to JSON. Clients without a preference, such as curl, get JSON.
    static func isPreferred(by request: HTTPRequest) -> Bool {
        let qualities = qualities(request.headerFields[.accept])
        let html = qualities["text/html"] ?? 0
        return html > 0 && html >= qualities["application/json"] ?? 0
    }

    /// The members of `Accept` or `Accept-Language`, in lower case (RFC 9110, section 12.4.2).
    static func qualities(_ field: String?) -> [String: Double] {
        var qualities: [String: Double] = [:]
        for item in (field ?? "").split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            qualities[type] = max(quality, qualities[type] ?? 0)
        }
        return qualities
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
