// SPDX-License-Identifier: MIT

import FileServer
import Platform
import Synchronization
import Testing

@testable import fileq

/// What `serve` says of requests and addresses.
@Suite struct RequestLogTests {
    private static let record = RequestRecord(
        time: 1_764_500_432.25, client: "192.0.2.7", method: "PUT", path: "/a%20b.bin", status: 201,
        stored: "/a%20b.bin",
        received: 25_165_824, sent: 7, seconds: 1.23456, isComplete: true)

    @Test func aRequestIsALine() throws {
        var record = Self.record
        #expect(
            RequestLogFormat.common.line(record, in: .utc)
                == "2025-11-30 11:00:32 192.0.2.7 PUT /a%20b.bin -> /a%20b.bin 201 in 25165824 out 7 1.235s")
        #expect(
            RequestLogFormat.json.line(record)
                == #"{"time":"2025-11-30T11:00:32.250Z","client":"192.0.2.7","method":"PUT","path":"/a%20b.bin","#
                + #""stored":"/a%20b.bin","status":201,"received":25165824,"sent":7,"seconds":1.235,"complete":true}"#)
        (record.status, record.stored, record.isComplete) = (nil, nil, false)
        #expect(
            RequestLogFormat.common.line(record)?.hasSuffix(" /a%20b.bin - in 25165824 out 7 1.235s broken") == true)
        #expect(RequestLogFormat.none.line(record) == nil)
    }

    @Test func linesAreWrittenInOrder() {
        let text = Mutex("")
        let log = RequestLog(.json, to: FileOutput { piece in text.withLock { $0 += piece } })
        for status in 100..<200 {
            var record = Self.record
            record.status = status
            log.add(record)
        }
        log.flush()
        let lines = text.withLock { $0 }.split(separator: "\n")
        #expect(lines.count == 100 && lines.first?.contains("\"status\":100,") == true)
        #expect(lines.last?.contains("\"status\":199,") == true)
    }

    @Test func terminalsGetLinesByDefault() throws {
        let folder = try Folder()
        func format(_ words: String..., terminal: Bool) throws -> RequestLogFormat {
            try #require(Program.parse(["serve", folder.path] + words) as? ServeCommand).logFormat(isTerminal: terminal)
        }
        #expect(try format(terminal: true) == .common)
        #expect(try format(terminal: false) == .none)
        #expect(try format("-v", terminal: false) == .common)
        #expect(try format("-v", "--log", "json", terminal: true) == .json)
        #expect(try format("--log", "none", terminal: true) == .none)
        #expect(throws: (any Error).self) { try format("--log", "xml", terminal: true) }
    }

    @Test(arguments: [
        ("0.0.0.0", [], ["http://192.0.2.7:80/", "http://10.0.0.1:80/"]),
        ("0", [], ["http://192.0.2.7:80/", "http://10.0.0.1:80/"]),
        ("::ffff:0.0.0.0", [], ["http://192.0.2.7:80/", "http://10.0.0.1:80/"]),
        ("::0", [], ["http://192.0.2.7:80/", "http://10.0.0.1:80/", "http://[2001:db8::1]:80/"]),
        ("nas.local", [], ["http://nas.local:80/"]),
        ("::", [], ["http://192.0.2.7:80/", "http://10.0.0.1:80/", "http://[2001:db8::1]:80/"]),
        ("192.0.2.9", ["nas.local"], ["http://nas.local:80/", "http://192.0.2.9:80/"]),
        ("2001:db8::2", [], ["http://[2001:db8::2]:80/"]), ("127.0.0.1", [], []), ("localhost", ["x"], []),
    ])
    func otherDevicesGetAddresses(host: String, names: [String], expected: [String]) {
        var settings = FileServerConfiguration(root: "/", host: host)
        settings.names = names
        let own = ["192.0.2.7", "10.0.0.1", "2001:db8::1"]
        #expect(ServeWords.addresses(of: settings, "http", 80, own: own) == expected)
    }

    @Test func aServerWithoutANetworkSaysSo() {
        var settings = FileServerConfiguration(root: "/", host: "0.0.0.0")
        let none = "no other device reaches it now: no network interface is connected"
        #expect(ServeWords.reach(settings, at: []) == [none])
        #expect(ServeWords.reach(settings, at: ["http://a/"]) == ["other devices reach it at http://a/"])
        settings.host = "127.0.0.1"
        #expect(ServeWords.reach(settings, at: []).isEmpty)
    }

    /// Two rows in a line; what is drawn is light.
    @Test func aCodeIsDrawnInHalfCells() {
        let code = QRCode(width: 3, modules: [true, false, true, false, false, false, true, true, false])
        #expect(
            QRCodeText.lines(code, wantsColours: false)
                == ["███████", "██▄█▄██", "██▄▄███", "▀▀▀▀▀▀▀"])
        #expect(QRCodeText.lines(code, wantsColours: true).first == "\u{1B}[97;40m███████\u{1B}[0m")
    }
}
