// SPDX-License-Identifier: MIT

import Foundation
import TransferModel
import TransferStore
import TransferTesting

/// What is added, with its first record.
struct NewTransfer {
    var spec: Spec
    var draft: Transfer

    init(_ spec: Spec, session: String, addedAt: Double) {
        self.spec = spec
        draft = Transfer(spec, addedAt: addedAt)
        draft.session = session.isEmpty ? nil : session
    }
}

extension TransferStore {
    func add(_ new: [NewTransfer]) throws(TransferError) -> [Transfer] {
        try add(new.map(\.spec), as: new.map(\.draft))
    }
}

/// A folder for one store, and transfers to put into it.
struct StoreFixture {
    let folder: TemporaryFolder
    static let time = 1_800_000_000.0

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    func open() throws -> TransferStore { try TransferStore(folder: folder.path, time: Self.time) }

    static func transfer(_ name: String = "a", session: String = "s", cookie: String? = nil) throws -> NewTransfer {
        var options = TransferOptions()
        if let cookie { options.cookies = [try Cookie(name: "key", value: cookie)] }
        let description = Spec(
            url: try TransferURL("http://host.test/\(name)"),
            operation: .download(.init(destination: .file(path: "/d/\(name)"))), options: options)
        return NewTransfer(description, session: session, addedAt: time)
    }

    static func transfers(_ count: Int) throws -> [NewTransfer] { try (0..<count).map { try transfer("file-\($0)") } }

    func permissions(_ name: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? NSNumber)?.intValue
    }

    var credentials: String { (try? String(decoding: folder.read("credentials.json"), as: UTF8.self)) ?? "" }
}
