// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel
import TransferTesting

@testable import SessionCore

@Suite struct BackgroundRulesTests {
    private static let taken: [(TaskDriver.Payload, BackgroundRules.Work)] = [
        (.download(DownloadTarget()), .download), (.upload(.file(path: "/a/b"), digest: nil), .upload(file: "/a/b")),
    ]

    @Test func acceptsFiles() throws {
        for (payload, work) in Self.taken { #expect(try BackgroundRules.work(payload, hasClosure: false) == work) }
        // The service begins in another folder.
        let here = FileManager.default.currentDirectoryPath
        #expect(
            try BackgroundRules.work(.upload(.file(path: "b"), digest: nil), hasClosure: false)
                == .upload(file: "\(here)/b"))
    }

    @Test func rejectsProcessBoundTasks() throws {
        let folder = try TemporaryFolder()
        let point = ResumePoint(offset: 1, validator: Validator(entityTag: "\"1\""), total: nil)
        let refused: [TaskDriver.Payload] = [
            .data(sending: nil), .data(sending: [1]), .upload(.bytes([1]), digest: nil),
            .upload(.stream(descriptor: 0), digest: nil),
            .upload(.file(path: "/a"), digest: .sha256), .download(DownloadTarget(place: .stream(descriptor: 1))),
            .download(DownloadTarget(place: .partial(try PartialFile(path: folder.file("x"))))),
            .download(DownloadTarget(resume: point)),
            .download(DownloadTarget(copy: Validator(entityTag: "\"1\""))), .download(DownloadTarget(digest: .sha256)),
        ]
        for payload in refused {
            let error = #expect(throws: TransferError.self) { try BackgroundRules.work(payload, hasClosure: false) }
            #expect(error?.code == .usage)
        }
        // Of a closure nothing is left either.
        for (payload, _) in Self.taken {
            #expect(throws: TransferError.self) { try BackgroundRules.work(payload, hasClosure: true) }
        }
    }

    @Test func passesTheConfigurationAndPrefersTheRequest() throws {
        var configuration = TransferConfiguration.background("x")
        (configuration.connectTimeout, configuration.requestTimeout, configuration.resourceTimeout) = (1, 2, 3)
        (configuration.allowsExpensiveNetworkAccess, configuration.interface, configuration.userAgent) = (
            false, "eth7", "me/1"
        )
        configuration.additionalFields = [.accept: "text/html", .contentLanguage: "fr"]
        configuration.waitsForConnectivity = false
        configuration.multipathServiceType = .handover
        let plain = BackgroundRules.complete(try request(), configuration).options
        #expect((plain.connectTimeout, plain.requestTimeout, plain.resourceTimeout) == (1, 2, 3))
        #expect((plain.allowsCellular, plain.allowsExpensive, plain.allowsConstrained) == (true, false, true))
        #expect(plain.interface == "eth7")
        #expect(plain.multipath == .handover)
        #expect(plain.waitsForConnectivity == true)
        #expect(plain.method == .get)
        #expect(
            Dictionary(uniqueKeysWithValues: plain.headers.map { ($0.name, $0.value) })
                == [.accept: "text/html", .contentLanguage: "fr", .userAgent: "me/1"])
        #expect(
            BackgroundRules.complete(try request { $0.multipath = MultipathServiceType.none }, configuration).options
                .multipath
                == MultipathServiceType.none)
        let own = BackgroundRules.complete(
            try request("http://a.test/", .post) { options in
                (options.requestTimeout, options.allowsExpensive, options.waitsForConnectivity, options.interface) = (
                    9, true, false, "lo"
                )
                options.headers = [HTTPField(name: .userAgent, value: "own"), HTTPField(name: .accept, value: "own")]
            }, configuration
        ).options
        #expect((own.requestTimeout, own.allowsExpensive, own.interface, own.method) == (9, true, "lo", .post))
        #expect(own.waitsForConnectivity == true)
        #expect(own.headers.map(\.value) == ["own", "own", "fr"])
    }

    /// Its transfers would end with the program, which its configuration says they do not.
    @Test func anIdentifierWithoutAConnectorFails() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) {
            $0.identifier = "x"
        } answer: { _, _ in
            .init(200)
        }
        let task = stage.session.dataTask(with: try request())
        #expect(await eventually { recorder.error(task)?.code == .usage })
        try await stage.session.waitUntilStored()
    }
}
