// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

extension Validator {
    /// The fields that ask for the whole only where it is another version: answered with a 304 where it is not
    /// (RFC 9110, sections 13.1.2 and 13.1.3).
    ///
    /// For a stored answer, and for a download whose file is here whole and is to be brought up to date. A weak tag
    /// serves too, as nothing is joined.
    /// - Returns: `If-None-Match`, `If-Modified-Since`, or both; none where the validator holds neither a well-formed
    ///   tag nor a date.
    public var conditionalFields: HTTPFields {
        var fields = HTTPFields()
        if let entityTag, EntityTagList(parsing: entityTag) == .tags([entityTag]) { fields[.ifNoneMatch] = entityTag }
        if let lastModified, HTTPDate.parse(lastModified) != nil { fields[.ifModifiedSince] = lastModified }
        return fields
    }
}
