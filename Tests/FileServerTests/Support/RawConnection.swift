// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension RawConnection {
    /// Expects one response of that status, which says that the connection is closed after it, and that it is.
    func expectLastResponse(_ status: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        let response = await receive()
        #expect(response.hasPrefix("HTTP/1.1 \(status)"), "\(response)", sourceLocation: sourceLocation)
        #expect(
            response.components(separatedBy: "HTTP/1.1 ").count == 2, "\(response)", sourceLocation: sourceLocation)
        #expect(response.contains("Connection: close\r\n"), "\(response)", sourceLocation: sourceLocation)
        // The end of the stream, not of the patience.
        #expect(isReadable, sourceLocation: sourceLocation)
    }
}
