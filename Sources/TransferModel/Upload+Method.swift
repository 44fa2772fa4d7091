// SPDX-License-Identifier: MIT

package import HTTPTypes

extension Upload {
    /// Whether a success of this method may mean that the server has stored the content. It does not where content has
    /// no meaning (RFC 9110, section 9.3): any page that a server has would count as an upload.
    package static func isPossible(with method: HTTPRequest.Method) -> Bool {
        !withoutContent.contains(method.rawValue.uppercased())
    }

    private static let withoutContent: Set<String> = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
}
