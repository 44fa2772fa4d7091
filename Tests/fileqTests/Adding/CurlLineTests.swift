// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import HTTPTypes
import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct CurlLineTests {
    private func read(_ text: String) throws -> CurlLine { try CurlLine(try ShellLine.split(text)) }

    private func expected(_ change: (inout CurlLine) -> Void) throws -> CurlLine {
        var line = try CurlLine(["http://h/"])
        line.urls = []
        change(&line)
        return line
    }

    @Test(arguments: examples) func parsesLines(_ example: Example) throws {
        #expect(try read(example.text) == expected(example.change))
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let change: @Sendable (inout CurlLine) -> Void
        var testDescription: String { text }

        init(_ text: String, change: @escaping @Sendable (inout CurlLine) -> Void) {
            self.text = text
            self.change = change
        }
    }

    /// Lines as documentation and people write them.
    private static let examples = [
        Example("curl -LO https://h/a.tar.gz") {
            $0.urls = ["https://h/a.tar.gz"]
            $0.outputs = [.remoteName]
        },
        Example("$ curl -fsSL https://h/x -o /tmp/x.sh") {
            $0.urls = ["https://h/x"]
            $0.outputs = [.file("/tmp/x.sh")]
        },
        Example("curl --proto '=https' --tlsv1.2 -sSf https://sh.example.org") {
            $0.urls = ["https://sh.example.org"]
            $0.protocols = ["https"]
        },
        Example("curl --create-dirs --max-redirs 0 --proto -all,https --proto-redir =https -o a/b https://h/a") {
            $0.urls = ["https://h/a"]
            $0.outputs = [.file("a/b")]
            $0.makesFolders = true
            $0.maximumRedirects = 0
            $0.protocols = ["https"]
            $0.redirectProtocols = ["https"]
        },
        Example("curl -k http://h/a") {
            $0.urls = ["http://h/a"]
            $0.isInsecure = true
        },
        Example("curl -G -d 'a=1' --data-urlencode 'b=x y&z' 'https://h/a?c=2#f'") {
            $0.urls = ["https://h/a?c=2&a=1&b=x%20y%26z#f"]
            $0.data.isQuery = true
            try? $0.data.add("a=1", "data")
            try? $0.data.add("b=x y&z", "data-urlencode")
        },
        Example("/usr/bin/curl -ofile h/a") {
            $0.urls = ["http://h/a"]
            $0.outputs = [.file("file")]
        },
        Example("curl -O h/a -O h/b") {
            $0.urls = ["http://h/a", "http://h/b"]
            $0.outputs = [.remoteName, .remoteName]
        },
        Example("curl -JLO --output-dir /tmp --url https://h/a") {
            $0.urls = ["https://h/a"]
            $0.outputs = [.remoteName]
            $0.takesServerName = true
            $0.outputFolder = "/tmp"
        },
        Example("curl --remote-name-all https://h/a https://h/b") {
            $0.urls = ["https://h/a", "https://h/b"]
            $0.namesAllByURL = true
        },
        Example("curl -u me:secret -T report.pdf https://h/inbox/") {
            $0.urls = ["https://h/inbox/"]
            $0.uploads = ["report.pdf"]
            $0.user = "me:secret"
        },
        Example("curl -X POST -T - https://h/x") {
            $0.urls = ["https://h/x"]
            $0.uploads = ["-"]
            $0.method = "POST"
        },
        Example("curl -A 'Mozilla/5.0 (X11)' -e 'https://h/;auto' https://h/a") {
            $0.urls = ["https://h/a"]
            $0.headers = ["User-Agent: Mozilla/5.0 (X11)", "Referer: https://h/"]
        },
        Example("curl -b 'a=1; b=2' -b jar.txt -c jar.txt https://h/a") {
            $0.urls = ["https://h/a"]
            $0.cookies = ["a=1", "b=2"]
            $0.cookieJar = "jar.txt"
        },
        Example("curl --limit-rate 500K --connect-timeout 2.5 -m 60 --retry 3 -C - https://h/a") {
            $0.urls = ["https://h/a"]
            $0.limit = "500K"
            $0.connectTimeout = 2.5
            $0.maximumTime = 60
            $0.retries = 3
        },
        Example(
            "curl --cacert ca.pem -E me.pem:pass --key me.key --pinnedpubkey 'sha256//A=;sha256//B=' https://h:443/a"
        ) {
            $0.urls = ["https://h:443/a"]
            $0.authorities = "ca.pem"
            $0.certificate = "me.pem"
            $0.passphrase = "pass"
            $0.key = "me.key"
            $0.pins = ["sha256//A=", "sha256//B="]
        },
        Example(#"curl -E 'c\:\\me.pem' --pass x https://h/"#) {
            $0.urls = ["https://h/"]
            $0.certificate = #"c:\me.pem"#
            $0.passphrase = "x"
        },
        Example("curl --http1.1 --interface eth0 https://h/") {
            $0.urls = ["https://h/"]
            $0.httpVersion = "1.1"
            $0.interface = "eth0"
        },
        Example("curl --http3 --interface if!eth0 --clobber https://h/") {
            $0.urls = ["https://h/"]
            $0.httpVersion = "3"
            $0.interface = "eth0"
            $0.overwrites = true
        },
        Example(#"curl 'https://h/a\[1\]?x=\{y\}'"#) { $0.urls = ["https://h/a[1]?x={y}"] },
        Example("curl --globoff 'https://h/a[1]'") {
            $0.urls = ["https://h/a[1]"]
            $0.isLiteral = true
        },
        Example("curl 'http://[::1]:8080/a'") { $0.urls = ["http://[::1]:8080/a"] },
        Example("curl -H 'X-Empty;' -H 'X-None:' -H @headers --oauth2-bearer T https://h/") {
            $0.urls = ["https://h/"]
            $0.headers = ["X-Empty:", "@headers", "Authorization: Bearer T"]
            $0.notes = ["the header x-none is ignored: fileq sets it"]
        },
        Example("curl --no-progress-meter -4 --compressed -- -odd") {
            $0.urls = ["http://-odd"]
            $0.notes = [
                "curl's -4 is ignored: fileq uses both IPv4 and IPv6",
                "curl's --compressed is ignored: fileq transfers files unchanged",
            ]
        },
        Example("curl -n -s -S -f -# -v -g -R -N https://h/") {
            $0.urls = ["https://h/"]
            $0.isLiteral = true
        },
    ]

    /// As Chromium copies it.
    @Test func parsesALineOfChromium() throws {
        let line = try read(
            #"""
            curl 'https://dl.example.org/file.php?id=1&t=a%20b' \
              -H 'accept: text/html,application/xhtml+xml,*/*;q=0.8' \
              -H 'accept-language: de-DE,de;q=0.9' \
              -b 'SID=abc; theme=dark; _ga=GA1.1.1' \
              -H 'if-none-match: "x"' \
              -H 'priority: u=0, i' \
              -H $'sec-ch-ua: "Not\u0021A" ;v="8"' \
              -H 'user-agent: Mozilla/5.0' \
              --compressed
            """#)
        #expect(line.urls == ["https://dl.example.org/file.php?id=1&t=a%20b"])
        #expect(line.cookies == ["SID=abc", "theme=dark", "_ga=GA1.1.1"])
        #expect(
            line.headers == [
                "accept: text/html,application/xhtml+xml,*/*;q=0.8", "accept-language: de-DE,de;q=0.9",
                "priority: u=0, i",
                #"sec-ch-ua: "Not!A" ;v="8""#, "user-agent: Mozilla/5.0",
            ])
        #expect(line.notes.count == 2)
    }

    /// As Firefox copies it.
    @Test func parsesACookieHeader() throws {
        let line = try read(
            "curl 'https://h/v.mp4' -X GET -H 'Range: bytes=0-' -H 'Accept-Encoding: gzip' -H 'Cookie: a=b=c; "
                + "d=' -H 'Connection: keep-alive' -H 'TE: trailers'"
        )
        #expect(line.cookies == ["a=b=c", "d="])
        #expect(line.headers.isEmpty)
        #expect(line.method == "GET")
        #expect(line.notes.count == 4)
    }

    @Test(arguments: [
        ("curl", "no URL"), ("curl -L", "no URL"), ("curl -o", "-o needs a value"),
        ("curl --retry", "--retry needs a value"), ("curl --retry x h", "number"),
        ("curl --frobnicate h/a", "--frobnicate"), ("curl -Lé h/a", "-é"), ("curl -sk https://h/a", "fileq trust"),
        ("curl --insecure https://h/a", "fileq trust"),
        ("curl -d @/nonexistent h", "/nonexistent"), ("curl --data-binary @- h", "@-"), ("curl -d a=1 -T f h", "-T"),
        ("curl -F a=@b h", "fileq add put"),
        ("curl -o - h/a", "fileq get -o -"), ("curl --max-redirs x h", "number"),
        ("curl --proto =https http://h/a", "--proto"),
        ("curl --proto -http h/a", "forbids http"), ("curl --proto-redir =https http://h/a", "--proto-redir"),
        ("curl -k https://h:8443/a", "h:8443"),
        ("curl -I h", "-I"), ("curl a --next b", "--next"), ("curl -x http://p h", "http_proxy"),
        ("curl -z 2020-01-01 h", "-z"), ("curl -r 0-5 h", "complete files"),
        ("curl -H 'Range: bytes=5-9' h", "Range"), ("curl -C 100 h", "resumes automatically"),
        ("curl -X DELETE h", "-X DELETE"), ("curl 'h/{a,b}'", "-g"), ("curl 'h/[1-9]'", "-g"),
        ("curl -o a -o b h", "more files"), ("curl -K f h", "-K"), ("curl -b =x h", "no name"), ("curl -b - h", "-b -"),
        ("curl -c - h", "-c -"), ("curl -H novalue h", "NAME: VALUE"),
        ("curl --pinnedpubkey key.pem h", "sha256//"), ("curl -m 0 h", "-m"), ("curl --ntlm -u a:b h", "Basic"),
        ("curl --proto =ftp h", "--proto"), ("curl --tlsv1.3 h", "TLS"),
        ("curl --cert-type ENG h", "PEM"), ("curl --resolve h:1:2 h", "--resolve"),
    ])
    func rejectsUnsupportedOptionsByName(text: String, part: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func optionsAreFoundByNameAndLetter() {
        for name in ["output", "location", "data", "compressed"] { #expect(CurlOption.named(name) != nil) }
        #expect(CurlOption.named("no-output") == nil)
        #expect(CurlOption.named("no-sessionid") != nil)
        for letter in "AbcCdDeEfFgGHiIJkKLmnNoOqrRsSTuvwxXyYzZ#:0146" {
            #expect(CurlOption.named(letter) != nil, "\(letter)")
        }
    }
}

@Suite struct CurlPlanTests {
    @Test func plansTransfersOfALine() throws {
        let folder = try Folder()
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        let authorities = try folder.write("", to: "ca.pem")
        let plan = try addPlan([
            "curl", "-X", "POST", "-H", "A: b", "-b", "c=d", "-u", "me:secret", "--limit-rate", "2M",
            "--connect-timeout", "3", "-m", "9", "--retry", "2",
            "--cacert", authorities, "--pinnedpubkey", pin, "--http2", "--output-dir", folder.path, "-o", "x", "-O",
            "--clobber",
            "https://h/1", "https://h/a%20b", "https://h/3",
        ])
        #expect(
            plan.destinations == [
                .file(path: "\(folder.path)/x"), .file(path: "\(folder.path)/a b"),
                .folder(path: folder.path, name: "3"),
            ])
        let options = plan.descriptions[2].options
        #expect(options.method == .post)
        #expect(options.headers.map { "\($0.name.rawName): \($0.value)" } == ["A: b"])
        #expect(options.cookies == [try Cookie(name: "c", value: "d")])
        #expect(options.credential == Credential(user: "me", password: "secret"))
        #expect((options.rateLimit, options.retries) == (2_097_152, 2))
        #expect((options.connectTimeout, options.resourceTimeout) == (3, 9))
        #expect(options.certificateAuthorities == authorities && options.pins == [pin] && options.httpVersion == .http2)
        let download = try plan.descriptions[0].requireDownload()
        #expect(download.overwrites && !download.followsMetalink)
    }

    @Test func dataBecomesAPostBody() throws {
        func made(_ words: [String]) throws -> (options: TransferOptions, body: String?) {
            let plan = try addPlan(["curl"] + words + ["https://h/a"])
            let download = try plan.descriptions[0].requireDownload()
            return (plan.descriptions[0].options, download.body.map { String(decoding: $0, as: UTF8.self) })
        }
        let folder = try Folder()
        let file = try folder.write("x\r\ny\n", to: "f")
        let form = try made(["-d", "a=1", "--data-raw", "@b", "-d", "@\(file)", "--data-urlencode", "c=ü"])
        #expect(form.options.method == .post && form.body == "a=1&@b&xy&c=%C3%BC")
        #expect(
            form.options.headers.map { "\($0.name.rawName): \($0.value)" } == [
                "Content-Type: application/x-www-form-urlencoded"
            ])
        let json = try made(["--json", "{\"a\":", "--json", "1}", "-X", "PUT"])
        #expect(json.options.method == .put && json.body == "{\"a\":1}")
        #expect(json.options.headers.map(\.value) == ["application/json", "application/json"])
        #expect(try made(["--data-binary", "@\(file)", "-H", "Content-Type: text/plain"]).body == "x\r\ny\n")
        #expect(try made(["-G", "-d", "a=1"]).body == nil)
        #expect(try made(["-G", "-d", "a=1"]).options.method == nil)
    }

    @Test func redirectsAndFoldersFollowTheLine() throws {
        let folder = try Folder()
        let plan = try addPlan([
            "curl", "--max-redirs", "3", "--create-dirs", "--output-dir", "\(folder.path)/new", "-o", "sub/x",
            "https://h/a",
        ])
        #expect(plan.descriptions[0].options.maximumRedirects == 3)
        #expect(plan.destinations == [.file(path: "\(folder.path)/new/sub/x")])
        try plan.makeFolders()
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/new/sub"))
    }

    @Test func uploadsAndAnIdentity() throws {
        let folder = try Folder()
        let file = try folder.write("x", to: "a.txt")
        let identity = try folder.write("x", to: "me.pem")
        let plan = try addPlan(["curl", "-T", file, "-E", "\(identity):open", "https://h/in/"])
        #expect(plan.sources == [.file(path: file)])
        #expect(plan.descriptions[0].url.string == "https://h/in/a.txt")
        #expect(
            plan.descriptions[0].options.clientIdentity
                == ClientIdentity(certificate: identity, passphrase: Secret("open")))
    }

    @Test(arguments: [
        ("curl -u me:x https://h/a", true), ("curl -b a=b https://h/a", true),
        ("curl -H 'Authorization: x' https://h/a", true), ("curl https://h/a", false),
    ])
    func warnsAboutVisibleSecrets(line: String, isWarned: Bool) throws {
        let listener = Listener()
        _ = try addPlan(["--curl", line], listener.surroundings(arguments: ["fileq", "add", "--curl", line]))
        #expect(!listener.warnings.isEmpty == isWarned)
    }

    @Test func curlLineCombinesWithOptionsOfAdd() throws {
        let listener = Listener()
        let plan = try addPlan(
            [
                "get", "--paused", "--priority", "high", "-H", "B: c", "--curl",
                "curl -H 'A: b' --compressed 'https://h/a'",
            ],
            listener.surroundings())
        #expect(plan.terms.paused)
        #expect(plan.descriptions[0].options.priority == 0.75)
        #expect(plan.descriptions[0].options.headers.map(\.value) == ["c", "b"])
        #expect(listener.warnings.count == 1)
        // Without 'get', too.
        #expect(try addPlan(["--curl", "curl h/a"]).descriptions[0].url.string == "http://h/a")
        for words in [
            ["--curl", "wget h/a"], ["--curl", "curl h/a", "http://h/b"], ["--curl", "curl h/a", "-o", "x"],
            ["--curl", "curl 'h/a"],
        ] {
            let error = #expect(throws: TransferError.self) { try addPlan(words) }
            #expect(error?.code == .usage)
        }
    }
}
