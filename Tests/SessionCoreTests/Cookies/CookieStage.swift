// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import TransferModel
import TransferTesting

/// A short list of public suffixes; names of one label are always some.
struct ListedSuffixes: PublicSuffixes {
    var names: Set<String> = ["co.uk", "github.io", "kobe.jp"]

    func isPublicSuffix(_ domain: String) -> Bool { !domain.contains(".") || names.contains(domain) }
}

/// A storage whose time a test moves, and shorthand for what a test says.
struct CookieStage {
    let scheduler = ManualScheduler()
    let storage: CookieStorage

    init() { storage = CookieStorage(publicSuffixes: ListedSuffixes(), scheduler: scheduler) }

    init(file: String, keepsSessionCookies: Bool = true) throws {
        storage = try CookieStorage(
            file: file, keepsSessionCookies: keepsSessionCookies, publicSuffixes: ListedSuffixes(),
            scheduler: scheduler)
    }

    var now: Int64 { Int64(scheduler.wallNow) }

    func receive(_ lines: String..., from url: String, mainDocument: String? = nil) throws {
        try receive(lines, from: url, mainDocument: mainDocument)
    }

    func receive(_ lines: [String], from url: String, mainDocument: String? = nil) throws {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .setCookie, value: line)) }
        storage.store(fields, from: try TransferURL(url), mainDocument: try mainDocument.map { try TransferURL($0) })
    }

    func sent(to url: String, given: [Cookie] = []) throws -> String? {
        storage.header(for: try TransferURL(url), given: given)
    }
}
