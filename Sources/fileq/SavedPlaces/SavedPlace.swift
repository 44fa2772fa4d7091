// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// A server or folder of the configuration: `NAME:path` stands for a URL below its own, and its options are defaults of
/// the command.
struct SavedPlace: Equatable, Sendable {
    let name: String
    /// `http`, `https` or `s3`, without user information and query; ends in `/`.
    let url: String
    /// By long name.
    let options: [String: ConfigurationFile.Value]

    /// What is wrong with a place.
    struct Mistake: Error, Equatable {
        /// Of the table; `nil`: the name.
        var key: String?
        /// One line without full stop.
        var text: String
    }

    init(name: String, url: String, options: [String: ConfigurationFile.Value] = [:]) throws(Mistake) {
        if let reason = Self.refusal(ofName: name) { throw Mistake(key: nil, text: reason) }
        self.name = name
        self.url = try Self.folder(url)
        for (option, value) in options.sorted(by: { $0.key < $1.key }) { try Self.check(option, value) }
        self.options = options
    }

    /// The URL of `path`, which names files as they are: percent-encoded here. A slash in front is the place itself.
    /// - Throws: code `usage` for `..`.
    func address(of path: Substring) throws(TransferError) -> String {
        let relative = path.beginsWithSlash ? path[path.utf8.index(after: path.startIndex)...] : path
        guard !relative.pathParts.contains("..") else {
            throw TransferError(
                .usage,
                "'\(TextLine.first(of: "\(name):\(path)"))': '..' may lead out of the place; pass a path without it")
        }
        // The key of an object is not encoded here.
        return url + (S3Location.isOne(url) ? String(relative) : PercentCoding.encodePath(relative))
    }

    /// The options as `name=value`, those of lists repeated, by name.
    var settings: [(name: String, value: String)] {
        options.sorted { $0.key < $1.key }.flatMap { name, value -> [(name: String, value: String)] in
            switch value {
            case .bool(let isOn): [(name, String(isOn))]
            case .text(let text): [(name, text)]
            case .list(let texts): texts.map { (name, $0) }
            }
        }
    }

    /// Why `name` cannot name a place; `nil`: it can.
    static func refusal(ofName name: some StringProtocol) -> String? {
        guard isName(name.utf8) else {
            return "the name of a place has letters, digits, '_' and '-', and does not begin with '-'"
        }
        guard name.utf8.count > 1 else { return "the name of a place has two letters or more" }
        guard !schemes.contains(name.lowercased()) else {
            return "'\(name)' begins URLs; choose another name for the place"
        }
        return nil
    }

    static func isName(_ name: some Collection<UInt8>) -> Bool {
        guard let first = name.first, first != UInt8(ascii: "-") else { return false }
        return name.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf) || "-_".utf8.contains(byte)
        }
    }

    /// Of URLs that people paste; more than the transports understand.
    private static let schemes: Set<String> = [
        "http", "https", "s3", "gs", "file", "ftp", "ftps", "sftp", "ssh", "scp", "rsync", "dav", "davs", "webdav",
        "webdavs", "smb", "nfs", "tus", "ws", "wss", "data", "blob", "about", "mailto", "magnet", "urn", "git",
    ]

    private static func folder(_ text: String) throws(Mistake) -> String {
        let folder = text.endsWithSlash ? text : text + "/"
        guard !S3Location.isOne(text) else {
            guard (try? S3Location(parsing: folder)) != nil else {
                throw Mistake(key: "url", text: "use s3://BUCKET/ or s3://BUCKET/FOLDER/")
            }
            return folder
        }
        guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else {
            throw Mistake(key: "url", text: "use a URL without '?' and '#': paths are appended to it")
        }
        do throws(TransferError) {
            let url = try TransferURL(folder)
            if url.credential == nil { return url.string }
        } catch {
            throw Mistake(key: "url", text: MessageCatalog.text(error))
        }
        throw Mistake(
            key: "url",
            text: "the URL names a user; put the name into 'user' (--user NAME), and the password into a file for "
                + "'password-file' or into ~/.netrc; without both, fileq asks for it")
    }
}

/// The options of a place.
extension SavedPlace {
    /// All that `get`, `put` and `add` have.
    static let possibleOptions: [CommandInventory.Argument] = {
        let paths = [["get"], ["put"], ["add", "get"], ["add", "put"]]
        var names: Set<String> = []
        return paths.flatMap { CommandInventory.program.command(at: $0).settable }.filter { option in
            option.longName.map { names.insert($0).inserted } ?? false
        }
    }()

    /// Those that a command with selected transfers takes from a place: what the server wants to see.
    static let credentials: Set<String> = [
        "header", "cookie", "sid-file", "user", "password-file", "token-file", "cert", "key", "key-password-file",
    ]

    /// Besides those that name what is transferred, one that would send the login of a place to other servers.
    private static let ofOneCommand: Set<String> = [
        "input", "output", "curl", "metalink", "mirror", "checksum", "if-match", "name", "after", "at", "dry-run", "on",
        "for-all-hosts",
    ]

    private static let password =
        "is a secret: put it into a file and name that in 'password-file', or into ~/.netrc; without both, fileq asks"
    private static let token = "is a secret: put it into a file and name that in 'token-file'"
    private static let accessKey = "is a secret: name a profile of ~/.aws/credentials in 's3-profile'"

    /// What is not stored, under the names that people try.
    private static let secrets = [
        "password": password, "passwd": password, "http-passwd": password, "sid": "is a secret: use 'sid-file'",
        "bearer": token, "token": token, "oauth2-bearer": token, "access-key": accessKey, "secret-key": accessKey,
        "s3-access-key": accessKey, "s3-secret-key": accessKey, "key-password": "is a secret: use 'key-password-file'",
    ]

    private static func check(_ option: String, _ value: ConfigurationFile.Value) throws(Mistake) {
        if let reason = secrets[option] { throw Mistake(key: option, text: "'\(option)' \(reason)") }
        guard !ofOneCommand.contains(option) else {
            throw Mistake(key: option, text: "'\(option)' is for one command, not for all of a place")
        }
        guard possibleOptions.contains(where: { $0.longName == option }) else {
            throw Mistake(
                key: option,
                text: "unknown option '\(option)'; a place takes 'url' and the long options of get, put and add")
        }
        let texts: [String] =
            switch value {
            case .bool: []
            case .text(let text): [text]
            case .list(let texts): texts
            }
        for text in texts {
            guard let reason = secret(in: text, of: option) else { continue }
            throw Mistake(key: option, text: reason)
        }
    }

    /// What to do about a secret in the value of an option; `nil`: it has none.
    private static func secret(in text: String, of option: String) -> String? {
        switch option {
        case "user":
            return text.contains(":") ? "the password behind 'user' \(password)" : nil
        case "header" where !text.hasPrefix("@"):
            if (try? HeaderArguments.field(text, option: option))?.name.isImpersonal == true { return nil }
            return "a header may be a secret: put the line into a file, and name that, as \"@/path/file\""
        case "cookie" where !text.hasPrefix("@"):
            return "a cookie may be a secret: put it into a file, and name that: \"@/path/file\""
        default:
            guard text.contains("://") else { return nil }
            let isOpen = (try? TransferURL(text))?.credential == nil && TransferURL.displayed(text) == text
            return isOpen ? nil : "the URL of '\(option)' has a login or a secret in its query; omit it"
        }
    }
}
