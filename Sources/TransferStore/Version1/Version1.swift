// SPDX-License-Identifier: MIT

/// Converts what version 1 stored to the form of version 2. Frozen: its columns stay in queues as long as their
/// transfers.
///
/// A secret was the text of its reference, under a separate key; references have not changed, so the sets of secrets
/// stay as they are.
enum Version1 {
    /// `url` with `user` and `password` beside it; `path`, and `name` for a folder; `fileQ`.
    static func subject(_ old: JSONTree) -> JSONTree {
        var new = old
        if let user = old["user"], let password = old["password"] {
            new["url"] = .object(["address": old["url"] ?? .null, "user": secret(user), "password": secret(password)])
        }
        if var download = old["download"] {
            download[download["name"] == nil ? "file" : "folder"] = download["path"]
            download["body"] = download["body"].map(secret)
            new["download"] = download
        }
        if var upload = old["upload"] {
            upload["file"] = upload["path"]
            if var fileQ = upload["fileQ"] {
                fileQ["sid"] = fileQ["sid"].map(secret)
                upload["fileq"] = fileQ
            }
            new["upload"] = upload
        }
        return new
    }

    /// `headers` and `cookies` with `value` or `secret`; `user` and `password`; the passphrase of `clientIdentity`.
    static func options(_ old: JSONTree) -> JSONTree {
        var new = old
        for list in ["headers", "cookies"] {
            guard case .array(let pairs)? = old[list] else { continue }
            new[list] = .array(
                pairs.map { pair in
                    var pair = pair
                    if let reference = pair["secret"] { pair["value"] = secret(reference) }
                    return pair
                })
        }
        if let user = old["user"], let password = old["password"] {
            new["login"] = .object(["user": user, "password": secret(password)])
        }
        if var identity = old["clientIdentity"] {
            identity["passphrase"] = identity["passphrase"].map(secret)
            new["clientIdentity"] = identity
        }
        return new
    }

    private static func secret(_ reference: JSONTree) -> JSONTree { .object(["secret": reference]) }
}

/// Any JSON value.
enum JSONTree: Codable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// A member of an object.
    subscript(key: String) -> JSONTree? {
        get { if case .object(let members) = self { members[key] } else { nil } }
        set {
            guard case .object(var members) = self else { return }
            members[key] = newValue
            self = .object(members)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
