// SPDX-License-Identifier: MIT

import Testing
@testable import TransferService

@Suite struct ServerReasonTests {
    @Test(
        arguments: [
            ("no room today\nmore", "no room today"), ("\n  \nlate", "late"), ("a\u{1b}[2Jb", "a[2Jb"),
            ("{\"message\": \"quota used up\"}", "quota used up"),
            ("{\"title\": \"Bad\", \"detail\": \"too large\"}", "too large"),
            ("{\"error\": {\"message\": \"no such bucket\"}}", "no such bucket"),
            ("{\"error\": \"denied\", \"code\": 3}", "denied"),
            ("{\"error\": \"invalid\", \"error_description\": \"it is old\"}", "it is old"),
            ("{\"message\": 3}", ""), ("[1, 2]", ""), ("{\"message\": \"cut o", ""),
            (
                "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Access &lt;Denied&gt; &amp; so "
                    + "on</Message></Error>",
                "Access <Denied> & so on"
            ),
            ("<html><head><title>404 Not Found</title></head></html>", ""),
            (
                "<html><center>The plain HTTP request was sent to HTTPS port</center>",
                "this port speaks TLS; use https://"
            ),
            ("<html><center>No required SSL certificate was sent</center>", "the server demands a client certificate"),
            ("", ""),
        ] as [(String, String)])
    func theReasonIsOneLine(_ body: String, _ reason: String) {
        #expect(ServerReason.text(of: Array(body.utf8)) == reason)
    }

    @Test func binaryBodiesHaveNoReason() {
        #expect(ServerReason.text(of: [0xff, 0xfe, 0xfd, 0xfc, 0xfb]) == "")
        #expect(ServerReason.text(of: Array("voll ü".utf8.dropLast())) == "voll ")
    }
}
