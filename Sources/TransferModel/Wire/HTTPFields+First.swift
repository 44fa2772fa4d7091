// SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPFields {
    /// The value of the first field of this name; `nil` if there is none.
    ///
    /// For fields that occur once; much faster than the subscript, which joins the values of all.
    package func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}
