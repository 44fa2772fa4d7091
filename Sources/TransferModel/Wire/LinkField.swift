// SPDX-License-Identifier: MIT

/// The field `Link` (RFC 8288, section 3): addresses with what they are to the resource.
package struct LinkField: Sendable, Hashable {
    package struct Link: Sendable, Hashable {
        /// As written, possibly relative.
        package var target: String
        /// Names in lower case; of a name that is there twice, the first.
        package var parameters: [String: String]

        /// The relation types, in lower case.
        package var relations: [String] {
            (parameters["rel"] ?? "").lowercased().split(separator: " ").map(String.init)
        }
    }

    package let links: [Link]

    /// Reads as many links as are well-formed; what follows a malformed one is left out.
    package init(parsing text: some StringProtocol) {
        var reader = Reader(rest: Array(text.utf8)[...])
        var links: [Link] = []
        while let link = reader.link() { links.append(link) }
        self.links = links
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func link() -> Link? {
            skip { $0 == UInt8(ascii: ",") || Self.isBlank($0) }
            guard take("<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let target = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            var parameters: [String: String] = [:]
            while true {
                skip(Self.isBlank)
                guard take(";") else { break }
                skip(Self.isBlank)
                guard let name = token()?.lowercased() else { continue }
                skip(Self.isBlank)
                var value = ""
                if take("=") {
                    skip(Self.isBlank)
                    guard let text = rest.first == UInt8(ascii: "\"") ? quoted() : token() ?? "" else { return nil }
                    value = text
                }
                if parameters[name] == nil { parameters[name] = value }
            }
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
            return Link(target: target, parameters: parameters)
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private mutating func skip(_ matches: (UInt8) -> Bool) { rest = rest.drop(while: matches) }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func token() -> String? {
            let found = rest.prefix { byte in
                byte > 0x20 && byte != 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte) || byte == UInt8(ascii: "/")
                    || byte == UInt8(ascii: ":")
            }
            guard !found.isEmpty else { return nil }
            rest = rest.dropFirst(found.count)
            return String(decoding: found, as: UTF8.self)
        }

        /// `nil` without the closing quote.
        private mutating func quoted() -> String? {
            rest.removeFirst()
            var text: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
                if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                    text.append(next)
                } else {
                    text.append(byte)
                }
            }
            return nil
        }
    }
}

extension FileMirror {
    /// The mirrors that the values of `Link` name, in their order (RFC 6249, section 3). That one has the same entity
    /// tags (`pref`) proves nothing.
    /// - Parameter url: of the response.
    package static func announced(by fields: [String], of url: TransferURL) -> [FileMirror] {
        var found: [FileMirror] = []
        let url = url.replacingCredential(nil)
        for link in fields.flatMap({ LinkField(parsing: $0).links })
        where link.relations.contains("duplicate") && found.count < maximumCount {
            guard let address = try? url.resolving(link.target).replacingCredential(nil), address != url,
                !found.contains(where: { $0.url == address })
            else { continue }
            let priority = link.parameters["pri"].flatMap { Int($0) }.flatMap { priorities.contains($0) ? $0 : nil }
            found.append(
                FileMirror(url: address, priority: priority, location: country(link.parameters["geo"])))
        }
        return found
    }
}
