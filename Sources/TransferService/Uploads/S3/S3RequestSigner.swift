// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import HTTPTypes
package import TransferModel

/// Signs requests to a store.
package struct S3RequestSigner: Sendable {
    package var credential: S3Credential
    /// Of the bucket.
    package var region: String

    package init(credential: S3Credential, region: String) { (self.credential, self.region) = (credential, region) }

    /// The keys of the form, else of its profile, whose file is read. Blocks.
    /// - Returns: `nil` if the profile has none.
    package static func credential(of form: S3Upload) -> S3Credential? {
        if let known = form.credential { return known }
        let home = ProcessInfo.processInfo.environment["HOME"]
        return S3Profiles(credentials: form.credentialFile, home: home).credential(of: form.profile ?? "default")
    }

    package static func missingCredential(_ form: S3Upload) -> TransferError {
        let profile = TextLine.first(of: form.profile ?? "default")
        return TransferError(
            .secretMissing, .noAccessKey, profile, form.credentialFile,
            fields: .init(variant: .s3KeysMissing))
    }

    /// A request without content, signed.
    /// - Parameter time: seconds since 1970.
    package func signed(_ request: TransferRequest, at time: Int64) -> TransferRequest {
        signed(request, digest: Array(SHA256.hash(data: Data())), with: [:], at: time)
    }

    /// The request with its digest, its date and its signature.
    /// - Parameters:
    ///   - digest: SHA-256 of the content.
    ///   - added: further fields, in place of the request's own of their names.
    ///   - time: seconds since 1970. Once for all: a second may end in between, and the signature would be of another
    ///     time than the field states.
    func signed(
        _ request: TransferRequest, digest: [UInt8], with added: HTTPFields, at time: Int64
    ) -> TransferRequest {
        var request = request
        // No server of another place may read what is signed for this one; none of S3 asks for a login.
        request.options.maximumRedirects = 0
        (request.options.credential, request.options.cookies) = (nil, [])
        request.url = request.url.replacingCredential(nil)
        var fields = added
        fields[.contentSHA256] = Hex.encode(digest)
        fields[.amazonDate] = SigV4.date(time)
        fields[.securityToken] = credential.sessionToken?.value
        request.options.headers.removeAll { fields.contains($0.name) || $0.name == .authorization }
        for field in fields { request.options.headers.append(field) }
        let signer = SigV4(accessKey: credential.accessKey, secretKey: credential.secretKey, region: region)
        let signedFields = request.options.headers.filter {
            $0.name == .contentType || $0.name.canonicalName.hasPrefix("x-amz-")
        }
        let value = signer.authorization(
            SigV4.Request(
                method: request.method.rawValue, target: request.url.target,
                fields: [("host", Self.host(of: request.url))] + signedFields.map { ($0.name.rawName, $0.value) },
                payload: Hex.encode(digest)), at: time)
        request.options.headers.append(HTTPField(name: .authorization, value: value))
        return request
    }

    /// As libcurl sends it.
    private static func host(of url: TransferURL) -> String {
        let name = url.host.contains(":") ? "[\(url.host)]" : HostName.ascii(url.host) ?? url.host
        return url.port == (url.isSecure ? 443 : 80) ? name : "\(name):\(url.port)"
    }
}

extension HTTPField.Name {
    fileprivate static let contentSHA256 = Self("x-amz-content-sha256")!
    fileprivate static let amazonDate = Self("x-amz-date")!
    fileprivate static let securityToken = Self("x-amz-security-token")!
}
