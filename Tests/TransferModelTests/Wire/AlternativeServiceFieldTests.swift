// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@Suite struct AlternativeServiceFieldTests {
    typealias Service = AlternativeServiceField.Service

    @Test(arguments: [
        ("h3=\":443\"", [Service(protocolName: "h3", host: "", port: 443)]),
        (
            "h3=\":443\"; ma=2592000,h3-29=\":443\"; ma=2592000",
            [
                Service(protocolName: "h3", host: "", port: 443, maximumAge: 2_592_000),
                Service(protocolName: "h3-29", host: "", port: 443, maximumAge: 2_592_000),
            ]
        ),
        (
            " h3=\"Alt.example:8443\" ; ma=\"60\"; persist=1; future=x ",
            [
                Service(protocolName: "h3", host: "alt.example", port: 8443, maximumAge: 60, persists: true)
            ]
        ),
        ("h3=\"[2001:db8::1]:443\"", [Service(protocolName: "h3", host: "2001:db8::1", port: 443)]),
        ("w%3Dx%3Ay=\":1\"", [Service(protocolName: "w=x:y", host: "", port: 1)]),
        // One that is malformed takes nothing from the others.
        ("h3=443, h2=\":0\", h2=\":70000\", =\":1\", h3=\":444\"", [Service(protocolName: "h3", host: "", port: 444)]),
        ("h3=\"a,b;c:443\", h3=\":1\"", [Service(protocolName: "h3", host: "", port: 1)]),
        ("h3=\"a:b:443\", h3=\"[::1:443\", h3=\":5\"; persist=2", [Service(protocolName: "h3", host: "", port: 5)]),
    ])
    func placesAreRead(_ text: String, _ services: [Service]) {
        #expect(AlternativeServiceField(parsing: text) == .services(services))
    }

    @Test func readsClear() {
        #expect(AlternativeServiceField(parsing: " clear ") == .clear)
        #expect(AlternativeServiceField(parsing: "Clear") == nil)
    }

    @Test(arguments: [
        "", ",", ";", "h3", "h3=", "h3=\"\"", "h3=\":\"", "h3=\":+1\"", "h3=\":1\";ma=x", "h3=\":1\";ma=-1", "\"",
        "h3=\"a\\\"b:1\"", "h3=\":1 \"", "h3=\"\u{1b}[0m:1\"",
    ])
    func ignoresInvalidInput(_ text: String) {
        #expect(AlternativeServiceField(parsing: text) == nil)
    }

    @Test func truncatesLongLists() {
        let text = (1...500).map { "h3=\":\($0)\"" }.joined(separator: ",")
        guard case .services(let services) = AlternativeServiceField(parsing: text) else {
            Issue.record("no services")
            return
        }
        #expect(services.count == AlternativeServiceField.maximumServices)
    }
}
