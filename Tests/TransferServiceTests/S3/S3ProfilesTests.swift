// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferService

@Suite struct S3ProfilesTests {
    @Test func readsProfilesAsTheOfficialToolsDo() {
        var profiles = S3Profiles()
        profiles.read(
            """
            # the usual one
            [default]
            region = eu-central-1
            s3 =
                max_concurrent_requests = 20
                region = nested
            [profile work]
            region=eu-west-1
            endpoint_url = https://store.example.org
            [sso-session x]
            region = us-west-2
            """)
        profiles.read(
            "[default]\r\naws_access_key_id = AKID\r\naws_secret_access_key = a/b+c==\r\n\r\n[work]\n"
                + "AWS_ACCESS_KEY_ID=WORK\naws_secret_access_key=s\naws_session_token = t==\n[half]\n"
                + "aws_access_key_id = x\naws_secret_access_key =\nnonsense")
        #expect(profiles.credential(of: "default") == S3Credential(accessKey: "AKID", secretKey: "a/b+c=="))
        #expect(
            profiles.credential(of: "work") == S3Credential(accessKey: "WORK", secretKey: "s", sessionToken: "t=="))
        #expect(profiles.credential(of: "half") == nil && profiles.credential(of: "other") == nil)
        #expect(profiles.region(of: "default") == "eu-central-1" && profiles.region(of: "work") == "eu-west-1")
        #expect(profiles.endpoint(of: "work") == "https://store.example.org" && profiles.endpoint(of: "default") == nil)
    }

    @Test func tabsAndTablesOfServicesAreRead() {
        var profiles = S3Profiles()
        profiles.read(
            """
            [default]
            aws_access_key_id\t=\tAKID
            aws_secret_access_key\t= a  b
            services = own
            endpoint_url = https://usual.example.org
            [services\town]
            ec2 =
            \tendpoint_url = https://ec2.example.org
            s3 =
            \tendpoint_url = https://store.example.org
            [profile other]
            services = missing
            endpoint_url = https://usual.example.org
            """)
        #expect(profiles.credential(of: "default") == S3Credential(accessKey: "AKID", secretKey: "a  b"))
        #expect(profiles.endpoint(of: "default") == "https://store.example.org")
        #expect(profiles.endpoint(of: "other") == "https://usual.example.org")
        #expect(profiles.endpoint(of: "services own") == nil)
    }

    @Test func missingFilesHaveNoProfiles() throws {
        let folder = try TemporaryFolder()
        #expect(S3Profiles(home: folder.path).credential(of: "default") == nil)
        let path = try folder.write(Array("[p]\naws_access_key_id=a\naws_secret_access_key=b\n".utf8), to: "keys")
        #expect(
            S3Profiles(credentials: path, home: nil).credential(of: "p")
                == S3Credential(accessKey: "a", secretKey: "b"))
    }
}
