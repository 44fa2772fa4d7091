// SPDX-License-Identifier: MIT

import Testing

/// The program as people have it, run as a process against real servers. Everything is on loopback and in temporary
/// folders.
///
/// Variables for a run by hand: `FILEQ_TEST_BYTES=1073741824` makes the large files 1 GiB, and
/// `FILEQ_TEST_BINARY=.build/release/fileq` takes another build than the one beside the tests.
///
/// A test has a ``Stage``, and starts on it what it needs. Each server has a port and a folder of its own and ends with
/// the stage:
///
/// | call | gives |
/// |---|---|
/// | `stage.server { connection, number in … }`, `answering(…)` | answers that the test writes by hand |
/// | `serve(.fileq)`, `serve(.nginx)` | reading and `PUT`; with `tls: certificate()` |
/// | `nginx(tls:server:location:)` | the same, configured; `clientCertificate().nginxLines`, `passwords(_:to:)` |
/// | `caddy(_:protocols:site:)` | ETags over HTTP/2, certificate chains; directives such as `redir` |
/// | `httpbin()` | echoes, logins, redirects, cookies, statuses, ranges |
/// | `squid()`, `squid(login:)` | an HTTP proxy; its address for `http_proxy` and `https_proxy` is `url("http")` |
/// | `socks()`, `socks(login:)` | a SOCKS5 proxy; for `ALL_PROXY`, `url("socks5h")` |
///
/// `origin`, `url(_:)`, `file(_:)`, `lines` (its log) and `authority` (for `--cacert`) are the same for all servers.
/// `Stage.proxyName` is a name that only the proxies resolve.
///
/// `@Test(.needs(.squid, .nginx))` skips where one of them is not installed, and fails there when `CI` is `true`.
@Suite(.serialized) enum Integration {}

/// One line on standard error that says `words`, nothing on standard output, and the documented code.
func expectComplaint(_ outcome: Outcome, _ exit: Int32, _ words: String, location: SourceLocation = #_sourceLocation) {
    #expect(outcome.exit == exit, "\(outcome)", sourceLocation: location)
    #expect(outcome.complaintLines.count == 1, "\(outcome)", sourceLocation: location)
    #expect(
        outcome.complaints.hasSuffix("\n") && outcome.complaints.contains(words), "\(outcome)", sourceLocation: location
    )
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: location)
    #expect(
        outcome.errors.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a }, "\(outcome)", sourceLocation: location)
}
