// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferControl

@Suite struct ServiceReadinessTests {
    @Test(arguments: [
        ServiceReadiness.ready, .failed(TransferError(.cannotWrite, "/state: cannot write: read-only file system")),
        .failed(TransferError(.usage, "two words")),
    ]) func parsesReplies(_ readiness: ServiceReadiness) {
        #expect(readiness.line.hasSuffix("\n"))
        #expect(ServiceReadiness(line: readiness.line.dropLast()) == readiness)
    }

    @Test func messagesAreOneLine() {
        let line = ServiceReadiness.failed(TransferError(.other, "one\ntwo\r\nthree")).line
        #expect(line.split(whereSeparator: \.isNewline).count == 1)
        #expect(line.contains("one two three"))
    }

    @Test(arguments: [
        "", "ready", "fileq-service:", "fileq-service: maybe", "fileq-service: failed", "fileq-service: failed 1",
        "fileq-service: failed x y", "fileq-service: failed 0 fine", "fileq-service: failed 256 y", "fileq: failed 1 y",
    ])
    func rejectsOtherWords(_ line: String) { #expect(ServiceReadiness(line: line) == nil) }
}
