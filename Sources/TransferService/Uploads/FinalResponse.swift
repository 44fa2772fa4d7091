// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The response of the target at the end of a resumable upload. Pure.
struct FinalResponse {
    var head: HTTPResponse
    /// The address that responded.
    var url: TransferURL
    /// Its body, up to ``ServerReason/limit``.
    var content: [UInt8] = []
    /// The address of the upload.
    var target: TransferURL
    /// The target is the file itself, not a collection or program that stores it.
    var targetIsFile: Bool
    /// The address of the upload resource.
    var resource: String?

    /// Where the file is, as far as the response says. `Location` may be the upload resource.
    var place: String? {
        if let reference = reference(.contentLocation),
            let place = try? url.resolving(reference), place.origin == target.origin
        {
            return place.string
        }
        return reference(.location).map { Self.place($0, from: url) }
    }

    /// A relative reference is relative to the address that has responded; without that it would lead nowhere.
    static func place(_ reference: String, from url: TransferURL) -> String {
        reference.hasPrefix(".") ? (try? url.resolving(reference))?.string ?? reference : reference
    }

    private func reference(_ name: HTTPField.Name) -> String? {
        head.headerFields[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The server's digest of the file; `nil` if it states none.
    ///
    /// `Repr-Digest` may be that of the response's own body, such as a page, or of another resource (RFC 9530, section
    /// 3.1). It counts if `Content-Location` or `Location` names the file, or with 201, which without them means that
    /// the target was created.
    func digest(_ algorithm: Checksum.Algorithm) -> Checksum? {
        guard describesFile, let text = head.headerFields[.reprDigest],
            let stated = ReprDigest(parsing: text)?[algorithm]
        else { return nil }
        guard reference(.contentLocation) == nil else { return stated }
        return stated.bytes == FileDigest.compute(algorithm, of: content) ? nil : stated
    }

    private var describesFile: Bool {
        if let place = reference(.contentLocation) { return isFile(place) }
        // Otherwise the body cannot be compared.
        guard content.count < ServerReason.limit else { return false }
        if let place = reference(.location) { return isFile(place) }
        return head.status.code == 201
    }

    private func isFile(_ reference: String) -> Bool {
        guard let place = try? url.resolving(reference), place.origin == target.origin else { return false }
        return targetIsFile ? Self.path(place) == Self.path(target) : place.string != resource
    }

    /// Servers escape more or fewer characters than clients.
    private static func path(_ url: TransferURL) -> String { PercentCoding.decode(url.path) ?? url.path }
}
