// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferService

@Suite struct SigV4Tests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private struct Row {
        var method = "GET"
        var target: String
        var fields: [(name: String, value: String)]
        var payload = empty
        var signature: String
    }

    private func sign(_ row: Row, _ signer: SigV4, _ time: Int64) -> String {
        signer.authorization(
            SigV4.Request(method: row.method, target: row.target, fields: row.fields, payload: row.payload), at: time)
    }

    /// The published test suite of the algorithm.
    @Test func signsAsTheTestSuite() {
        let signer = SigV4(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
            service: "service")
        let fields = [(name: "Host", value: "example.amazonaws.com"), (name: "X-Amz-Date", value: "20150830T123600Z")]
        for row in [
            // get-vanilla
            Row(
                target: "/", fields: fields,
                signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            // get-vanilla-query-order-key-case
            Row(
                target: "/?Param2=value2&Param1=value1", fields: fields,
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            // post-vanilla
            Row(
                method: "POST", target: "/", fields: fields.reversed(),
                signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            // get-header-value-trim
            Row(
                target: "/",
                fields: fields + [
                    (name: "My-Header1", value: " value1"), (name: "My-Header2", value: " \"a   b   c\""),
                ],
                signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        ] {
            #expect(sign(row, signer, 1_440_938_160).hasSuffix("Signature=\(row.signature)"), "\(row.target)")
        }
    }

    /// The examples of "Authenticating Requests: Using the Authorization Header" in the reference of S3; the last one
    /// is what botocore computes.
    @Test func signsAsTheExamplesOfS3() {
        let signer = SigV4(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1")
        func fields(
            _ payload: String = Self.empty, host: String = "examplebucket.s3.amazonaws.com",
            and more: [(name: String, value: String)] = []
        ) -> [(name: String, value: String)] {
            [
                (name: "host", value: host), (name: "x-amz-content-sha256", value: payload),
                (name: "x-amz-date", value: "20130524T000000Z"),
            ] + more
        }
        let text = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        for row in [
            Row(
                target: "/test.txt", fields: fields(and: [(name: "range", value: "bytes=0-9")]),
                signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            Row(
                method: "PUT", target: "/test$file.text",
                fields: fields(
                    text,
                    and: [
                        (name: "Date", value: "Fri, 24 May 2013 00:00:00 GMT"),
                        (name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
                    ]), payload: text,
                signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            Row(
                target: "/?lifecycle", fields: fields(),
                signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            Row(
                target: "/?prefix=J&max-keys=2", fields: fields(),
                signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ] {
            #expect(sign(row, signer, 1_369_353_600).hasSuffix("Signature=\(row.signature)"), "\(row.target)")
        }
        let row = Row(
            method: "PUT", target: "/a%20b/%C3%B6%2B%3D%2A~x.bin?uploadId=a%2Bb%2F%3D&partNumber=3",
            fields: fields(
                hello, host: "b.s3.eu-central-1.amazonaws.com", and: [(name: "x-amz-acl", value: " a   b ")]),
            payload: hello, signature: "f94f8873b1500206e587ad1f5fcfdc036ca563fcd4be6cf5513c19292ef678ca")
        #expect(
            sign(row, signer, 1_369_353_600)
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-acl;x-amz-content-sha256;x-amz-date, Signature=\(row.signature)")
    }

    @Test func datesHaveNoSeparators() {
        #expect(SigV4.date(1_369_353_600) == "20130524T000000Z")
        #expect(SigV4.date(951_868_799) == "20000229T235959Z")
    }
}
