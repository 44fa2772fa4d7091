// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPTypes
import TransferModel

/// Conditions under which a server stores what `put` sends (RFC 9110, section 13.1). They travel as header fields.
struct ConditionOptions: ParsableArguments {
    @Flag(help: "Fail if the server has the file already, and keep that one (If-None-Match: *).")
    var noOverwrite = false

    @Option(
        help: ArgumentHelp(
            "Replace only the version of the file with this entity tag (If-Match); '*' is any, but there must be one.",
            valueName: "etag"))
    var ifMatch: String?

    /// For a command created by another one.
    static var unused: ConditionOptions {
        var options = ConditionOptions()
        (options.noOverwrite, options.ifMatch) = (false, nil)
        return options
    }

    /// - Parameters:
    ///   - group: with the other options of the command.
    ///   - count: of files.
    /// - Throws: code `usage`, also where the protocol of the upload has no conditions.
    func fields(
        _ group: TransferOptionGroup, isFileQ: Bool, resumption: UploadResumption, count: Int
    ) throws(TransferError) -> [HTTPField] {
        let given = [
            ("--no-overwrite", noOverwrite), ("--if-match", ifMatch != nil), ("--overwrite", group.files.overwrite),
        ].filter(\.1).map(\.0)
        guard noOverwrite || ifMatch != nil, let option = given.first else { return [] }
        guard given.count < 2 else {
            throw TransferError(.usage, "\(given[0]) and \(given[1]) exclude each other: use one of them")
        }
        guard !isFileQ else {
            throw TransferError(.usage, option: option, "a FileQ upload replaces no file; omit it, or --sid and --meta")
        }
        guard resumption != .tus else {
            throw TransferError(
                .usage, option: option, "uploads by tus have no conditions; use --resumable auto, ietf or never")
        }
        guard let ifMatch else { return [HTTPField(name: .ifNoneMatch, value: "*")] }
        guard count == 1 else {
            throw TransferError(.usage, option: option, "is for one file, but there are \(count)")
        }
        let tag = try Self.tag(ifMatch)
        return [try HeaderArguments.field("If-Match: \(tag)", option: option)]
    }

    /// With its quotes, which shells remove.
    private static func tag(_ text: String) throws(TransferError) -> String {
        let text = text.trimmed { $0.isWhitespace }
        guard text != "*" else { return text }
        guard !text.hasPrefix("W/") else {
            throw TransferError(.usage, option: "--if-match", "a weak entity tag (W/) never matches; use a strong one")
        }
        guard text.contains("\"") else {
            guard !text.isEmpty else { throw TransferError(.usage, option: "--if-match", "the entity tag is empty") }
            return "\"\(text)\""
        }
        guard case .tags(let tags) = EntityTagList(parsing: text), !tags.isEmpty else {
            throw TransferError(.usage, option: "--if-match", "use an entity tag such as '\"5f3a\"', in quotes")
        }
        return tags.joined(separator: ", ")
    }
}
