// SPDX-License-Identifier: MIT

import TransferModel

extension TransferError {
    /// What is wrong with the value of an option: `OPTION: TEXT`.
    /// - Parameter option: as it is typed: `--port`, `-o`.
    init(_ code: Code, option: String, _ text: String, systemErrno: Int32? = nil) {
        self.init(code, "\(option): \(text)", systemErrno: systemErrno, fields: .init(option: Self.bareName(option)))
    }

    /// What is wrong with how an option is used.
    /// - Parameter option: without dashes.
    init(_ code: Code, about option: String, _ message: String) {
        self.init(code, message, fields: .init(option: option))
    }

    /// The same failure, said of an option whose value it concerns.
    func concerning(option: String) -> TransferError {
        var error = self
        error.message = "\(option): \(message)"
        error.fields.option = Self.bareName(option)
        return error
    }

    /// `--http 3` is `http`.
    private static func bareName(_ option: String) -> String {
        String(option.drop { $0 == "-" }.prefix { $0 != " " })
    }
}
