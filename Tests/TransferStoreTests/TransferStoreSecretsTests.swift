// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

@Suite struct TransferStoreSecretsTests {
    @Test func secretsAreOnlyInTheirFile() throws {
        let fixture = try StoreFixture()
        let description: Spec
        do {
            let store = try fixture.open()
            var new = try StoreFixture.transfer(cookie: "secret-cookie")
            new.spec.url = try TransferURL("http://secret-user:secret-password@host.test/a")
            description = new.spec
            let id = try store.add([new])[0].id
            #expect(try store.description(of: id) == description)
        }
        for name in fixture.folder.names where name != "credentials.json" {
            let text = String(decoding: try fixture.folder.read(name), as: UTF8.self)
            #expect(!text.contains("secret-"), "\(name)")
        }
        #expect(fixture.credentials.contains("secret-cookie"))
        #expect(try fixture.permissions("credentials.json") == 0o600)
        #expect(try fixture.open().description(of: TransferID(rawValue: 1)) == description)
    }

    @Test func equalSecretsAreStoredOnce() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let added = try store.add(
            (0..<20).map { try StoreFixture.transfer("\($0)", cookie: $0 < 19 ? "shared-value" : "own-value") })
        #expect(fixture.credentials.components(separatedBy: "shared-value").count == 2)
        try store.remove(added.dropLast(2).map(\.id))
        #expect(try store.description(of: added[18].id).options.cookies[0].value == "shared-value")
        try store.remove([added[18].id])
        #expect(!fixture.credentials.contains("shared-value"))
        #expect(try store.description(of: added[19].id).options.cookies[0].value == "own-value")
    }

    @Test func completedTransfersKeepNoSecrets() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var transfers = try store.add((0..<2).map { try StoreFixture.transfer(cookie: "value-\($0)") })
        transfers[0].status = .completed(.init())
        transfers[1].status = .failed(.init(), .unexplained)
        try store.commit(transfers.map { StoreChange($0) }, isDurable: true)
        #expect(!fixture.credentials.contains("value-0"))
        #expect(try store.description(of: transfers[1].id).options.cookies[0].value == "value-1")
    }

    /// A power cut that reverted the completion would leave a transfer without its secrets.
    @Test(arguments: [true, false]) func completionThatFreesSecretsIsDurable(_ hasSecrets: Bool) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var transfer = try store.add([StoreFixture.transfer(cookie: hasSecrets ? "value" : nil)])[0]
        transfer.status = .completed(.init())
        try store.commit([StoreChange(transfer)], isDurable: false)
        let synchronous = try store.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        // FULL or NORMAL.
        #expect(synchronous == (hasSecrets ? 2 : 1))
    }

    @Test func replacingASpecKeepsProgress() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var transfer = try store.add([StoreFixture.transfer(cookie: "old-value")])[0]
        transfer.bytes = 500
        try store.commit([StoreChange(transfer)], isDurable: false)
        var description = try store.description(of: transfer.id)
        description.url = try TransferURL("https://elsewhere.test/a")
        description.options.cookies = [try Cookie(name: "key", value: "new-value")]
        let changed = try store.replaceDescription(of: transfer.id, with: description)
        #expect(changed.url == "https://elsewhere.test/a")
        #expect(changed.bytes == 500)
        #expect(try store.description(of: transfer.id) == description)
        #expect(!fixture.credentials.contains("old-value"))
    }

    @Test func removesUnusedSecretsWhenOpened() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            var secrets = SecretValues()
            secrets["cookie.0"] = "orphan"
            _ = try store.onQueue { try store.keep([secrets], $0) }
        }
        #expect(fixture.credentials.contains("orphan"))
        _ = try fixture.open()
        #expect(!fixture.credentials.contains("orphan"))
    }
}
