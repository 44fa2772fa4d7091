// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel
import TransferService

/// The options for `s3://BUCKET/KEY`, and what the environment and the files of `aws` add.
struct S3Options: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For s3:// URLs, use this server instead of AWS. (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL)",
            valueName: "url"))
    var s3Endpoint: String?

    @Option(
        help: ArgumentHelp(
            "For s3:// URLs, the region of the bucket. (default: AWS_REGION, AWS_DEFAULT_REGION or us-east-1)",
            valueName: "name"))
    var s3Region: String?

    @Option(
        help: ArgumentHelp(
            "For s3:// URLs, take the access key from this profile of ~/.aws/credentials. Without it, "
                + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY come first. (default: AWS_PROFILE or default)",
            valueName: "name"))
    var s3Profile: String?

    /// The store that an address names.
    struct Store {
        var url: TransferURL
        var upload: S3Upload
    }

    /// Keys of the environment become part of the upload, as its secrets; those of a file are read at each attempt.
    /// - Parameters:
    ///   - address: begins with `s3://`.
    ///   - partSize: see ``S3PartOptions``.
    /// - Throws: code `malformedURL`, or `usage` for want of keys.
    func store(
        for address: String, partSize: Int64? = nil, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> Store {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { surroundings.environment($0) }.first { !$0.isEmpty }
        }
        let location = try S3Location(parsing: address)
        let file = variable("AWS_SHARED_CREDENTIALS_FILE")
        let profiles = S3Profiles(
            credentials: file, configuration: variable("AWS_CONFIG_FILE"), home: variable("HOME"))
        let profile = s3Profile ?? variable("AWS_PROFILE") ?? "default"
        let endpoint = try endpoint(
            variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? profiles.endpoint(of: profile))
        let region =
            s3Region ?? variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? profiles.region(of: profile) ?? "us-east-1"
        guard S3Location.isRegion(region) else {
            throw TransferError(
                .usage, option: "--s3-region",
                "'\(TextLine.first(of: region))' is no region: use a name such as eu-central-1")
        }
        var upload = S3Upload(region: region, partSize: partSize)
        if s3Profile == nil, let credential = try Self.credential(variable) {
            upload.credential = credential
        } else {
            upload.profile = profile
            upload.credentialFile = try file.map { path throws(TransferError) in
                AbsolutePaths(workingFolder: try surroundings.workingFolder()).path(path)
            }
            guard profiles.credential(of: profile) != nil else {
                throw TransferError(
                    .usage,
                    "no access key for \(TextLine.first(of: address)): set AWS_ACCESS_KEY_ID and "
                        + "AWS_SECRET_ACCESS_KEY, or name a profile of \(file ?? "~/.aws/credentials") with "
                        + "--s3-profile ('\(TextLine.first(of: profile))' has none)")
            }
        }
        return Store(url: try location.url(endpoint: endpoint, region: region), upload: upload)
    }

    private func endpoint(_ usual: String?) throws(TransferError) -> TransferURL? {
        guard let text = s3Endpoint ?? usual else { return nil }
        let url = try naming("--s3-endpoint") { () throws(TransferError) in try TransferURL(text) }
        guard url.credential == nil, !url.target.contains("?") else {
            throw TransferError(.usage, option: "--s3-endpoint", "use a URL without user name and query")
        }
        return url
    }

    private static func credential(_ variable: (String...) -> String?) throws(TransferError) -> S3Credential? {
        let (access, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"))
        guard let access, let secret else {
            guard access != nil || secret != nil else { return nil }
            throw TransferError(
                .usage,
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: "
                    + "\(access == nil ? "the first" : "the second") is not set")
        }
        return S3Credential(accessKey: access, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
    }
}

/// The parts in which larger files are sent.
struct S3PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For s3:// URLs, the size of the parts of larger files, from 5M on. (default: 8M)", valueName: "size"))
    var s3PartSize: String?

    /// Bytes; `nil`: as the upload needs.
    /// - Throws: code `usage`.
    func size() throws(TransferError) -> Int64? {
        guard let text = s3PartSize else { return nil }
        guard let size = ByteCount.parse(text), (S3Upload.smallestPart...S3Upload.largestPart).contains(Int64(size))
        else {
            throw TransferError(.usage, option: "--s3-part-size", "use a size from 5M to 5G")
        }
        return Int64(size)
    }
}
