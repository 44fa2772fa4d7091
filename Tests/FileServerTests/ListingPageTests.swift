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
            #expect(page.headers["content-type"] == "text/html; charset=utf-8" && page.headers["vary"]?.hasPrefix("Accept, ") == true)
            #expect(!page.text.contains("<img") && page.text.contains("&lt;img src=x onerror=alert(1)&gt;"))
            #expect(page.text.contains("<bdi>a&amp;&quot;&#39;b</bdi>"))
            #expect(page.text.contains("href=\"./%E5%86%99%20%E7%9C%9F\""))
            #expect(page.text.contains("href=\"./javascript%3Aalert%281%29\""))
            #expect(page.text.contains("a\u{FFFD}gnp") && page.text.contains("x\u{FFFD}y"))
            #expect(page.text.contains("<td title=\"5 bytes\">5B") && page.text.contains("<time datetime=\"20"))
            #expect(page.text.contains("<a href=\"../\">../</a>"))
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
