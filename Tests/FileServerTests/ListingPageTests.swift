// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing

@testable import FileServer

struct ListingPageTests {
    private static let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test(arguments: [
        ("text/html", true), ("text/html,application/xhtml+xml,*/*;q=0.8", true), ("*/*", false), (nil, false),
        ("application/json", false), ("application/json, text/html;q=0.5", false), ("text/html;q=0", false),
        ("text/*", false), ("TEXT/HTML ; q=0.4, application/json;q=0.3", true),
    ])
    func negotiation(accept: String?, isPage: Bool) {
        var fields: HTTPFields = [:]
        fields[.accept] = accept
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
        #expect(Page.isPreferred(by: request) == isPage)
    }

    @Test func namesAreEscaped() async throws {
        try await ServedFolder.with { (folder) async throws in
            for name in [
                "<img src=x onerror=alert(1)>", "a&\"'b", "写 真", "javascript:alert(1)", "a\u{202E}gnp", "x\ny",
            ] {
                try folder.write("sub/" + name, "12345")
            }
            let page = try await folder.curl("/sub/", "-H", Self.browser)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.headers["vary"] == "Accept, Accept-Language, Cookie")
            #expect(!page.text.contains("<img") && page.text.contains("&lt;img src=x onerror=alert(1)&gt;"))
            #expect(page.text.contains("<bdi>a&amp;&quot;&#39;b</bdi>"))
            #expect(page.text.contains("href=\"./%E5%86%99%20%E7%9C%9F\""))
            #expect(page.text.contains("href=\"./javascript%3Aalert%281%29\""))
            #expect(page.text.contains("a\u{FFFD}gnp") && page.text.contains("x\u{FFFD}y"))
            #expect(page.text.contains("<td title=\"5 bytes\">5B") && page.text.contains("<time datetime=\"20"))
            #expect(
                page.text.contains("<h1><a href=\"../\"><bdi>Files</bdi></a> / <bdi aria-current=\"page\">sub</bdi>"))
            let json = try await folder.curl("/sub/", "-H", "Accept: application/json")
            #expect(json.headers["content-type"] == "application/json" && json.headers["vary"] == "Accept")
            #expect(try await folder.curl("/sub/").headers["content-type"] == "application/json")
        }
    }

    /// A wrong digest would disable the page, a missing directive open it.
    @Test func thePolicyAllowsThePageAndNothingElse() async throws {
        try await ServedFolder.with { (folder) async throws in
            for path in ["/", "/files"] {
                let page = try await folder.curl(path, "-H", Self.browser)
                let policy = try #require(page.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe") && !policy.contains("*"))
                for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
                    let content = try #require(
                        page.text.components(separatedBy: "<\(element)>").last?.components(separatedBy: "</\(element)>")
                            .first)
                    let file = folder.scratch.appendingPathComponent(UUID().uuidString)
                    try Data(content.utf8).write(to: file)
                    let digest = folder.scratch.appendingPathComponent(UUID().uuidString)
                    let exit = try await runProgram(
                        "sh", ["-c", "openssl dgst -sha256 -binary '\(file.path)' | base64"], log: digest)
                    #expect(exit == 0)
                    let text = try String(contentsOf: digest, encoding: .utf8).trimmingCharacters(in: .newlines)
                    #expect(policy.contains("\(directive) 'sha256-\(text)'"))
                }
                #expect(!page.text.contains("http://") && !page.text.contains("https://"))
                #expect(page.text.components(separatedBy: "<script").count == 2)
            }
        }
    }

    /// Whatever the language, and without a row.
    @Test func thePageIsSmall() async throws {
        try await ServedFolder.with { (folder) async throws in
            for language in PageLanguage.allCases {
                let page = try await folder.curl(
                    "/", "-H", Self.browser, "-H", "Accept-Language: \(language.rawValue)")
                #expect(page.text.contains("<html lang=\"\(language.rawValue)\">"))
                #expect(page.body.count < 40_000)
            }
        }
    }

    /// Each word of the script is one of the page, with as many blanks in each language.
    @Test func wordsAreThoseOfTheScript() throws {
        let known = Set(PageWord.allCases.map(\.rawValue))
        let direct = ListingPage.script.matches(of: /words\.(\w+)/).map { String($0.1) }
        let said = ListingPage.script.matches(of: /say\('(\w+)'/).map { String($0.1) }
        #expect(Set(direct + said).isSubset(of: known) && direct.count > 5 && said.count > 2)
        for word in PageWord.allCases {
            let texts = PageLanguage.allCases.map { $0[word] }
            #expect(Set(texts.map { $0.components(separatedBy: "{}").count }).count == 1, "\(word)")
            #expect(texts.allSatisfy { !$0.isEmpty && Page.escape($0) == $0 }, "\(word)")
        }
    }

    @Test func foldersComeFirstAndHaveArchives() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("a", "1")
            try folder.write("b/x", "1")
            let page = try await folder.curl("/", "-H", Self.browser)
            let rows = page.text.components(separatedBy: "<tr><td>").dropFirst()
            #expect(rows.count == 2 && rows.first?.contains("<a href=\"./b/?zip\" download") == true)
            #expect(rows.last?.contains("?zip") == false && page.text.contains("<a href=\"./?zip\" download>"))
            #expect(!page.text.contains("class=\"delete\"") && !page.text.contains("logout"))
        }
    }

    @Test(arguments: ["multipart/form-data; boundary=x", "Multipart/Mixed"])
    func formsAreRefused(type: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            for path in ["/upload", "/", "/files"] {
                let answer = try await folder.curl(
                    path, "-b", "fileuploadSID=\(sid)", "-H", "Content-Type: \(type)", "--data-binary", "--x--")
                #expect(answer.status == 415)
                #expect(answer.text.contains("application/octet-stream"))
            }
            #expect(try folder.tree().isEmpty)
        }
    }
}
