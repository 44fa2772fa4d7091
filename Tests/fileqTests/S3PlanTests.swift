// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing
import TransferModel

@testable import fileq

@Suite struct S3PlanTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "planted"]

    private func plan(
        _ words: [String], _ variables: [String: String] = keys, home: String = "/nowhere"
    ) throws -> (url: String, upload: S3Upload) {
        let surroundings = Listener().surroundings(environment: variables.merging(["HOME": home]) { $1 })
        let made = try PutCommand.parse(words).plan(surroundings).descriptions[0]
        guard case .upload(let upload) = made.operation, case .s3(let form) = upload.form else {
            throw TransferError(.other, "not for S3")
        }
        return (made.url.string, form)
    }

    @Test func namesTheObject() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a b")
        var made = try plan([file, "s3://bucket/in/"])
        #expect(made.url == "https://bucket.s3.us-east-1.amazonaws.com/in/a%20b")
        #expect(
            made.upload == S3Upload(region: "us-east-1", credential: .init(accessKey: "AKID", secretKey: "planted")))
        let store = ["AWS_ENDPOINT_URL": "http://127.0.0.1:9000", "AWS_DEFAULT_REGION": "there"]
        made = try plan([file, "s3://bucket/k?x"], Self.keys.merging(store) { $1 })
        #expect(made.url == "http://127.0.0.1:9000/bucket/k%3Fx" && made.upload.region == "there")
        // What is typed comes first, then what is for S3 alone.
        let more = ["AWS_ENDPOINT_URL_S3": "https://s3.test", "AWS_REGION": "here", "AWS_SESSION_TOKEN": "t"]
        made = try plan([file, "s3://bucket/k"], Self.keys.merging(store) { $1 }.merging(more) { $1 })
        #expect(made.url == "https://s3.test/bucket/k" && made.upload.region == "here")
        #expect(made.upload.credential?.sessionToken?.value == "t")
        made = try plan(
            [
                "--s3-endpoint", "https://typed.test/", "--s3-region", "typed", "--s3-part-size", "16M", file,
                "s3://bucket/k",
            ],
            Self.keys.merging(store) { $1 }.merging(more) { $1 })
        #expect(made.url == "https://typed.test/bucket/k" && made.upload.region == "typed")
        #expect(made.upload.partSize == 16 << 20)
    }

    @Test func profilesHaveKeysAndRegions() throws {
        let (folder, home) = (try Folder(), try Folder())
        let file = try folder.write("1", to: "a")
        try FileManager.default.createDirectory(atPath: home.path + "/.aws", withIntermediateDirectories: false)
        _ = try home.write("[work]\naws_access_key_id=W\naws_secret_access_key=s\n", to: ".aws/credentials")
        _ = try home.write("[profile work]\nregion=eu-west-3\nendpoint_url=https://w.test\n", to: ".aws/config")
        let made = try plan([file, "s3://bucket/k"], ["AWS_PROFILE": "work"], home: home.path)
        #expect(made.url == "https://w.test/bucket/k")
        // The keys stay in their file.
        #expect(made.upload == S3Upload(region: "eu-west-3", profile: "work"))
        let typed = try plan(["--s3-profile", "work", file, "s3://bucket/k"], home: home.path)
        #expect(typed.upload.profile == "work" && typed.upload.credential == nil)
        let other = try home.write("[default]\naws_access_key_id=D\naws_secret_access_key=d\n", to: "keys")
        let named = try plan([file, "s3://bucket/k"], ["AWS_SHARED_CREDENTIALS_FILE": other], home: home.path)
        #expect(named.upload.credentialFile == other && named.upload.profile == "default")
    }

    @Test(
        arguments: [
            (["s3://bucket"], 3, "names a bucket and no object"), (["s3://b/k"], 3, "no name of a bucket"),
            (["--s3-region", "a/b", "s3://bucket/k"], 2, "is no region"),
            (["--s3-endpoint", "store.test", "s3://bucket/k"], 3, "--s3-endpoint"),
            (["--s3-endpoint", "http://u:p@store.test", "s3://bucket/k"], 2, "--s3-endpoint"),
            (["--s3-part-size", "4M", "s3://bucket/k"], 2, "from 5M to 5G"),
            (["--s3-profile", "none", "s3://bucket/k"], 2, "'none' has none"),
            (["--sid", "s", "s3://bucket/k"], 2, "FileQ"), (["--method", "POST", "s3://bucket/k"], 2, "--method"),
            (["--resumable", "tus", "s3://bucket/k"], 2, "--resumable"),
        ] as [([String], Int, String)])
    func saysWhatIsWrong(_ words: [String], _ code: Int, _ text: String) throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        let error = #expect(throws: TransferError.self) {
            try plan(words.dropLast() + [file, words.last ?? ""])
        }
        #expect(error?.code.rawValue == code)
        #expect(error.map(MessageCatalog.text)?.contains(text) == true, "\(String(describing: error))")
    }

    @Test func keysAreRequired() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        for (variables, text) in [
            ([:], "no access key for s3://bucket/k: set AWS_ACCESS_KEY_ID"),
            (["AWS_ACCESS_KEY_ID": "A"], "the second is not set"),
            (["AWS_SECRET_ACCESS_KEY": "planted"], "the first is not set"),
        ] as [([String: String], String)] {
            let error = #expect(throws: TransferError.self) { try plan([file, "s3://bucket/k"], variables) }
            #expect(error?.code == .usage && error?.message.contains(text) == true)
            #expect(error?.message.contains("planted") == false)
        }
    }
}
