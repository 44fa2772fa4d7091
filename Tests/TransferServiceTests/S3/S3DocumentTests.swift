// SPDX-License-Identifier: MIT

import SessionCore
import Testing

@testable import TransferService

@Suite struct S3DocumentTests {
    private func read(_ text: String) -> S3Answer { S3Document.read(Array(text.utf8)) }

    @Test func readsWhatTheStoreStates() {
        let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let space = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""
        for (text, expected): (String, S3Answer) in [
            (
                head + "<InitiateMultipartUploadResult\(space)><Bucket>b</Bucket><Key>k</Key><UploadId>a+/=</UploadId>"
                    + "</InitiateMultipartUploadResult>", .created(uploadID: "a+/=")
            ),
            ("<InitiateMultipartUploadResult><UploadId> \n</UploadId></InitiateMultipartUploadResult>", .other),
            (
                "<ListPartsResult\(space)><IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker>"
                    + "<Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag><Size>5</Size></Part><Part><ETag>&quot;b&quot;"
                    + "</ETag><Size>7</Size><PartNumber>2</PartNumber><ChecksumSHA256>\(digest)</ChecksumSHA256></Part>"
                    + "</ListPartsResult>",
                .parts(
                    S3PartList(
                        [
                            S3Part(1, size: 5, tag: "\"a\""),
                            S3Part(2, size: 7, tag: "\"b\"", digest: Hex32.empty),
                        ], next: 2))
            ),
            // Numbers that are none, and a part without one of its elements.
            (
                "<ListPartsResult><IsTruncated>false</IsTruncated><NextPartNumberMarker>9</NextPartNumberMarker><Part>"
                    + "<PartNumber>-1</PartNumber><ETag>a</ETag><Size>5</Size></Part><Part><PartNumber>1</PartNumber>"
                    + "<ETag>a</ETag></Part><Part><PartNumber>10001</PartNumber><ETag>a</ETag><Size>1</Size></Part>"
                    + "<Part><PartNumber>3</PartNumber><ETag>a</ETag><Size>99999999999999999999</Size></Part>"
                    + "</ListPartsResult>", .parts(S3PartList([]))
            ),
            (
                "\n  \n<CompleteMultipartUploadResult><ETag>\"x-2\"</ETag><ChecksumSHA256>y-2</ChecksumSHA256>"
                    + "</CompleteMultipartUploadResult>", .completed(tag: "\"x-2\"", checksum: "y-2")
            ),
            (
                head + "<Error><Code>NoSuchUpload</Code><Message>It is\u{1}\u{202e} gone\nfor good</Message></Error>",
                .other
            ),
            (
                head + "<Error><Code>NoSuchUpload</Code><Message>It is gone\nfor good</Message><Region>eu-west-1"
                    + "</Region></Error>",
                .failure(S3Failure(code: "NoSuchUpload", message: "It is gone", region: "eu-west-1"))
            ),
            ("<Error/>", .failure(S3Failure(code: "an error without a code"))),
            ("<ListPartsResponse/>", .parts(S3PartList([]))),
            ("<html><body><Error><Code>x</Code></Error></body></html>", .other),
            ("<ListPartsResult><Part>", .other), ("", .other), ("   ", .other), ("OK", .other),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><Error><Code>&b;</Code></Error>", .other),
        ] {
            #expect(read(text) == expected, "\(text)")
        }
    }

    @Test func limitsWhatItReads() {
        let part = "<Part><PartNumber>1</PartNumber><ETag>a</ETag><Size>5</Size></Part>"
        #expect(read("<ListPartsResult>\(String(repeating: part, count: 10_002))</ListPartsResult>") == .other)
        #expect(read("<Error>" + String(repeating: " ", count: S3Document.maximumBytes) + "</Error>") == .other)
    }

    private enum Hex32 {
        /// The SHA-256 of nothing.
        static let empty: [UInt8] = [
            0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae,
            0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
        ]
    }
}
