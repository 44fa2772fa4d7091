// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel

@Suite struct StoredDescriptionTests {
    private static let checksum = Checksum(algorithm: .sha256, bytes: Array(0..<32))

    private static let responseToPost: DownloadDescription = {
        var download = DownloadDescription(destination: .file(path: "/d/f"))
        (download.body, download.existing) = (Array("secret-0".utf8), .skips)
        return download
    }()

    /// With a value that is not the default in every field.
    private static func fullOptions() throws -> TransferOptions {
        var options = TransferOptions()
        options.method = .patch
        options.headers = [HTTPField(name: .authorization, value: "Bearer secret-1"), HTTPField(name: .accept, value: "text/plain"),
                           HTTPField(name: HTTPField.Name("X-Api-Key")!, value: "secret-2")]
        options.cookies = [try Cookie(name: "a", value: "secret-3"), try Cookie(name: "a", value: "secret-4")]
        options.cookieJar = "/jar"
        options.credential = Credential(user: "user", password: "secret-5")
        options.usesNetrc = false
        options.connectTimeout = 1.5
        options.requestTimeout = 2
        options.resourceTimeout = 3
        options.retries = 4
        options.rateLimit = 5
        options.maximumRedirects = 6
        options.pins = ["sha256//AAAA"]
        options.certificateAuthorities = "/ca.pem"
        options.httpVersion = .http2
        options.certificatePins = [Array(0..<32)]
        options.clientIdentity = ClientIdentity(certificate: "/c.p12", key: "/k", passphrase: Secret("secret-9"))
        options.assumesHTTP3Capable = true
        options.interface = "eth0"
        options.multipath = .aggregate
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

    private static func descriptions() throws -> [TransferDescription] {
        let plain = try TransferURL("http://host.test/a%20b?c=d")
        let withUser = try TransferURL("https://secret-6:secret-7@host.test:8443/é/")
        let metadata = [FileQUpload.Metadata(name: "note", value: "日本")]
        return [
            TransferDescription(url: plain, operation: .download(.init(destination: .file(path: "/d/f")))),
            TransferDescription(url: plain, operation: .download(responseToPost)),
            TransferDescription(url: withUser, operation: .download(.init(
                destination: .folder(path: "/d", name: "f"), overwrites: true, checksum: checksum, syncs: false)),
                                options: try fullOptions()),
            TransferDescription(url: plain, operation: .upload(.init(source: .file(path: "/s"), checksum: checksum, createsFolders: true))),
            TransferDescription(url: plain, operation: .upload(.init(
                source: .file(path: "/s"), form: .fileQ(FileQUpload(sid: "secret-8", metadata: metadata))))),
            TransferDescription(url: plain, operation: .upload(.init(source: .file(path: "/s"), form: .fileQ(FileQUpload())))),
        ]
    }

    @Test(arguments: 0..<6) func comesBackWhole(_ index: Int) throws {
        let description = try Self.descriptions()[index]
        var secrets = SecretValues()
        let stored = try StoredDescription(description, secrets: &secrets)
        let subject = try JSONEncoder().encode(stored.subject)
        let options = try JSONEncoder().encode(stored.options)
        for text in [String(decoding: subject, as: UTF8.self), String(decoding: options, as: UTF8.self)] {
            #expect(!text.contains("secret-"))
        }
        let again = StoredDescription(subject: try JSONDecoder().decode(StoredDescription.Subject.self, from: subject),
                                      options: try JSONDecoder().decode(StoredDescription.Options.self, from: options))
        let values = try JSONDecoder().decode(SecretValues.self, from: try JSONEncoder().encode(secrets))
        #expect(try again.restored(with: values) == description)
    }

    /// A field that somebody adds to the options must be added to the stored form too.
    @Test func everyOptionIsStored() throws {
        func labels(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        var secrets = SecretValues()
        let stored = StoredDescription.Options(try Self.fullOptions(), secrets: &secrets)
        // A credential is a user in plain and a reference.
        let expected = labels(TransferOptions()).subtracting(["credential"]).union(["version", "user", "password"])
        #expect(labels(stored) == expected)
        for child in Mirror(reflecting: stored).children {
            let mirror = Mirror(reflecting: child.value)
            #expect(mirror.displayStyle != .optional || !mirror.children.isEmpty, "\(child.label ?? "") is not stored")
        }
    }

    @Test func defaultsNeedNoRoom() throws {
        var secrets = SecretValues()
        let stored = StoredDescription.Options(TransferOptions(), secrets: &secrets)
        #expect(String(decoding: try JSONEncoder().encode(stored), as: UTF8.self) == #"{"version":1}"#)
        #expect(secrets.isEmpty)
    }

    @Test(arguments: [
        TransferDescription.Operation.download(.init(destination: .stream(descriptor: 1))),
        .upload(.init(source: .stream(descriptor: 0, name: "-"))),
    ]) func openDescriptorsCannotBeStored(_ operation: TransferDescription.Operation) throws {
        let description = TransferDescription(url: try TransferURL("http://a.test/"), operation: operation)
        var secrets = SecretValues()
        let error = #expect(throws: TransferError.self) { try StoredDescription(description, secrets: &secrets) }
        #expect(error?.code == .usage)
    }

    @Test func aMissingSecretIsNamed() throws {
        var secrets = SecretValues()
        let stored = try StoredDescription(try Self.descriptions()[2], secrets: &secrets)
        let error = #expect(throws: TransferError.self) { try stored.restored(with: SecretValues()) }
        #expect(error?.code == .secretMissing)
        #expect(error?.message.contains("(url.user)") == true)
    }

    @Test func aNewerFormIsRefused() throws {
        var secrets = SecretValues()
        var stored = try StoredDescription(try Self.descriptions()[0], secrets: &secrets)
        stored.options.version = StoredDescription.currentVersion + 1
        let error = #expect(throws: TransferError.self) { try stored.restored(with: secrets) }
        #expect(error?.message.contains("newer version") == true)
    }

    @Test(arguments: [
        (#"{"version":1,"url":"http://a.test/"}"#, #"{"version":1}"#),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f","checksum":"sha256:12"}}"#, #"{"version":1}"#),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f"}}"#, #"{"version":1,"method":"A B"}"#),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f"}}"#, #"{"version":1,"headers":[{"name":"a b","value":""}]}"#),
        (#"{"version":1,"url":"http://a.test/","download":{"path":"/f"}}"#, #"{"version":1,"cookies":[{"name":"a"}]}"#),
    ]) func damageIsSaid(_ subject: String, _ options: String) throws {
        let stored = StoredDescription(
            subject: try JSONDecoder().decode(StoredDescription.Subject.self, from: Data(subject.utf8)),
            options: try JSONDecoder().decode(StoredDescription.Options.self, from: Data(options.utf8)))
        let error = #expect(throws: TransferError.self) { try stored.restored(with: SecretValues()) }
        #expect(error?.code == .other)
    }

    @Test func secretsAreNotPrinted() {
        var secrets = SecretValues()
        _ = secrets.keep("hunter2", as: "password")
        var dumped = ""
        dump(secrets, to: &dumped)
        for text in ["\(secrets)", String(reflecting: secrets), dumped] { #expect(!text.contains("hunter2")) }
    }
}
