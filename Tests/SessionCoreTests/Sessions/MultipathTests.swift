// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Which exchanges may use several paths.
@Suite struct MultipathTests {
    @Test func requestOptionsTakePrecedence() async throws {
        for session in MultipathServiceType.allCases {
            for own in MultipathServiceType.allCases.map({ Optional($0) }) + [nil] {
                let stage = Stage(nil) { $0.multipathServiceType = session }
                _ = try await stage.session.data(for: try request { $0.multipath = own })
                #expect(
                    stage.transport.exchanges.map(\.usesMultipath) == [(own ?? session) != MultipathServiceType.none],
                    "\(session) \(own as Any)")
            }
        }
    }
}

extension Stage {
    fileprivate init(_ delegate: (any TransferSessionDelegate)?, _ configure: (inout TransferConfiguration) -> Void) {
        self.init(delegate: delegate, configure) { _, _ in .init(200) }
    }
}
