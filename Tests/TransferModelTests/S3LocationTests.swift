// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct S3LocationTests {
    private let long = String(repeating: "a", count: 70)

    /// Other stores have no bounds of their own, or others.
    @Test func namesOfBucketsAreAsLongAsTheStoreTakes() throws {
        for name in ["b", "ab", long] {
            let location = try S3Location(parsing: "s3://\(name)/k")
            #expect(throws: TransferError.self) { try location.url(endpoint: nil, region: "eu-west-1") }
        }
    }

    @Test func namesTheObjectAtItsStore() throws {
        for (text, endpoint, expected) in [
            ("s3://bucket/key", nil, "https://bucket.s3.eu-west-1.amazonaws.com/key"),
            ("S3://bucket/a b/ö?x#y%20", nil, "https://bucket.s3.eu-west-1.amazonaws.com/a%20b/%C3%B6%3Fx%23y%2520"),
            ("s3://my.bucket/k", nil, "https://s3.eu-west-1.amazonaws.com/my.bucket/k"),
            ("s3://bucket/", nil, "https://bucket.s3.eu-west-1.amazonaws.com/"),
            ("s3://bucket/a//b/../c", "http://127.0.0.1:5000", "http://127.0.0.1:5000/bucket/a//b/%2E%2E/c"),
            ("s3://my_Bucket/k", "https://store.test/s3/", "https://store.test/s3/my_Bucket/k"),
            ("s3://b/k", "https://store.test", "https://store.test/b/k"),
            ("s3://\(long)/k", "https://store.test", "https://store.test/\(long)/k"),
        ] {
            let url = try S3Location(parsing: text)
                .url(endpoint: endpoint.map { try TransferURL($0) }, region: "eu-west-1")
            #expect(url.string == expected)
        }
        let china = try S3Location(parsing: "s3://bucket/k").url(endpoint: nil, region: "cn-north-1")
        #expect(china.string == "https://bucket.s3.cn-north-1.amazonaws.com.cn/k")
    }

    @Test(arguments: [
        "s3://bucket", "s3://", "s3:///key", "s3://-abc/key", "s3://abc-/key", "s3://a..b/key",
        "s3://user:password@bucket/key", "s3://bucket:80/key", "s3://b%20cd/key", "s3://bücket/key",
        "s3://bucket/a\u{1}b", "s3://" + String(repeating: "a", count: 256) + "/k",
        "s3://bucket/" + String(repeating: "k", count: 1025),
    ]) func rejectsWhatIsNoObject(_ text: String) {
        #expect(throws: TransferError.self) { try S3Location(parsing: text) }
    }

    @Test func regionsArePartsOfHostNames() {
        for name in ["eu-central-1", "us-east-1", "auto", "garage", "RegionOne", "local_1"] {
            #expect(S3Location.isRegion(name))
        }
        for name in ["", "a b", "a/b", "a.b", "é", String(repeating: "a", count: 65)] {
            #expect(!S3Location.isRegion(name))
        }
    }

    /// Only an encoder that states how writes the keys.
    @Test func keysAreSecrets() throws {
        let upload = S3Upload(
            region: "r",
            credential: S3Credential(accessKey: "planted-id", secretKey: "planted-key", sessionToken: "planted-token"))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(upload) }
        let encoder = JSONEncoder()
        encoder.userInfo[.secrets] = SecretCoding.redacted
        #expect(!String(decoding: try encoder.encode(upload), as: UTF8.self).contains("planted"))
        #expect(!"\(upload)".contains("planted") && !String(reflecting: upload).contains("planted"))
        let vault = SecretVault()
        encoder.userInfo[.secrets] = SecretCoding.vault(vault)
        let stored = try encoder.encode(upload)
        #expect(!String(decoding: stored, as: UTF8.self).contains("planted"))
        let decoder = JSONDecoder()
        decoder.userInfo[.secrets] = SecretCoding.vault(SecretVault(vault.take()))
        #expect(try decoder.decode(S3Upload.self, from: stored) == upload)
    }
}
