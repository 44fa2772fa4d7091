// SPDX-License-Identifier: MIT

import TransferModel

extension TransferError {
    /// An invalid value of an option: `OPTION: TEXT`.
    /// - Parameter option: as typed: `--port`, `-o`.
    init(_ code: Code, option: String, _ text: String, systemErrno: Int32? = nil) {
        self.init(code, "\(option): \(text)", systemErrno: systemErrno, fields: .init(option: Self.bareName(option)))
    }

    /// An invalid use of an option.
    /// - Parameter option: without dashes.
    init(_ code: Code, about option: String, _ message: String) {
        self.init(code, message, fields: .init(option: option))
    }

    /// The same error, prefixed with the option it concerns.
    func concerning(option: String) -> TransferError {
        var error = prefixed("\(option): ")
        error.fields.option = Self.bareName(option)
        return error
    }

    /// The same error, with the place that it concerns before the cause: `line 3: `.
    func prefixed(_ place: String) -> TransferError {
        var error = self
        guard let variant = fields.variant, MessageCatalog.cause(variant, fields) != nil else {
            error.message = place + MessageCatalog.cause(of: self)
            return error
        }
        // Its sentence would be made of the variant again, without the place.
        error.message = place + MessageCatalog.text(self)
        error.fields.variant = nil
        return error
    }

    /// `--http 3` is `http`.
    private static func bareName(_ option: String) -> String {
        String(option.drop { $0 == "-" }.prefix { $0 != " " })
    }
}

/// Splits `NAME=VALUE` at the first `=`.
func pair(_ word: String, option: String) throws(TransferError) -> (name: String, value: String) {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw TransferError(.usage, option: option, "use NAME=VALUE")
    }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
}

/// Prefixes the errors of `body` with the option's name.
func naming<T>(_ option: String, _ body: () throws(TransferError) -> T) throws(TransferError) -> T {
    do {
        return try body()
    } catch {
        throw error.concerning(option: option)
    }
}
