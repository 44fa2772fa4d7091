// SPDX-License-Identifier: MIT

import ArgumentParser
import FileServer
import Foundation
import Glibc
import Platform
import TransferControl
import TransferModel

/// `fileq demo`
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show a demonstration: a server, sample transfers and the interface.",
        discussion: """
            Starts a server on this machine in a temporary folder, enqueues slow uploads and downloads of different \
            sizes, and opens the interface on them. Everything is removed at the end.

            On the screen there are more, one in each state: failed, waiting for a network or for its time, asking for \
            a login or about a certificate, and others. It runs until you quit; every key works, on a queue of its own.

            Without a terminal the others run in plain mode, every byte is compared, and the exit code is 0 \
            only if all match.

            Examples:
              fileq demo
              fileq demo --plain --rate 20M
            """
    )

    @Flag(help: "Do not open the interface, even on a terminal.")
    var plain = false

    @Option(help: ArgumentHelp("Bytes per second for each connection, such as 2M.", valueName: "rate"))
    var rate = "1536k"

    mutating func run() async throws {
        let rate = try naming("--rate") { [rate] () throws(TransferError) in try TransferRate.parse(rate) }
        let stage = try DemoStage()
        defer { stage.remove() }
        let server = try await stage.serve(stage.serverFolder, rate: rate)
        let descriptions = try stage.transfers(at: server.url)
        if !plain, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
            try await watch(stage, server, rate: rate)
        } else {
            try await check(descriptions, stage, server)
        }
    }

    private func watch(_ stage: DemoStage, _ server: RunningFileServer, rate: Int) async throws {
        var settings = InterfaceScreen.Settings(title: "fileq demo")
        try settings.read()
        let overloaded = try OverloadedServer(for: 8, insteadOf: server.url)
        defer { overloaded.stop() }
        let untrusted = try await stage.serve(stage.untrustedFolder, rate: rate, tls: stage.writeCertificate())
        let queue = try stage.queue(concurrent: 4)
        try await stage.fill(
            queue.client, from: server.url, overloaded: overloaded.url, untrusted: untrusted.url)
        let keepingUp = Task { await stage.keepUp(queue.client, from: server.url) }
        defer { keepingUp.cancel() }
        let program = InterfaceScreen.program(queue.client, settings) { snapshot in
            let count = snapshot.transfers.count { !$0.state.isEnded }
            return count == 0 ? nil : "\(count) unfinished; everything is removed. Quit? y/n"
        }
        let ending = await InterfaceScreen.show(program)
        await queue.stop()
        await server.stop()
        await untrusted.stop()
        try InterfaceScreen.validate(try ending.get())
    }

    private func check(_ descriptions: [Spec], _ stage: DemoStage, _ server: RunningFileServer) async throws {
        var output = OutputOptions()
        output.json = false
        output.plain = true
        output.quiet = false
        output.verbose = false
        var plan = try TransferPlan(output: output)
        plan.settings = QueueSettings(concurrent: 4)
        plan.descriptions = descriptions
        try await TransferRun.start(plan)
        await server.stop()
        let differing = stage.differingFiles()
        guard differing.isEmpty else {
            throw TransferError(.other, "these files differ from their source: \(differing.joined(separator: ", "))")
        }
        print(
            "\(stage.samples.count) transfers, \(ByteCount.short(Double(stage.totalBytes))) in all; every byte matches"
        )
    }
}

/// The demonstration's temporary folder: server files, sources and downloads.
struct DemoStage {
    struct Sample {
        var name: String
        var bytes: Int
        var kind: TransferKind
        /// A FileQ upload instead of a plain `PUT`.
        var isFileQ = false
    }

    let samples = [
        Sample(name: "夏祭りの動画.mp4", bytes: 14_000_000, kind: .download),
        Sample(name: "backup-2026-11.tar.zst", bytes: 11_000_000, kind: .upload),
        Sample(name: "議事録（最終版）.pdf", bytes: 2_400_000, kind: .upload, isFileQ: true),
        Sample(name: "debian-netinst.iso", bytes: 20_000_000, kind: .download),
        Sample(name: "写真アルバム 京都 2025年春.zip", bytes: 8_000_000, kind: .upload, isFileQ: true),
        Sample(name: "readme.txt", bytes: 4_096, kind: .download),
        Sample(name: "データ.csv", bytes: 900_000, kind: .download),
        Sample(name: "empty.log", bytes: 0, kind: .upload),
    ]

    private let root: String
    var serverFolder: String { "\(root)/server" }
    var untrustedFolder: String { "\(root)/untrusted" }
    var stateFolder: String { "\(root)/state" }
    private var localFolder: String { "\(root)/local" }
    var arrivedFolder: String { "\(root)/arrived" }
    var totalBytes: Int { samples.reduce(0) { $0 + $1.bytes } }

    init() throws(TransferError) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/fileq-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TransferError(.cannotWrite, "cannot create a temporary folder: \(SystemError.text(errno))")
        }
        root = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        do {
            for folder in [serverFolder, untrustedFolder, localFolder, arrivedFolder] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            for (index, sample) in samples.enumerated() {
                let folder = sample.kind == .download ? serverFolder : localFolder
                try Self.content(sample.bytes, seed: UInt64(index + 1)).write(
                    to: URL(fileURLWithPath: "\(folder)/\(sample.name)"))
            }
        } catch {
            remove()
            throw Self.unwritable(error)
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }

    /// Writes ``DemoCertificate`` beside the folders that are served.
    func writeCertificate() throws(TransferError) -> FileServerConfiguration.TLS {
        let tls = FileServerConfiguration.TLS(certificatePath: "\(root)/demo.pem", keyPath: "\(root)/demo.key")
        do {
            try Data(DemoCertificate.chain.utf8).write(to: URL(fileURLWithPath: tls.certificatePath))
            try Data(DemoCertificate.key.utf8).write(to: URL(fileURLWithPath: tls.keyPath))
        } catch { throw Self.unwritable(error) }
        return tls
    }

    private static func unwritable(_ error: any Error) -> TransferError {
        TransferError(.cannotWrite, "cannot write the demonstration's files: \(error.localizedDescription)")
    }

    /// For the screen: those that start at once, and wait, ask or fail; one for later; and those that do not start.
    func extras(
        at server: String, overloaded: String, untrusted: String
    ) throws(TransferError) -> (now: [Spec], later: [Spec], paused: [Spec]) {
        let (busy, nightly, secret, taken) = ("busy-mirror.tar.gz", "nightly.tar.gz", "manual.pdf", "disk.iso")
        let sealed = "src.tar.gz"
        do {
            for (index, name) in [busy, nightly, secret, taken, sealed].enumerated() {
                let content = Self.content(3_000_000, seed: UInt64(samples.count + index + 1))
                let folder = name == sealed ? untrustedFolder : serverFolder
                try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            try Data("another one".utf8).write(to: URL(fileURLWithPath: "\(arrivedFolder)/\(taken)"))
        } catch { throw Self.unwritable(error) }
        var waiting = try download("phone-photos.zip", from: server)
        (waiting.options.interface, waiting.options.waitsForConnectivity) = ("wlan7", true)
        var asking = try download(secret, from: overloaded)
        asking.url = try TransferURL("\(overloaded)\(OverloadedServer.closed)\(secret)")
        return (
            [
                try download("missing.bin", from: server), try download(taken, from: server),
                try download(busy, from: overloaded), asking, try download(sealed, from: untrusted), waiting,
            ],
            [try download(nightly, from: server)],
            [try download("データ.csv", from: server), try download("debian-netinst.iso", from: server)]
        )
    }

    /// A sample once more, under another name.
    func again(_ sample: Sample, named name: String, at server: String) throws(TransferError) -> Spec {
        guard sample.kind == .upload else {
            return Spec(
                url: try TransferURL("\(server)/\(PercentCoding.encode(sample.name))"),
                operation: .download(Download(destination: .folder(path: arrivedFolder, name: name))))
        }
        return Spec(
            url: try TransferURL("\(server)/\(PercentCoding.encode(name))"),
            operation: .upload(Upload(source: .file(path: "\(localFolder)/\(sample.name)"), form: .put)))
    }

    private func download(_ name: String, from server: String) throws(TransferError) -> Spec {
        Spec(
            url: try TransferURL("\(server)/\(PercentCoding.encode(name))"),
            operation: .download(Download(destination: .folder(path: arrivedFolder, name: name))))
    }

    func transfers(at server: String) throws(TransferError) -> [Spec] {
        var transfers: [Spec] = []
        for sample in samples {
            let path = PercentCoding.encode(sample.name)
            switch (sample.kind, sample.isFileQ) {
            case (.download, _): transfers.append(try download(sample.name, from: server))
            case (.upload, let isFileQ):
                let source = Upload.Source.file(path: "\(localFolder)/\(sample.name)")
                let url = try TransferURL(isFileQ ? "\(server)/upload" : "\(server)/\(path)")
                transfers.append(
                    Spec(
                        url: url,
                        operation: .upload(
                            Upload(source: source, form: isFileQ ? .fileQ(FileQUpload()) : .put))))
            }
        }
        return transfers
    }

    /// The samples whose source and destination differ.
    func differingFiles() -> [String] {
        samples.filter { sample in
            let start = "\(sample.kind == .download ? serverFolder : localFolder)/\(sample.name)"
            guard let end = arrivedPath(of: sample) else { return true }
            return !FileManager.default.contentsEqual(atPath: start, andPath: end)
        }.map(\.name)
    }

    private func arrivedPath(of sample: Sample) -> String? {
        if sample.kind == .download { return "\(arrivedFolder)/\(sample.name)" }
        guard sample.isFileQ else { return "\(serverFolder)/\(sample.name)" }
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "\(serverFolder)/files")) ?? []
        return ids.map { "\(serverFolder)/files/\($0)/\(sample.name)" }.first {
            FileManager.default.fileExists(atPath: $0)
        }
    }

    /// Reproducible pseudo-random bytes.
    private static func content(_ count: Int, seed: UInt64) -> Data {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var data = Data(count: (count + 7) / 8 * 8)
        data.withUnsafeMutableBytes { raw in
            for index in raw.bindMemory(to: UInt64.self).indices {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                raw.storeBytes(of: state, toByteOffset: index * 8, as: UInt64.self)
            }
        }
        return data.prefix(count)
    }
}
