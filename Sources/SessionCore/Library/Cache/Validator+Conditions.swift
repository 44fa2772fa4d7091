// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

extension Validator {
    /// The conditional fields that return 304 for an unchanged version (RFC 9110, sections 13.1.2 and 13.1.3).
    ///
    /// For a stored response, and for a complete download to be updated. A weak tag is sufficient, since nothing is
    /// joined.
    /// - Returns: `If-None-Match`, `If-Modified-Since`, or both; none if the validator has neither a valid tag nor a
    ///   date.
    package var conditionalFields: HTTPFields {
        var fields = HTTPFields()
        if let entityTag, EntityTagList(parsing: entityTag) == .tags([entityTag]) { fields[.ifNoneMatch] = entityTag }
        if let lastModified, HTTPDate.parse(lastModified) != nil { fields[.ifModifiedSince] = lastModified }
        return fields
    }
}
