// SPDX-License-Identifier: MIT

import Testing

/// The program as people have it, run as a process against real servers. Everything is on loopback and in temporary folders.
///
/// Variables for a run by hand: `FILEQ_TEST_BYTES=1073741824` makes the large files 1 GiB, and
/// `FILEQ_TEST_BINARY=.build/release/fileq` takes another build than the one beside the tests.
@Suite(.serialized) enum Integration {}

/// One line on standard error that says `words`, nothing on standard output, and the documented code.
func expectComplaint(_ outcome: Outcome, _ exit: Int32, _ words: String, location: SourceLocation = #_sourceLocation) {
    #expect(outcome.exit == exit, "\(outcome)", sourceLocation: location)
    #expect(outcome.complaintLines.count == 1, "\(outcome)", sourceLocation: location)
    #expect(outcome.complaints.hasSuffix("\n") && outcome.complaints.contains(words), "\(outcome)", sourceLocation: location)
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: location)
    #expect(outcome.errors.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a }, "\(outcome)", sourceLocation: location)
}
