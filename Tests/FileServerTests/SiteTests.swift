// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// Requests that pages of other sites may cause a browser to send.
struct SiteTests {
    @Test func refusesForeignHostsOnLoopback() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.names = ["Files.Example.org"] }) {
            (folder) async throws in
            try folder.write("x", "inside")
            for host in [
                "attacker.example", "attacker.example:8080", "localhost.attacker.example", "127.0.0.1.attacker.example",
            ] {
                let response = try await folder.curl("/x", "-H", "Host: \(host)")
                #expect(response.status == 421, "\(host)")
                #expect(!response.text.contains("inside"))
                #expect(try await folder.put("/new", "bytes", "-H", "Host: \(host)").status == 421)
            }
            for host in [
                "localhost", "LOCALHOST:1", "a.localhost", "127.0.0.1", "10.1.2.3", "[::1]:80", "files.example.org",
                "files.example.org.:1",
            ] {
                #expect(try await folder.curl("/x", "-H", "Host: \(host)").text == "inside", "\(host)")
            }
            for host in ["a b", "x/y", "[::1", "localhost:http", "localhost:99999", "user@localhost"] {
                #expect(try await folder.curl("/x", "-H", "Host: \(host)").status == 400, "\(host)")
            }
            #expect(try folder.tree() == ["x"])
        }
    }

    @Test func acceptsEveryHostForOtherMachinesUnlessNamed() async throws {
        for (names, status) in [([], 200), (["files.example.org"], 421)] {
            try await ServedFolder.with({ configuration, _ in
                configuration.host = "0.0.0.0"
                configuration.names = names
            }) { (folder) async throws in
                try folder.write("x", "inside")
                #expect(try await folder.curl("/x", "-H", "Host: nas.example").status == status)
                #expect(try await folder.curl("/x").status == 200)
            }
        }
    }

    @Test(arguments: ["", "Host: localhost\r\nHost: localhost\r\n", "Host:\r\n"])
    func aRequestHasOneHost(fields: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET /x HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
            #expect(await raw.receive().hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func http10NeedsNoHost() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET /x HTTP/1.0\r\nConnection: close\r\n\r\n")
            #expect(await raw.receive().hasSuffix("inside"))
        }
    }

    /// RFC 9112, section 3.2.2: `Host` counts only where the target has no host.
    @Test(arguments: [
        ("http://localhost/x", "Host: attacker.example\r\n", "1.1", 200),
        ("HTTP://127.0.0.1:1/x?y", "Host: attacker.example\r\n", "1.1", 200),
        ("http://localhost/x", "", "1.0", 200), ("http://attacker.example/x", "Host: localhost\r\n", "1.1", 421),
        ("http://attacker.example/x", "", "1.0", 421), ("http://user@localhost/x", "Host: localhost\r\n", "1.1", 400),
        ("http:///x", "Host: localhost\r\n", "1.1", 400), ("http://localhost/x", "", "1.1", 400),
        ("http://localhost/x", "Host: localhost\r\nHost: localhost\r\n", "1.1", 400),
    ])
    func theHostOfTheTargetCounts(target: String, fields: String, version: String, status: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET \(target) HTTP/\(version)\r\n\(fields)Connection: close\r\n\r\n")
            let response = await raw.receive()
            #expect(response.dropFirst("HTTP/1.1".count).hasPrefix(" \(status)"), "\(response)")
            #expect(response.hasSuffix("inside") == (status == 200))
        }
    }

    /// The site of a page is compared with it, too.
    @Test(arguments: [("http://attacker.example", 403), ("http://nas.example", 201)])
    func theHostOfTheTargetIsTheSite(origin: String, status: Int) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.host = "0.0.0.0" }) { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PUT http://nas.example/new HTTP/1.1\r\nHost: attacker.example\r\nOrigin: \(origin)\r\n"
                    + "Content-Length: 3\r\nConnection: close\r\n\r\none")
            let response = await raw.receive()
            #expect(response.hasPrefix("HTTP/1.1 \(status)"), "\(response)")
            #expect(try folder.tree() == (status == 201 ? ["new"] : []))
        }
    }

    @Test func refusesChangesFromOtherSites() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "old")
            let sid = try await folder.issueSID()
            for origin in [
                "http://attacker.example", "https://127.0.0.1.attacker.example", "null", "http://127.0.0.1:1",
                "file://",
            ] {
                let field = "Origin: \(origin)"
                #expect(try await folder.put("/x", "new", "-H", field).status == 403)
                #expect(try await folder.curl("/session", "-X", "POST", "-H", field).status == 403)
                #expect(
                    try await folder.put("/upload", "new", "-X", "POST", "-b", "fileuploadSID=\(sid)", "-H", field)
                        .status == 403)
                #expect(try await folder.curl("/files/a/b", "-X", "DELETE", "-H", field).status == 403)
                // Without permission in the response, a browser keeps it from the page.
                let response = try await folder.curl("/x", "-H", field)
                #expect(response.status == 200 && response.headers["access-control-allow-origin"] == nil)
            }
            #expect(try folder.content("x") == "old")
            #expect(try await folder.put("/x", "new", "-H", "Origin: \(folder.server.url)").status == 204)
            #expect(
                try await folder.put("/x", "newer", "-H", "Host: localhost", "-H", "Origin: https://LOCALHOST:444")
                    .status == 403)
            #expect(
                try await folder.put("/x", "newer", "-H", "Host: localhost", "-H", "Origin: https://localhost").status
                    == 204)
        }
    }

    /// What browsers state about requests of pages of other sites.
    @Test(arguments: [
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], 403),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"], 403), (["Sec-Fetch-Site: cross-site"], 403),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 200), ([], 200),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 200),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], 403),
        (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"], 200),
        (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"], 200),
        (["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"], 200),
    ])
    func otherSitesLoadNoFiles(fields: [String], status: Int) async throws {
        for own in [[], ["-H", "Authorization: Bearer secret"], ["-u", "any:secret"]] {
            try await ServedFolder.with({ configuration, _ in
                configuration.token = own.isEmpty ? nil : "secret"
            }) { (folder) async throws in
                try folder.write("x", "inside")
                let more = fields.flatMap { ["-H", $0] }
                let made = try await folder.curl("/files/share", own + ["-X", "POST", "-H", "Share-Target: /x"])
                let link = try #require(made.headers["location"])
                for path in ["/x", "/", "/files", "/missing"] {
                    let found = path == "/missing" ? 404 : 200
                    // No browser adds a bearer token of its own accord.
                    let expected = status == 403 && own.first != "-H" ? 403 : found
                    let response = try await folder.curl(path, own + more)
                    #expect(response.status == expected, "\(path)")
                    #expect(response.headers["cross-origin-resource-policy"] == "same-origin")
                }
                // A link is for everyone who has it.
                #expect(try await folder.curl(link, more).text == "inside")
            }
        }
    }

    /// Browsers play them in a page of their own, which is of this site.
    @Test(
        arguments: [("x.mp4", nil), ("x.mp3", nil), ("x.svg", "sandbox"), ("x.mp4.html", "sandbox"), ("x", "sandbox")]
            as [(String, String?)])
    func soundAndVideoAreOfThisSite(name: String, policy: String?) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write(name, "<script>")
            let response = try await folder.curl("/" + name)
            #expect(response.headers["content-security-policy"] == policy)
            #expect(response.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test func filesRunNoScripts() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x.html", "<script>")
            for arguments in [[], ["-I"], ["-r", "0-1"]] {
                let response = try await folder.curl("/x.html", arguments)
                #expect(response.headers["content-security-policy"] == "sandbox")
                #expect(response.headers["x-content-type-options"] == "nosniff")
            }
        }
    }

    @Test func listsHiddenFilesOnRequest() async throws {
        for listsHidden in [false, true] {
            try await ServedFolder.with({ configuration, _ in configuration.listsHidden = listsHidden }) {
                (folder) async throws in
                try folder.write(".hidden", "inside")
                try folder.write("folder/.git/config", "inside")
                try folder.write("folder/x", "")
                for path in ["/", "/folder/"] {
                    let listing = try await folder.curl(path).text
                    let showsHidden = listing.contains("\".hidden\"") || listing.contains("\".git\"")
                    #expect(showsHidden == listsHidden)
                    #expect(!listing.contains(".fileq-server"))
                }
                #expect(try await folder.curl("/.hidden").text == "inside")
            }
        }
    }
}
