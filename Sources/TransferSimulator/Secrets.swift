// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// Header fields that users give to some transfers: each is sent with every request for its file, to no other server,
/// and stored in one place.
enum Secrets {
    /// Part of each.
    static let mark = "planted-secret-"
    static let name = "X-Key"
    static let field = HTTPField.Name(name)!

    /// A request is about to be sent.
    static func check(_ exchange: Exchange, _ origin: Origin) {
        let sent = exchange.fields[field]
        let path = exchange.url.path
        if let owner = origin.secrets[path] {
            if sent != owner { origin.trace.violate("fields are sent", "\(exchange.method) \(path) without its field") }
        } else if sent != nil, exchange.url.host == Origin.mirrorHost {
            origin.trace.violate("secrets stay secret", "a mirror received the field of another server")
        }
    }

    /// - Returns: the name of a file that has one and should not.
    static func leak(in folder: String, besides exceptions: Set<String>) -> String? {
        Files.names(folder).first { name in
            guard !exceptions.contains(name), let bytes = Files.read("\(folder)/\(name)") else { return false }
            return contains(bytes, Array(mark.utf8))
        }
    }

    private static func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            var start = 0
            while buffer.count - start >= pattern.count,
                let found = memchr(base + start, Int32(pattern[0]), buffer.count - start - pattern.count + 1)
            {
                if memcmp(found, pattern, pattern.count) == 0 { return true }
                start = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }
}

extension World {
    /// Neither the journal nor what lies beside users' files has a secret.
    func checkSecrets() {
        // Those of users have the bytes of a version, or their own.
        let others = Set(ledger.items.keys.map { String($0.dropFirst(files.utf8.count + 1)) })
        let credentials: Set = ["credentials.json", "credentials.json.new"]
        for (folder, exceptions) in [(files, others), (state, credentials.union(AnswerLedger.files))] {
            if let name = Secrets.leak(in: folder, besides: exceptions) {
                trace.violate("secrets stay secret", "\(name) has one")
            }
        }
        if let bytes = Files.read("\(state)/logins") { ledger.answers.checkFile(bytes) }
    }
}
