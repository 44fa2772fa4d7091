// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct SessionProblemTests {
    private static let rows: [(SessionProblem, String)] = [
        (.invalidated, "the session has been invalidated and takes no more tasks"),
        (.noStreams, "this session's transport carries no streams"),
        (.noCookieFiles, "this session keeps no cookie files; leave the cookie jar out"),
        (
            .lateTLS(authority: "h:1", hasEnded: true),
            "h:1: TLS can begin only with the first byte of a connection, and this one has ended"
        ),
        (
            .lateTLS(authority: "h:1", hasEnded: false),
            "h:1: TLS can begin only with the first byte of a connection, and bytes have moved; ask for it before "
                + "reading and writing"
        ), (.streamEnded(authority: "h:1"), "h:1: the stream has ended"),
        (.readingClosed(authority: "h:1"), "h:1: the stream has been closed for reading"),
        (.writingClosed(authority: "h:1"), "h:1: the stream has been closed for writing"),
        (.notRead(authority: "h:1", seconds: 0.5), "h:1: not read within 0.5 s"),
        (.notWritten(authority: "h:1", seconds: 2), "h:1: not written within 2 s"),
        (.secondReader, "the body of a response has one reader"),
        (.bodyIsReadOnly, "the body of a response can only be read"),
        (.background(.connections), "a background session makes no connections of its own"),
        (
            .background(.noConnector), "a background session needs a connector to the service; create it with one"
        ),
        (
            .background(.closures),
            "a background session calls no closures, which end with the program; use a delegate"
        ), (.background(.dataTasks), "a background session has no data tasks; download into a file"),
        (.background(.digests), "a background session computes no digest of what it sends; leave it out"),
        (
            .background(.continuedUploads),
            "a background session resumes its uploads without data; upload the file"
        ),
        (
            .background(.bytesAndStreams),
            "a background session sends files alone, since bytes and streams end with the program; write them to a file"
        ),
        (
            .background(.destinations),
            "a background session downloads into files of its own; move them in didFinishDownloadingTo"
        ),
        (
            .background(.targets),
            "a background session stores what it needs to resume, and computes no digest; leave the target out"
        ),
        (
            .background(.fileGone(path: "/f")),
            "/f: the downloaded file is no longer there; it was taken before, or removed"
        ), (.background(.unexplained(url: "u")), "u: failed, the background service does not say why"),
        (
            .background(.noIdentifier),
            "a background session needs an identifier; make its configuration with '.background(IDENTIFIER)'"
        ),
        (
            .background(.longIdentifier(bytes: 201, maximumBytes: 200)),
            "the identifier of a background session is too long: percent-encoded it has 201 bytes, and 200 at most"
        ),
        (
            .background(.open(name: "n")),
            "the background session 'n' is open already, in this program or another one; end that one first, or choose "
                + "another identifier"
        ),
        (
            .background(.sharedFolder(path: "/f")),
            "/f: other users can write this folder, so it is not used; 'chmod 700' makes it yours alone"
        ),
        (
            .background(.sharedState(path: "/f")),
            "/f: is another user's, or open to others, so it is not used; set HOME, or FILEQ_HOME, to a folder of your "
                + "own"
        ),
        (
            .background(.transferGone),
            "the background service no longer has this transfer, and does not say how it ended; start it again"
        ), (.background(.noID), "the background service gave the transfer no id"),
        (.background(.serviceFailed), "the background service failed"),
    ]

    @Test(arguments: rows) func hasASentence(_ problem: SessionProblem, _ text: String) {
        #expect(problem.message == text)
        let error = TransferError(problem)
        #expect(error.code == .usage && error.message == text && error.fields.session == problem)
    }

    /// It stays in the program: others get the sentence.
    @Test func isNotWritten() throws {
        let error = TransferError(.invalidated)
        let read = try JSONDecoder().decode(TransferError.self, from: JSONEncoder().encode(error))
        #expect(read.fields.session == nil && read.message == error.message)
    }
}
