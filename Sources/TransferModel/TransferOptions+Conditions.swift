// SPDX-License-Identifier: MIT

package import HTTPTypes

extension TransferOptions {
    /// Fields that make a request depend on the state of its target (RFC 9110, section 13.1).
    package var conditions: [HTTPField] { headers.filter { Self.namesOfConditions.contains($0.name) } }

    private static let namesOfConditions: Set<HTTPField.Name> = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]
}
