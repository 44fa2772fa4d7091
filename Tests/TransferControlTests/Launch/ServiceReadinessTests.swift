// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel

@testable import TransferControl

@Suite struct ServiceReadinessTests {
    @Test(arguments: [
        ServiceReadiness.ready, .failed(TransferError(.cannotWrite, "/state: cannot write: read-only file system")),
        .failed(TransferError(.usage, "two words")),
        .failed(TransferError(.other, .serviceRunning, 7, variant: .serviceRunning)),
    ]) func parsesReplies(_ readiness: ServiceReadiness) {
        let text = readiness.text()
        #expect(text.hasSuffix("\n"))
        let found = ServiceReadiness.first(in: text.split(separator: "\n"))
        switch (found, readiness) {
        case (.ready?, .ready): break
        case (.failed(let found)?, .failed(let error)):
            #expect(found.code == error.code && found.message == error.message)
            #expect(found.fields.variant == error.fields.variant)
        default: Issue.record("\(String(describing: found)) of \(text)")
        }
    }

    /// What another sentence is made of, and what a program decides by.
    @Test func errorsKeepTheirValues() throws {
        let error = TransferError(.cannotWrite, file: .write, path: "/state", systemErrno: ENOSPC)
        let lines = ServiceReadiness.failed(error).text(words: "no room\nfree some").split(separator: "\n")
        let read = ServiceReadiness.first(in: lines)
        let found = try #require(read.flatMap { if case .failed(let found) = $0 { found } else { nil } })
        #expect(found.code == .diskFull && found.systemErrno == ENOSPC && found.fields.path == "/state")
        #expect(found.fields.file == error.fields.file && found.message == error.message)
        // As programs of earlier versions read it.
        let plain = lines.compactMap { ServiceReadiness(line: $0) }
        #expect(plain == [.failed(TransferError(.cannotWrite, "no room free some"))])
    }

    @Test func messagesAreOneLineBesideTheValues() {
        let text = ServiceReadiness.failed(TransferError(.other, "one\ntwo\r\nthree")).text()
        #expect(text.split(whereSeparator: \.isNewline).count == 2)
        #expect(text.contains("one two three"))
    }

    /// Another program's, or one that is too long for the reader.
    @Test(arguments: [
        "fileq-service-error: {", "fileq-service-error: {\"code\":3,\"message\":\"another\"}", "fileq-service-error:",
    ]) func valuesThatDoNotFitAreIgnored(_ line: String) {
        let lines = [Substring(line), "noise", "fileq-service: failed 23 /state: no room"]
        #expect(ServiceReadiness.first(in: lines) == .failed(TransferError(.cannotWrite, "/state: no room")))
        #expect(ServiceReadiness.first(in: lines.prefix(2)) == nil)
    }

    @Test func longValuesAreLeftOut() {
        let error = TransferError(.other, String(repeating: "x", count: 9000))
        #expect(ServiceReadiness.failed(error).text(words: "long") == "fileq-service: failed 1 long\n")
    }

    @Test(arguments: [
        "", "ready", "fileq-service:", "fileq-service: maybe", "fileq-service: failed", "fileq-service: failed 1",
        "fileq-service: failed x y", "fileq-service: failed 0 fine", "fileq-service: failed 256 y", "fileq: failed 1 y",
    ])
    func rejectsOtherWords(_ line: String) { #expect(ServiceReadiness(line: line) == nil) }
}
