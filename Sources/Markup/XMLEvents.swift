// SPDX-License-Identifier: MIT

import CExpat
package import TransferModel

/// Passes the elements of an XML document on. Documents with a document type are refused: entities are declared there,
/// and nothing outside of the document is ever read.
package final class XMLEvents {
    /// Elements in one another.
    package static let maximumDepth = 32

    package struct Element {
        /// With its namespace and a space before it, if it has one.
        package var name: String
        package var attributes: [String: String]
    }

    private let begin: (Element) throws(TransferError) -> Void
    /// Receives the text of the element without that of its children.
    private let end: (_ name: String, _ text: String) throws(TransferError) -> Void
    private var parser: XML_Parser?
    private var texts: [[UInt8]] = []
    private var problem: TransferError?

    package init(
        begin: @escaping (Element) throws(TransferError) -> Void,
        end: @escaping (_ name: String, _ text: String) throws(TransferError) -> Void
    ) { (self.begin, self.end) = (begin, end) }

    /// - Throws: what the closures throw; code `usage`, with the line, for what is no well-formed XML.
    package func parse(_ bytes: [UInt8]) throws(TransferError) {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: " "))) else {
            throw TransferError(.documentNoMemory)
        }
        defer { XML_ParserFree(parser) }
        self.parser = parser
        defer { self.parser = nil }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLEvents.of($0)?.started($1, $2) }, { data, _ in XMLEvents.of(data)?.ended() })
        XML_SetCharacterDataHandler(parser) { XMLEvents.of($0)?.found($1, Int($2)) }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            XMLEvents.of(data)?.stop(TransferError(.documentDocumentType))
        }
        // The limits of callers are far below what this parser counts in.
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
        }
        let line = Int(XML_GetCurrentLineNumber(parser))
        if let problem { throw problem.located(inLine: line) }
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
            throw TransferError(.documentLine, line, "notXML", reason)
        }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLEvents? {
        data.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ error: TransferError) {
        problem = problem ?? error
        XML_StopParser(parser, 0)
    }

    private var names: [String] = []

    private func started(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard problem == nil, let name else { return }
        guard names.count < Self.maximumDepth else {
            return stop(TransferError(.documentDepth, Self.maximumDepth))
        }
        var element = Element(name: String(cString: name), attributes: [:])
        var next = attributes
        while let key = next?.pointee, let value = next?.successor().pointee {
            element.attributes[String(cString: key)] = String(cString: value)
            next = next?.advanced(by: 2)
        }
        names.append(element.name)
        texts.append([])
        do throws(TransferError) { try begin(element) } catch { stop(error) }
    }

    private func found(_ text: UnsafePointer<XML_Char>?, _ count: Int) {
        guard problem == nil, let text, !texts.isEmpty else { return }
        texts[texts.count - 1] += UnsafeRawBufferPointer(start: text, count: count)
    }

    private func ended() {
        guard problem == nil, let name = names.popLast(), let text = texts.popLast() else { return }
        do throws(TransferError) { try end(name, String(decoding: text, as: UTF8.self)) } catch { stop(error) }
    }
}
