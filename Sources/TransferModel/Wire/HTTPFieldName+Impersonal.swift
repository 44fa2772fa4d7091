// SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPField.Name {
    /// Whether fields of this name say what is wanted and nothing of who wants it.
    ///
    /// All others count as secret: keys and tokens travel in fields of any name.
    package var isImpersonal: Bool { Self.impersonal.contains(self) }

    private static let impersonal: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .contentType, .expect, .ifMatch,
        .ifNoneMatch, .userAgent,
    ]
}
