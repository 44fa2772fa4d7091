// SPDX-License-Identifier: MIT

import Testing

@testable import TransferControl

@Suite struct ServiceMatchTests {
    @Test(
        arguments: [
            ("1.2.0", 1, ServiceMatch.use), ("1.1.9", 1, .replace), ("1.2", 1, .use), ("1.10.0", 1, .use),
            ("0.9", 1, .replace),
            ("1.2.0-rc1", 1, .use), ("unknown", 1, .use), ("", 1, .use), ("..", 1, .use),
            // Another protocol.
            ("1.1.0", 0, .replace), ("1.2.0", 0, .replace), ("1.3.0", 2, .refuse), ("1.3.0", 0, .refuse),
            ("1.1.0", 2, .refuse),
        ] as [(String, Int, ServiceMatch)])
    func decidesByVersion(_ version: String, _ protocol: Int, _ match: ServiceMatch) {
        #expect(
            ServiceMatch.evaluate(
                service: .init(version: version, protocol: `protocol`),
                program: .init(version: "1.2.0", protocol: 1)) == match)
    }

    /// Two programs side by side never both replace the other's service.
    @Test(arguments: [("1.0", "2.0"), ("1.0", "1.0.1"), ("a", "b"), ("1", "1")], [(1, 1), (1, 2), (2, 1)])
    func sharesWithoutTurns(_ versions: (String, String), _ protocols: (Int, Int)) {
        let one = ServiceMatch.Side(version: versions.0, protocol: protocols.0)
        let other = ServiceMatch.Side(version: versions.1, protocol: protocols.1)
        let both = [
            ServiceMatch.evaluate(service: one, program: other), ServiceMatch.evaluate(service: other, program: one),
        ]
        #expect(both != [.replace, .replace])
    }
}
