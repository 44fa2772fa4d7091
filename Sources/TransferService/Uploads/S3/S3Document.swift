// SPDX-License-Identifier: MIT

import FoundationEssentials
import Markup
import SessionCore
import TransferModel

/// The XML documents of S3's responses. Elements that are not known are skipped; a document that is not one of them, or
/// no XML, is ``SessionCore/S3Answer/other``.
struct S3Document {
    /// Bytes of a response that are kept: a page of 1,000 parts has about 400,000.
    static let maximumBytes = 2 << 20
    /// Parts of one page.
    private static let maximumParts = 10_000

    private var root = ""
    private var path: [String] = []
    private var texts: [String: String] = [:]
    private var part: [String: String] = [:]
    private var parts: [S3Part] = []

    static func read(_ bytes: [UInt8]) -> S3Answer {
        // While a store joins parts it sends spaces, so that the connection stays.
        let text = Array(bytes.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) })
        guard !text.isEmpty, text.count < maximumBytes else { return .other }
        let reader = Reader()
        do throws(TransferError) {
            try XMLEvents(
                begin: { element throws(TransferError) in try reader.document.begin(element.name) },
                end: { name, text throws(TransferError) in reader.document.end(name, text) }
            ).parse(text)
        } catch { return .other }
        return reader.document.answer
    }

    /// The events of one document share it.
    private final class Reader {
        var document = S3Document()
    }

    /// Stores differ in whether and which namespace they state.
    private static func local(_ name: String) -> String { name.split(separator: " ").last.map(String.init) ?? name }

    private mutating func begin(_ name: String) throws(TransferError) {
        let name = Self.local(name)
        if path.isEmpty { root = name }
        path.append(name)
        if path.count == 2, name == "Part" { part = [:] }
        guard parts.count <= Self.maximumParts else { throw TransferError(.documentParts) }
    }

    private mutating func end(_ name: String, _ text: String) {
        switch path.count {
        case 2 where path[1] == "Part": addPart()
        case 2: texts[path[1]] = texts[path[1]] ?? Self.trimmed(text)
        case 3 where path[1] == "Part": part[path[2]] = Self.trimmed(text)
        default: break
        }
        path.removeLast()
    }

    private mutating func addPart() {
        guard let number = part["PartNumber"].flatMap({ Self.number($0) }), (1...10_000).contains(number),
            let size = part["Size"].flatMap({ Self.number($0) }), let tag = part["ETag"], tag.utf8.count <= 1024
        else { return }
        let digest = part["ChecksumSHA256"].flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
        parts.append(S3Part(Int(number), size: size, tag: tag, digest: digest?.count == 32 ? digest : nil))
    }

    private var answer: S3Answer {
        func text(_ name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Stores differ in the end of the name: Result, Output, Response.
        switch root {
        case "Error":
            return .failure(
                S3Failure(
                    code: String(TextLine.first(of: text("Code") ?? "an error without a code").prefix(80)),
                    message: TextLine.first(of: text("Message") ?? ""), region: text("Region")))
        case _ where root.hasPrefix("InitiateMultipartUpload"):
            return text("UploadId").map { .created(uploadID: $0) } ?? .other
        case _ where root.hasPrefix("ListParts"):
            let isTruncated = text("IsTruncated")?.lowercased() == "true"
            let next = text("NextPartNumberMarker").flatMap { Self.number($0) }.map { Int($0) }
            // Without a marker the last part is one.
            return .parts(S3PartList(parts, next: isTruncated ? next ?? parts.last?.number ?? 0 : nil))
        case _ where root.hasPrefix("CompleteMultipartUpload"):
            return .completed(tag: text("ETag"), checksum: text("ChecksumSHA256"))
        default: return .other
        }
    }

    /// Digits alone.
    private static func number(_ text: String) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}
