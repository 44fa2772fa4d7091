// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct AlternativeServicesTests {
    /// Calls that change something stand outside of an expectation's expression.
    private func learn(
        _ fields: [String], from url: TransferURL, age: Double = 0, now: Double, _ services: inout AlternativeServices
    ) -> Bool {
        services.learn(fields, from: url, age: age, now: now)
    }

    private let url = try! TransferURL("https://a.test/file")

    @Test func entriesLastUntilTheyExpire() throws {
        var services = AlternativeServices()
        #expect(services.alternative(for: url, now: 0) == nil)
        #expect(learn(["h2=\":1\", h3=\":8443\"; ma=60"], from: url, now: 100, &services))
        #expect(services.alternative(for: url, now: 159) == .init(host: "a.test", port: 8443))
        #expect(services.alternative(for: try TransferURL("https://a.test/other?x"), now: 159)?.port == 8443)
        #expect(services.alternative(for: url, now: 160) == nil)
        #expect(services.alternative(for: try TransferURL("https://a.test:444/"), now: 100) == nil)
        #expect(services.alternative(for: try TransferURL("http://a.test:443/"), now: 100) == nil)
    }

    @Test(arguments: ["clear", "h3=\":1\"; ma=0", "h2=\":443\""]) func laterFieldsReplaceEarlier(_ word: String) {
        var services = AlternativeServices()
        _ = services.learn(["h3=\":443\""], from: url, now: 0)
        #expect(learn([word], from: url, now: 1, &services))
        #expect(services.alternative(for: url, now: 2) == nil)
        #expect(services.isEmpty)
    }

    @Test func ignoresInvalidAndPlainTextFields() throws {
        var services = AlternativeServices()
        #expect(!learn(["h3=\":443\""], from: try TransferURL("http://a.test/"), now: 0, &services))
        #expect(!learn(["nonsense"], from: url, now: 0, &services))
        #expect(services.isEmpty)
    }

    @Test func cachedResponsesApplyForTheirRemainingAge() {
        var services = AlternativeServices()
        _ = services.learn(["h3=\":443\"; ma=100"], from: url, age: 90, now: 0)
        #expect(services.alternative(for: url, now: 9) != nil)
        #expect(services.alternative(for: url, now: 10) == nil)
        #expect(learn(["h3=\":443\"; ma=100"], from: url, age: 100, now: 0, &services))
        #expect(services.isEmpty)
    }

    @Test func skipsBrokenAlternatives() {
        var services = AlternativeServices()
        _ = services.learn(["h3=\":443\", h3=\"b.test:444\""], from: url, now: 0)
        services.markBroken(.init(host: "a.test", port: 443), of: url, until: 300)
        #expect(services.alternative(for: url, now: 1) == .init(host: "b.test", port: 444))
        // Said again by the server, it is as broken as before.
        _ = services.learn(["h3=\":443\""], from: url, now: 2)
        #expect(services.alternative(for: url, now: 2) == nil)
        #expect(services.alternative(for: url, now: 300) == .init(host: "a.test", port: 443))
    }

    @Test func networkChangesKeepPersistentEntries() throws {
        let other = try TransferURL("https://b.test/")
        var services = AlternativeServices()
        _ = services.learn(["h3=\":443\""], from: url, now: 0)
        _ = services.learn(["h3=\":443\"; persist=1"], from: other, now: 0)
        services.markBroken(.init(host: "b.test", port: 443), of: other, until: 300)
        services.networkChanged()
        #expect(services.alternative(for: url, now: 1) == nil)
        #expect(services.alternative(for: other, now: 1) != nil)
    }

    @Test func limitsEntries() throws {
        var services = AlternativeServices()
        for number in 0..<(AlternativeServices.maximumOrigins + 10) {
            _ = services.learn(
                ["h3=\":443\"; ma=\(1000 + number)"], from: try TransferURL("https://h\(number).test/"), now: 0)
        }
        #expect(services.alternative(for: try TransferURL("https://h9.test/"), now: 0) == nil)
        #expect(services.alternative(for: try TransferURL("https://h10.test/"), now: 0) != nil)
        _ = services.learn(["h3=\":443\"; ma=99999999999"], from: url, now: 0)
        #expect(services.alternative(for: url, now: AlternativeServices.maximumAge) == nil)
    }

    @Test func writesAPrivateFileAtomically() throws {
        let folder = try TemporaryFolder()
        let file = AlternativeServicesFile(path: folder.file("alt"))
        #expect(file.load().isEmpty)
        var services = AlternativeServices()
        _ = services.learn(["h3=\":443\"; persist=1"], from: url, now: 0)
        try file.save(services)
        #expect(file.load() == services)
        #expect(folder.names == ["alt"])
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        try folder.write(Array("{ broken".utf8), to: "alt")
        #expect(file.load().isEmpty)
        let error = #expect(throws: TransferError.self) {
            try AlternativeServicesFile(path: folder.file("no/alt")).save(services)
        }
        #expect(error?.code == .cannotWrite)
    }
}
