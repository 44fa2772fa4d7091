// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// The options of `put` for links to what was uploaded.
struct ShareOptions: ParsableArguments {
    @Flag(help: "Print a link to each uploaded file and folder; the server is 'fileq serve'.")
    var share = false

    @Flag(help: "With --share, show each link as a QR code on the terminal, too; needs libqrencode.")
    var qr = false

    @Option(
        help: ArgumentHelp(
            "With --share, the links end after this time, such as 30m, 12h or 7d.", valueName: "time"))
    var shareExpires: String?

    @Option(
        help: ArgumentHelp("With --share, each link is good for so many downloads.", valueName: "n"))
    var shareDownloads: Int64?

    @Option(
        help: ArgumentHelp(
            "With --share, the links require the password in the first line of this file.", valueName: "file"),
        completion: .file())
    var sharePasswordFile: String?

    /// What the server is asked for, without a target; `nil` without `--share`.
    /// - Throws: code `usage`.
    func request() throws(TransferError) -> ShareRequest? {
        guard share else {
            let given = [
                ("--share-expires", shareExpires != nil), ("--share-downloads", shareDownloads != nil),
                ("--share-password-file", sharePasswordFile != nil), ("--qr", qr),
            ]
            if let (option, _) = given.first(where: { $0.1 }) {
                throw TransferError(.usage, option: option, "needs --share")
            }
            return nil
        }
        var request = ShareRequest(target: "")
        if let text = shareExpires {
            guard let seconds = Self.seconds(text), (1...ShareRequest.longestAge).contains(seconds) else {
                throw TransferError(.usage, option: "--share-expires", "use a time such as 30m, 12h or 7d")
            }
            request.lifetime = seconds
        }
        if let count = shareDownloads {
            guard (1...ShareRequest.largestCount).contains(count) else {
                throw TransferError(
                    .usage, option: "--share-downloads", "use a number from 1 to \(ShareRequest.largestCount)")
            }
            request.downloads = count
        }
        if let path = sharePasswordFile {
            request.password = try SecretFile.firstLine(of: path, option: "--share-password-file")
        }
        return request
    }

    /// A whole number and its unit: `s`, `m`, `h` or `d`.
    static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int64(text.dropLast())
        else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : product
    }
}
