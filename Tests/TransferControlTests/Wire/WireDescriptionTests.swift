// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel

@testable import TransferControl

@Suite struct WireDescriptionTests {
    private static func travel(_ description: TransferDescription) throws -> TransferDescription {
        let data = try JSONEncoder().encode(try WireDescription(description))
        return try JSONDecoder().decode(WireDescription.self, from: data).description()
    }

    private static let responseToPost: DownloadDescription = {
        var download = DownloadDescription(destination: .file(path: "/a"))
        (download.body, download.existing) = ([0, 0x61, 0xff], .updates)
        return download
    }()

    private static func full() throws -> TransferOptions {
        var options = TransferOptions()
        options.method = .init("PATCH")
        options.headers = [HTTPField(name: .accept, value: "text/*"), HTTPField(name: .init("X-Ünicode") ?? .date, value: "naïve"),
                           HTTPField(name: .accept, value: "image/*")]
        options.cookies = [try Cookie(name: "sid", value: "s3cret")]
        options.cookieJar = "/home/user/jar"
        options.credential = Credential(user: "me", password: "pässword:\"")
        options.usesNetrc = false
        options.connectTimeout = 1.5
        options.requestTimeout = 2.5
        options.resourceTimeout = 3.5
        options.retries = 0
        options.rateLimit = 1000
        options.maximumRedirects = 6
        options.pins = ["sha256//AAAA"]
        options.certificateAuthorities = "/etc/ca.pem"
        options.certificatePins = [[UInt8](repeating: 0xab, count: 32), [UInt8](0..<32)]
        options.clientIdentity = ClientIdentity(certificate: "/home/user/me.pem", key: "/home/user/me.key", passphrase: Secret("öpen"))
        options.httpVersion = .http3
        options.assumesHTTP3Capable = true
        options.interface = "wg0"
        options.multipath = .handover
        options.waitsForConnectivity = false
        options.allowsCellular = false
        options.allowsExpensive = false
        options.allowsConstrained = true
        options.allowsDowngrade = true
        options.liftsRestrictions = true
        options.cachePolicy = .returnCacheDataElseLoad
        options.priority = 0.75
        return options
    }

    @Test func everyOptionTravels() throws {
        let options = try Self.full()
        // A new option must be carried, and be set above: none may have its default here.
        let defaults = Dictionary(uniqueKeysWithValues: Mirror(reflecting: TransferOptions()).children.map { ($0.label ?? "", "\($0.value)") })
        for (label, value) in Mirror(reflecting: options).children {
            #expect(defaults[label ?? ""] != "\(value)", "\(label ?? "") is at its default")
        }
        let description = TransferDescription(url: try TransferURL("http://example.org/"),
                                              operation: .download(DownloadDescription(destination: .file(path: "/a"))), options: options)
        #expect(try Self.travel(description) == description)
    }

    /// Paths, the passphrase, and a format that the name does not tell.
    @Test(arguments: [
        ClientIdentity(certificate: "/a.pem"), ClientIdentity(certificate: "/a.p12", passphrase: Secret("")),
        ClientIdentity(certificate: "/a.P12", key: "/b", format: .pem), ClientIdentity(certificate: "/a", format: .pkcs12),
    ])
    func everyIdentityTravels(_ identity: ClientIdentity) throws {
        let data = try JSONEncoder().encode(WireIdentity(identity))
        #expect(try JSONDecoder().decode(WireIdentity.self, from: data).identity() == identity)
    }

    @Test func everyOptionIsNamedInTheSpecification() throws {
        let data = try JSONEncoder().encode(WireOptions(try Self.full()))
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        // None is absent, so none is passed over.
        #expect(members.count == Mirror(reflecting: TransferOptions()).children.count)
        for name in members.keys { #expect(SpecificationTests.document.contains("`\(name)`"), "\(name)") }
    }

    @Test(arguments: CachePolicy.allCases.map(\.rawValue)) func everyCachePolicyIsNamedInTheSpecification(_ name: String) {
        #expect(SpecificationTests.document.contains("`\(name)`"))
    }

    /// What the far end would have to turn into whole milliseconds.
    @Test func timesAreBounded() throws {
        var options = TransferOptions()
        options.resourceTimeout = 1e300
        #expect(try WireOptions(options).options().resourceTimeout == 1e9)
    }

    @Test(arguments: [
        .download(DownloadDescription(destination: .file(path: "/tmp/ä b"))), .download(responseToPost),
        .download(DownloadDescription(destination: .folder(path: "/tmp", name: "名前.txt"), overwrites: true,
                                      checksum: Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32)), syncs: false)),
        .upload(UploadDescription(source: .file(path: "/tmp/a"))),
        .upload(UploadDescription(source: .file(path: "/tmp/a"), createsFolders: true)),
        .upload(UploadDescription(source: .file(path: "/tmp/a"), form: .fileQ(FileQUpload(sid: "SID", metadata: [.init(name: "k", value: "v")])),
                                  checksum: Checksum(algorithm: .sha512, bytes: [UInt8](repeating: 9, count: 64)))),
    ] as [TransferDescription.Operation])
    func everyOperationTravels(_ operation: TransferDescription.Operation) throws {
        let description = TransferDescription(url: try TransferURL("https://example.org:8443/a%20b?q=1"), operation: operation)
        #expect(try Self.travel(description) == description)
    }

    @Test(arguments: ["http://example.org", "https://u:p@example.org:444/x", "http://u@[::1]:8080/?q", "https://a%40b:c%2Fd%3A@host/p",
                      "http://münchen.example/straße", "http://:p@host/"])
    func addressesTravelWithTheirUserInformation(_ text: String) throws {
        let description = TransferDescription(url: try TransferURL(text),
                                              operation: .download(DownloadDescription(destination: .file(path: "/a"))))
        #expect(try Self.travel(description) == description)
    }

    @Test func whatHasItsDefaultIsAbsent() throws {
        let description = TransferDescription(url: try TransferURL("http://example.org/"),
                                              operation: .download(DownloadDescription(destination: .file(path: "/a"))))
        let data = try JSONEncoder().encode(try WireDescription(description))
        #expect(JSONValue(String(decoding: data, as: UTF8.self))
            == .object(["url": .text("http://example.org/"), "download": .object(["file": .text("/a")])]))
    }

    @Test(arguments: [
        .download(DownloadDescription(destination: .stream(descriptor: 1))),
        .upload(UploadDescription(source: .stream(descriptor: 0, name: "x"))),
        .download(DownloadDescription(destination: .file(path: "a"))), .download(DownloadDescription(destination: .file(path: ""))),
        .download(DownloadDescription(destination: .folder(path: "/a", name: "../b"))),
        .download(DownloadDescription(destination: .folder(path: "/a", name: ".."))),
        .download(DownloadDescription(destination: .folder(path: "/a", name: ""))),
        .download(DownloadDescription(destination: .folder(path: "a", name: "b"))),
        .upload(UploadDescription(source: .file(path: "a"))),
    ] as [TransferDescription.Operation])
    func whatMeansNothingElsewhereIsRefused(_ operation: TransferDescription.Operation) throws {
        let description = TransferDescription(url: try TransferURL("http://example.org/"), operation: operation)
        let error = #expect(throws: TransferError.self) { try WireDescription(description) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        #"{"url":"http://a/"}"#, #"{"url":"ftp://a/","download":{"file":"/a"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"upload":{"file":"/a"}}"#, #"{"url":"http://a/","download":{"file":"/a","folder":"/b"}}"#,
        #"{"url":"http://a/","download":{"folder":"/b"}}"#, #"{"url":"http://a/","download":{"file":"/a\u0000b"}}"#,
        #"{"url":"http://a/","download":{"file":"/a","checksum":"md5:00"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"method":"G T"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"headers":[{"name":"X","value":"a\r\nB: c"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"headers":[{"name":":path","value":"/"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cookies":[{"name":"a","value":"b; c"}]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"requestTimeout":0}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"retries":-1}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"rateLimit":0}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cookieJar":"jar"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"httpVersion":"9"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"certificatePins":["abcd"]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"certificatePins":["\#(String(repeating: "x", count: 64))"]}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"me.pem"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"/me.pem","key":"me.key"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"clientIdentity":{"certificate":"/me.pem","format":"der"}}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":""}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"multipath":"always"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":"eth0\u0000"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"interface":"eth0 eth1"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"cachePolicy":"always"}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"priority":1.5}}"#,
        #"{"url":"http://a/","download":{"file":"/a"},"options":{"priority":-0.1}}"#,
    ])
    func hostileDescriptionsAreRefused(_ text: String) throws {
        let wire = try JSONDecoder().decode(WireDescription.self, from: Data(text.utf8))
        #expect(throws: TransferError.self) { try wire.description() }
    }
}
