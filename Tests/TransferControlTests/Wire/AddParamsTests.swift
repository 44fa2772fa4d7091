// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct AddParamsTests {
    private static func line(_ call: AddParams) throws -> [UInt8] {
        Array(try ControlCoding.line(OutgoingRequest(id: .number(1), call: call)))
    }

    private static func read(_ line: [UInt8]) throws -> [Spec] {
        guard let params = try IncomingRequest.read(line).content.get() as? AddParams else {
            throw TransferError(.other, "no add")
        }
        return params.transfers
    }

    private static func travel(_ specs: [Spec]) throws -> [Spec] {
        try read(line(try AddParams(specs, terms: TransferTerms())))
    }

    private static func travel(_ spec: Spec) throws -> Spec { try #require(try travel([spec]).first) }

    /// The params of a message with one transfer.
    private static func params(_ spec: Spec) throws -> JSONValue? {
        JSONValue(String(decoding: try line(try AddParams([spec], terms: TransferTerms())), as: UTF8.self))?[
            "params"]
    }

    private static let responseToPost: Download = {
        var download = Download(destination: .file(path: "/a"))
        (download.body, download.existing) = ([0, 0x61, 0xff], .updates)
        return download
    }()

    @Test func everyOptionSurvives() throws {
        let options = try SampleTransfers.options()
        // A new option must be set there: none may have its default.
        let defaults = Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: TransferOptions()).children.map { ($0.label ?? "", "\($0.value)") }
        )
        for (label, value) in Mirror(reflecting: options).children {
            #expect(defaults[label ?? ""] != "\(value)", "\(label ?? "") is at its default")
        }
        #expect(try Self.travel(SampleTransfers.all()) == SampleTransfers.all())
    }

    @Test func equalOptionsShareOneObject() throws {
        let specs = try Self.travel([
            try SampleTransfers.download(), try SampleTransfers.upload(), try SampleTransfers.plainDownload(),
        ])
        #expect(specs[0].$options.isIdentical(to: specs[1].$options))
        #expect(specs[2].options == TransferOptions())
    }

    /// Paths, the passphrase, and a format that the file name does not imply.
    @Test(arguments: [
        ClientIdentity(certificate: "/a.pem"), ClientIdentity(certificate: "/a.p12", passphrase: Secret("")),
        ClientIdentity(certificate: "/a.P12", key: "/b", format: .pem),
        ClientIdentity(certificate: "/a", format: .pkcs12),
    ])
    func everyIdentitySurvives(_ identity: ClientIdentity) throws {
        var spec = try SampleTransfers.plainDownload()
        spec.options.clientIdentity = identity
        #expect(try Self.travel(spec) == spec)
    }

    @Test func theSpecificationNamesEveryOption() throws {
        let params = try Self.params(SampleTransfers.download())
        guard case .object(let members)? = params?["options"] else { throw TransferError(.other, "no options") }
        // None is absent, so none is passed over.
        #expect(members.count == Mirror(reflecting: TransferOptions()).children.count)
        for name in members.keys { #expect(SpecificationTests.document.contains("`\(name)`"), "\(name)") }
    }

    /// Only requests bring secrets.
    @Test func serviceMessagesHideSecrets() throws {
        for spec in try SampleTransfers.all() {
            let text = String(decoding: try ControlCoding.json(spec), as: UTF8.self)
            #expect(!text.contains(SampleTransfers.marker))
        }
    }

    @Test(arguments: CachePolicy.allCases.map(\.rawValue)) func theSpecificationNamesEveryCachePolicy(
        _ name: String
    ) {
        #expect(SpecificationTests.document.contains("`\(name)`"))
    }

    /// What the far end would have to turn into whole milliseconds.
    @Test func limitsTimes() throws {
        var spec = try SampleTransfers.plainDownload()
        spec.options.resourceTimeout = 1e300
        #expect(try Self.travel(spec).options.resourceTimeout == 1e9)
    }

    @Test(
        arguments: [
            .download(Download(destination: .file(path: "/tmp/ä b"))), .download(responseToPost),
            .download(
                Download(
                    destination: .folder(path: "/tmp", name: "名前.txt"), overwrites: true,
                    checksum: Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32)), syncs: false)),
            .upload(Upload(source: .file(path: "/tmp/a"))),
            .upload(Upload(source: .file(path: "/tmp/a"), createsFolders: true)),
            .upload(
                Upload(
                    source: .file(path: "/tmp/a"),
                    form: .fileQ(FileQUpload(sid: "SID", metadata: [.init(name: "k", value: "v")])),
                    checksum: Checksum(algorithm: .sha512, bytes: [UInt8](repeating: 9, count: 64)))),
            .upload(
                Upload(
                    source: .file(path: "/tmp/a"),
                    form: .s3(
                        S3Upload(
                            region: "eu-west-1",
                            credential: S3Credential(accessKey: "A", secretKey: "s", sessionToken: "t"),
                            partSize: 5 << 20)), resumption: .auto)),
            .upload(
                Upload(
                    source: .file(path: "/tmp/a"),
                    form: .s3(S3Upload(region: "r", profile: "p", credentialFile: "/c")), resumption: .auto)),
        ] as [Spec.Operation])
    func everyOperationSurvives(_ operation: Spec.Operation) throws {
        let description = Spec(url: try TransferURL("https://example.org:8443/a%20b?q=1"), operation: operation)
        #expect(try Self.travel(description) == description)
    }

    @Test(arguments: [
        "http://example.org", "https://u:p@example.org:444/x", "http://u@[::1]:8080/?q",
        "https://a%40b:c%2Fd%3A@host/p",
        "http://münchen.example/straße", "http://:p@host/",
    ])
    func addressesTravelWithTheirUserInformation(_ text: String) throws {
        let description = Spec(
            url: try TransferURL(text),
            operation: .download(Download(destination: .file(path: "/a"))))
        #expect(try Self.travel(description) == description)
    }

    @Test func omitsDefaults() throws {
        let description = Spec(
            url: try TransferURL("http://example.org/"),
            operation: .download(Download(destination: .file(path: "/a"))))
        #expect(
            try Self.params(description)
                == .object([
                    "transfers": .list([
                        .object(["url": .text("http://example.org/"), "download": .object(["file": .text("/a")])])
                    ])
                ]))
    }

    @Test(
        arguments: [
            .download(Download(destination: .stream(descriptor: 1))),
            .upload(Upload(source: .stream(descriptor: 0, name: "x"))),
            .download(Download(destination: .file(path: "a"))), .download(Download(destination: .file(path: ""))),
            .download(Download(destination: .folder(path: "/a", name: "../b"))),
            .download(Download(destination: .folder(path: "/a", name: ".."))),
            .download(Download(destination: .folder(path: "/a", name: ""))),
            .download(Download(destination: .folder(path: "a", name: "b"))),
            .upload(Upload(source: .file(path: "a"))),
        ] as [Spec.Operation])
    func rejectsProcessBoundValues(_ operation: Spec.Operation) throws {
        let description = Spec(url: try TransferURL("http://example.org/"), operation: operation)
        let error = #expect(throws: TransferError.self) { try AddParams([description], terms: TransferTerms()) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        #"{"url":"http://a/"}"#, #"{"url":"ftp://a/","download":{"file":"/a"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"upload":{"file":"/a"}}"#,
        #"{"url":"http://a/","download":{"file":"/a","folder":"/b"}}"#,
        #"{"url":"http://a/","download":{"folder":"/b"}}"#, #"{"url":"http://a/","download":{"file":"/a\u0000b"}}"#,
        #"{"url":"http://a/","download":{"file":"/a","checksum":"md5:00"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"method":"G T"}}"#,
        #"{"url":"http://a/","upload":{"file":"/a"},"options":{"method":"GET"}}"#,
        #"{"url":"http://a/","upload":{"file":"/a"},"options":{"method":"OPTIONS"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"headers":[{"name":"X","value":"a\r\nB: c"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"headers":[{"name":":path","value":"/"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cookies":[{"name":"a","value":"b; c"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"requestTimeout":0}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"responseTimeout":0}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"retries":-1}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"maximumRetryWait":-1}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"rateLimit":0}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"umask":-1}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"umask":512}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cookieJar":"jar"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"httpVersion":"9"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"certificatePins":["abcd"]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"certificatePins":[""#
            + #"\#(String(repeating: "x", count: 64))"]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"me.pem"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"/me.pem","#
            + #""key":"me.key"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"/me.pem","#
            + #""format":"der"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":""}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"multipath":"always"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":"eth0\u0000"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":"eth0 eth1"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cachePolicy":"always"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"priority":1.5}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"priority":-0.1}}"#,
    ])
    func hostileDescriptionsAreRefused(_ text: String) throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"add","params":{"transfers":[\#(text)]}}"#
        let error = #expect(throws: ControlError.self) { try Self.read(Array(line.utf8)) }
        #expect(error?.code == .refusedByQueue || error?.code == .invalidParams)
        #expect(
            error?.message.contains("transfers[0]") == true || error?.data?.error.code == .usage
                || error?.data?.error.code == .malformedURL)
    }

    // MARK: Long lists of the usual form

    private func usual(_ count: Int, _ options: TransferOptions = TransferOptions()) throws -> [Spec] {
        let shared = Shared(wrappedValue: options)
        return try (0..<count).map { number in
            var spec = Spec(
                url: try TransferURL("http://host.test/\(number)"),
                operation: .download(.init(destination: .folder(path: "/d/ä", name: "\(number)"))))
            spec.$options = shared
            return spec
        }
    }

    @Test func aListOfTheUsualFormTakesTheShortWayAndSaysTheSame() throws {
        var options = TransferOptions()
        options.cookies = [try Cookie(name: "key", value: "\"hidden\"")]
        options.retries = 3
        var terms = TransferTerms(paused: true)
        terms.taskDescription = "a \"list\""
        terms.batch = TransferBatch(id: "1", name: "夏")
        for (options, terms) in [(TransferOptions(), TransferTerms()), (options, terms)] {
            var params = try AddParams(usual(50, options), terms: terms)
            (params.list, params.offset, params.more) = (7, 100, true)
            let line = Array(try ControlCoding.json(OutgoingRequest(id: .number(5), call: params)))
            let read = try #require(IncomingRequest.directly(line))
            #expect(read.id == .number(5) && !read.isNotification)
            #expect(try read.content.get() as? AddParams == params)
            // Foundation's decoder reads the same.
            let other = try ControlCoding.decode(IncomingRequest.self, from: Data(line))
            #expect(try other.content.get() as? AddParams == params)
            let found = try #require(try read.content.get() as? AddParams)
            #expect(found.transfers.allSatisfy { $0.$options.isIdentical(to: found.transfers[0].$options) })
        }
    }

    @Test func aListOfAnotherFormIsReadByTheUsualDecoder() throws {
        var mixed = try usual(50)
        mixed[20].options.retries = 9
        var others = try usual(50)
        others[49].operation = .download(.init(destination: .file(path: "/d/a"), overwrites: true))
        for specs in [mixed, others] {
            let params = try AddParams(specs, terms: TransferTerms())
            let line = Array(try ControlCoding.json(OutgoingRequest(id: .number(5), call: params)))
            #expect(IncomingRequest.directly(line) == nil)
            #expect(try IncomingRequest.read(line).content.get() as? AddParams == params)
        }
    }

    @Test func nothingMayFollowALongList() throws {
        let params = try AddParams(usual(50), terms: TransferTerms())
        let line = Array(try ControlCoding.json(OutgoingRequest(id: .number(5), call: params)))
        #expect(IncomingRequest.directly(line + Array(" \t".utf8)) != nil)
        #expect(IncomingRequest.directly(line + Array("x".utf8)) == nil)
        #expect(throws: ControlError.self) { try IncomingRequest.read(line + Array(" {}".utf8)).content.get() }
    }

    @Test func whatIsWrongInALongListIsSaidAsAlways() throws {
        let line = Array(
            try ControlCoding.json(
                OutgoingRequest(id: .number(5), call: try AddParams(usual(50), terms: TransferTerms()))))
        let text = String(decoding: line, as: UTF8.self)
        for (old, new) in [
            ("http://host.test/7\"", "ftp://host.test/7\""), ("\"add\"", "\"none\""), ("\"2.0\"", "\"1.0\""),
            ("/d/ä", "d"),
        ] {
            let wrong = Array(text.replacingOccurrences(of: old, with: new).utf8)
            #expect(wrong != line)
            let read = IncomingRequest.read(wrong)
            #expect(read.id == .number(5))
            #expect(throws: ControlError.self) { try read.content.get() }
        }
        // White space is no error.
        let spaced = Array(text.replacingOccurrences(of: ",", with: " , ").utf8)
        #expect(try IncomingRequest.read(spaced).content.get() is AddParams)
    }
}
