// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferStore

/// The intention of many files in one row.
@Suite struct PlacementGroupTests {
    private let file = PlacementGroup.File(id: TransferID(rawValue: 7), inode: .max - 1, length: 4096)

    @Test(arguments: [0, 1, 3]) func filesSurviveTheColumn(_ count: Int) {
        let files = (0..<count).map {
            PlacementGroup.File(id: TransferID(rawValue: $0 + 1), inode: UInt64($0) << 40 | 5, length: Int64($0) * 99)
        }
        let group = PlacementGroup(files, bootID: nil, areSynced: true)
        #expect(PlacementGroup.files(group.blob) == files)
    }

    @Test func anIncompleteFileIsIgnored() {
        let blob = PlacementGroup([file, file], bootID: nil, areSynced: true).blob
        #expect(PlacementGroup.files(blob.dropLast()) == [file])
        #expect(PlacementGroup.files(Data()).isEmpty)
    }

    @Test(arguments: [
        (TransferStatus.queued(), true), (.running(), true), (.verifying(), true), (.paused(.by(.transfer)), false),
        (.retrying(at: 1, nil), true),
        (.completed(.init(at: 1)), false), (.failed(.init(at: 1), .unexplained), false),
    ])
    func onlyTransfersThatMayRunWereAboutToGetNames(_ status: TransferStatus, _ isApplied: Bool) {
        var transfer = Transfer(id: file.id, kind: .download, url: "http://h/a", file: "/d/a", status: status)
        PlacementGroup([], bootID: "boot", areSynced: true).apply(file, to: &transfer)
        #expect((transfer.state == .verifying) == isApplied)
        #expect((transfer.checkpoint?.download?.inode == file.inode) == isApplied)
        guard isApplied else { return }
        let data = transfer.checkpoint?.download?.data
        #expect(data?.partialPath == "/d/a.fileq-part")
        #expect(data?.ranges.prefixLength == 4096 && data?.total == 4096 && data?.bootID == "boot")
    }

    /// Such as of a later attempt, with a partial file.
    @Test func anIntentionOfItsOwnCountsMore() {
        var transfer = Transfer(id: file.id, kind: .download, url: "http://h/a", file: "/d/a", status: .verifying())
        var checkpoint = Checkpoint()
        let data = ResumeData(
            url: "http://h/a", validator: Validator(), ranges: ByteRangeSet(), total: 9, partialPath: "/d/a.fileq-part",
            bootID: nil)
        checkpoint.download = DownloadCheckpoint(data, inode: 3)
        transfer.checkpoint = checkpoint
        PlacementGroup([], bootID: "boot", areSynced: true).apply(file, to: &transfer)
        #expect(transfer.checkpoint == checkpoint)
    }

    @Test func unsyncedBytesAreTrustedInTheSameBootAlone() {
        var transfer = Transfer(id: file.id, kind: .download, url: "http://h/a", file: "/d/a")
        PlacementGroup([], bootID: "boot", areSynced: false).apply(file, to: &transfer)
        let found = RecoveryPolicy.FoundFiles(finalLength: 4096, finalInode: file.inode)
        #expect(RecoveryPolicy(bootID: "boot").state(of: transfer, files: found) == .completed)
        #expect(RecoveryPolicy(bootID: "other").state(of: transfer, files: found) == .queued)
    }

    @Test func theNextProcessFindsIntentionsUntilTheyAreDropped() throws {
        let fixture = try StoreFixture()
        let (first, second): (Transfer, Transfer)
        do {
            let store = try fixture.open()
            let stored = try store.add(StoreFixture.transfers(3))
            (first, second) = (stored[0], stored[1])
            let numbers = try [first, second].map { transfer in
                try store.intend(
                    PlacementGroup(
                        [.init(id: transfer.id, inode: 5, length: 6)], bootID: "boot", areSynced: false),
                    isDurable: false, dropping: [])
            }
            #expect(try store.placements() == numbers)
        }
        let store = try fixture.open()
        #expect(try store.unfinished().map(\.state) == [.verifying, .verifying, .queued])
        #expect(try store.unfinished()[0].total == 6)
        let numbers = try store.placements()
        let third = try store.intend(
            PlacementGroup([.init(id: first.id, inode: 8, length: 9)], bootID: "boot", areSynced: true),
            isDurable: true, dropping: [numbers[1]])
        let found = try store.unfinished()
        #expect(found.map(\.state) == [.verifying, .queued, .queued])
        #expect(found[0].checkpoint?.download?.inode == 8, "the last one counts")
        try store.dropPlacements([numbers[0], third])
        #expect(try store.placements().isEmpty)
        #expect(try store.unfinished().allSatisfy { $0.state == .queued })
    }

    // MARK: The completion of such a download

    @Test func aCompletionWritesWhatAWholeRecordWould() throws {
        let store = try StoreFixture().open()
        var stored = try store.add(StoreFixture.transfers(2))
        for index in stored.indices {
            stored[index].status = .completed(.init(at: 1_800_000_005))
            stored[index].file = "/d/other-\(index)"
            (stored[index].bytes, stored[index].total, stored[index].confirmed) = (4096, 4096, 4096)
            stored[index].httpStatus = 200
        }
        try store.commit(
            [StoreChange(stored[0], columns: .completion), StoreChange(stored[1], columns: .all)], isDurable: false)
        for transfer in stored { #expect(try store.transfer(transfer.id) == transfer) }
    }

    @Test func aCompletionMergedWithAnotherChangeWritesAll() throws {
        let transfer = try StoreFixture().open().add(StoreFixture.transfers(1))[0]
        var change = StoreChange(transfer)
        change.absorb(StoreChange(transfer, columns: .completion))
        #expect(change.columns == .all)
    }

    @Test func aCompletedTransferLosesItsSecretsWhicheverColumnsAreWritten() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var transfer = try store.add([StoreFixture.transfer(cookie: "hidden")])[0]
        #expect(fixture.credentials.contains("hidden"))
        transfer.status = .completed(.init(at: 1))
        try store.commit([StoreChange(transfer, columns: .completion)], isDurable: false)
        #expect(!fixture.credentials.contains("hidden"))
    }

    // MARK: Metrics

    @Test func metricsAreReadAsTheyWereWritten() throws {
        var metrics = TransferMetrics()
        let empty = metrics
        (metrics.nameLookup, metrics.connect, metrics.tls) = (1e-9, 0.25, 3)
        (metrics.firstByte, metrics.total, metrics.bodyReceived) = (0.1, 1234.5, .max)
        (metrics.bodySent, metrics.resumedFrom, metrics.exchanges, metrics.redirects) = (1, 2, 3, 4)
        (metrics.protocolName, metrics.remoteAddress, metrics.isReusedConnection) = ("h2", "[::1]:80", true)
        (metrics.taskStart, metrics.taskEnd) = (1_800_000_000.123456, 1e17)
        var transaction = TransactionMetrics(method: "GET", shownURL: "http://h/\"\\\u{1}\u{1F}é\u{1F600}")
        let plain = transaction
        (transaction.status, transaction.fetchType, transaction.fetchStart) = (206, .localCache, 1)
        (transaction.domainLookupStart, transaction.domainLookupEnd) = (2, 3)
        (transaction.connectStart, transaction.secureConnectionStart) = (4, 5)
        (transaction.secureConnectionEnd, transaction.connectEnd) = (6, 7)
        (transaction.requestStart, transaction.requestEnd) = (8, 9)
        (transaction.responseStart, transaction.responseEnd) = (10, 11)
        (transaction.protocolName, transaction.isReusedConnection) = ("http/1.1", true)
        (transaction.isProxyConnection, transaction.isMultipath) = (true, true)
        (transaction.remoteAddress, transaction.remotePort) = ("::1", 443)
        (transaction.localAddress, transaction.localPort) = ("127.0.0.1", 50_000)
        (transaction.tlsVersion, transaction.tlsCipher) = ("TLSv1.3", "TLS_AES_128_GCM_SHA256")
        (transaction.requestHeaderBytes, transaction.requestBodyBytesSent) = (12, 13)
        (transaction.requestBodyBytes, transaction.responseHeaderBytes) = (14, 15)
        (transaction.responseBodyBytesReceived, transaction.responseBodyBytes) = (16, 17)
        metrics.transactions = [transaction, plain]
        for expected in [empty, metrics] {
            let text = MetricsText.text(expected)
            #expect(try JSONDecoder().decode(TransferMetrics.self, from: Data(text.utf8)) == expected, "\(text)")
            // A member added to the type must be written, too.
            let whole = try #require(
                try JSONSerialization.jsonObject(with: JSONEncoder().encode(expected)) as? NSDictionary)
            #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary == whole)
        }
    }

    @Test func timesThatAreNoNumbersAreLeftOut() throws {
        var metrics = TransferMetrics()
        (metrics.connect, metrics.total) = (.nan, .infinity)
        let read = try JSONDecoder().decode(TransferMetrics.self, from: Data(MetricsText.text(metrics).utf8))
        #expect(read.connect == nil && read.total == 0)
    }
}
