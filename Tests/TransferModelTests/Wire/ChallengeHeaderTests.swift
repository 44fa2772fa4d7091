// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct ChallengeHeaderTests {
    typealias Challenge = ChallengeHeader

    @Test(arguments: [
        ("", []), (" , ,\t,", []), ("=", []), ("\"", []), ("\"Basic realm=x\"", []), ("@@@", []),
        ("Basic", [Challenge(scheme: "basic")]),
        ("bAsIc realm=\"a\"", [Challenge(scheme: "basic", parameters: ["realm": "a"])]),
        // RFC 9110, section 11.6.1.
        (
            "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\"",
            [
                Challenge(scheme: "basic", parameters: ["realm": "simple"]),
                Challenge(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
            ]
        ),
        (
            "Newauth realm=\"apps\", type=1,\n title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
            [
                Challenge(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                Challenge(scheme: "basic", parameters: ["realm": "simple"]),
            ]
        ),
        // RFC 7616, section 3.9.1.
        (
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=SHA-256, "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"",
            [
                Challenge(
                    scheme: "digest",
                    parameters: [
                        "realm": "http-auth@example.org", "qop": "auth, auth-int", "algorithm": "SHA-256",
                        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
                        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
                    ])
            ]
        ),
        ("Negotiate", [Challenge(scheme: "negotiate")]),
        ("Negotiate abc==", [Challenge(scheme: "negotiate", token: "abc==")]),
        (
            "NTLM TlRMTVNTUAACAAAAAAAAAAAAAAABggAAASNFZ4mrze8=",
            [
                Challenge(scheme: "ntlm", token: "TlRMTVNTUAACAAAAAAAAAAAAAAABggAAASNFZ4mrze8=")
            ]
        ),
        (
            "Negotiate a/b+c=, NTLM, Basic realm=x",
            [
                Challenge(scheme: "negotiate", token: "a/b+c="), Challenge(scheme: "ntlm"),
                Challenge(scheme: "basic", parameters: ["realm": "x"]),
            ]
        ),
        (
            "Negotiate,NTLM,,Basic  realm = \"a, b\\\\\" ,charset=\"UTF-8\"",
            [
                Challenge(scheme: "negotiate"), Challenge(scheme: "ntlm"),
                Challenge(scheme: "basic", parameters: ["realm": "a, b\\", "charset": "UTF-8"]),
            ]
        ),
        (
            "Bearer error=\"invalid_token\" scope=\"a b\"",
            [
                Challenge(scheme: "bearer", parameters: ["error": "invalid_token", "scope": "a b"])
            ]
        ),
        // What servers send though they should not.
        (
            "Digest realm=me@host.example, nonce=ab/cd==, stale=TRUE",
            [
                Challenge(
                    scheme: "digest", parameters: ["realm": "me@host.example", "nonce": "ab/cd==", "stale": "TRUE"])
            ]
        ),
        ("Basic realm=\"写真\"", [Challenge(scheme: "basic", parameters: ["realm": "写真"])]),
        ("Basic realm=\"open, NTLM", [Challenge(scheme: "basic", parameters: ["realm": "open, NTLM"])]),
        ("Basic realm=\"open\\", [Challenge(scheme: "basic", parameters: ["realm": "open\\"])]),
        ("Basic realm=, NTLM", [Challenge(scheme: "basic", token: "realm="), Challenge(scheme: "ntlm")]),
        ("realm=\"x\", Basic realm=\"y\"", [Challenge(scheme: "basic", parameters: ["realm": "y"])]),
        (
            "Basic realm=\"a\" \"stray, NTLM\", Digest nonce=n",
            [
                Challenge(scheme: "basic", parameters: ["realm": "a"]),
                Challenge(scheme: "digest", parameters: ["nonce": "n"]),
            ]
        ),
    ])
    func reads(text: String, expected: [Challenge]) { #expect(Challenge.parse(text) == expected) }

    @Test func theLastOfThirtyTwoIsComplete() {
        let text = (1...40).map { "Scheme\($0) realm=\"\($0)\"" }.joined(separator: ", ")
        let challenges = Challenge.parse(text)
        #expect(challenges.count == 32)
        #expect(challenges.last == Challenge(scheme: "scheme32", parameters: ["realm": "32"]))
    }

    @Test(arguments: [
        "a", "a ", "a,", "a=", "a=\"", "\"", "\\", "\"\\", "=", " ", "a b=c,", "x a=", "a==\"b\" ", "é", "a\t\t\t\t ",
    ])
    func limitsHostileInput(piece: String) {
        for opening in ["", "Basic ", "Basic realm=\"", "Basic realm="] {
            let challenges = Challenge.parse(opening + String(repeating: piece, count: 1_000_000 / piece.utf8.count))
            #expect(challenges.count <= 32)
            #expect(challenges.allSatisfy { $0.parameters.count <= 64 })
            #expect(
                challenges.reduce(0) { sum, challenge in
                    sum + challenge.token.utf8.count + challenge.parameters.values.reduce(0) { $0 + $1.utf8.count }
                } <= 3 * 65_536)
        }
    }

    @Test func limitsParameters() {
        let text = "Digest " + (0..<1000).map { "p\($0)=v" }.joined(separator: ", ") + ", Basic realm=x"
        let challenges = Challenge.parse(text)
        #expect(challenges.map(\.parameters.count) == [64, 1])
    }
}
