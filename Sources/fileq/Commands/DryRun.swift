// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// `--dry-run`: lists what a plan would do. Sends HEAD requests only, writes no file, enqueues nothing.
struct DryRun {
    /// The response of a server about a file, or its error.
    struct Finding: Sendable, Equatable {
        var status: Int?
        var size: Int64?
        /// That the server proposes.
        var name: String?
        var error: TransferError?
    }

    let writesJSON: Bool
    /// Separates source and destination of a transfer.
    let arrow: String
    /// Sends one HEAD request.
    let head: @Sendable (TransferRequest) async -> Finding

    /// The number of concurrent requests.
    private static let window = 8

    /// Lists `specs` on standard output.
    /// - Parameters:
    ///   - failures: what could not be planned, which is reported already.
    ///   - skipped: the number of invalid lines, reported as well.
    /// - Throws: an `ExitCode` if there are `failures`, or lines were skipped.
    static func start(
        _ specs: [Spec], besides failures: [TransferPlan.Failure], skipped: Int, settings: QueueSettings, json: Bool
    ) async throws {
        signal(SIGPIPE, SIG_IGN)
        let session = try makeProbe(settings)
        defer { session.invalidateAndCancel() }
        let isUnicode =
            isatty(STDOUT_FILENO) == 1
            && TerminalTraits(isTerminal: true, environment: ProcessEnvironment.value).isUnicode
        let run = DryRun(writesJSON: json, arrow: isUnicode ? "→" : "->") { request in
            do throws(TransferError) {
                let answer = try await session.data(for: request)
                return finding(answer.response)
            } catch {
                return Finding(error: error)
            }
        }
        let output = FileOutput(descriptor: STDOUT_FILENO)
        try await run.list(specs) { line throws(TransferError) in
            guard !output.write(line) else { return }
            let failure = FileOutput.failure()
            throw failure.systemErrno == EPIPE ? TransferError(.cannotWrite, "standard output is closed") : failure
        }
        if let code = failures.exitCode { throw ExitCode(code) }
        if skipped > 0 { throw ExitCode(Int32(TransferError.Code.usage.rawValue)) }
    }

    /// Writes one line per transfer, in the order of the plan.
    func list(_ specs: [Spec], write: (String) throws(TransferError) -> Void) async throws {
        for start in stride(from: 0, to: specs.count, by: Self.window) {
            let part = Array(specs[start..<min(start + Self.window, specs.count)])
            let findings = await withTaskGroup(of: (Int, Finding).self) { group in
                for (index, spec) in part.enumerated() { group.addTask { (index, await finding(for: spec)) } }
                return await group.reduce(into: [Int: Finding]()) { $0[$1.0] = $1.1 }
            }
            for (index, spec) in part.enumerated() { try write(line(for: spec, findings[index] ?? Finding()) + "\n") }
        }
    }

    private func finding(for spec: Spec) async -> Finding {
        switch spec.operation {
        case .upload(let upload):
            guard case .file(let path) = upload.source else { return Finding() }
            return Finding(size: FileStatus(path)?.size)
        case .download:
            guard let request = Self.request(for: spec) else { return Finding() }
            return await head(request)
        }
    }

    /// `nil` for a download whose method is not GET: a HEAD response says nothing about it.
    static func request(for spec: Spec) -> TransferRequest? {
        guard case .download(let download) = spec.operation, download.body == nil, spec.options.method ?? .get == .get
        else { return nil }
        var options = spec.options
        // A cookie jar would be written.
        (options.method, options.cookieJar, options.waitsForConnectivity) = (nil, nil, false)
        var request = TransferRequest(url: spec.url, method: .head, options: options)
        request.decodesBody = false
        return request
    }

    private static func finding(_ head: HTTPResponse) -> Finding {
        let status = head.status.code
        let isWhole = status == 200 && head.headerFields[.contentEncoding] == nil
        return Finding(
            status: status, size: isWhole ? head.headerFields[.contentLength].flatMap { Int64($0) } : nil,
            name: head.status.kind == .successful ? head.headerFields.proposedFileName : nil)
    }

    // MARK: Lines

    private func line(for spec: Spec, _ finding: Finding) -> String {
        let address = TransferURL.displayed(spec.url.string)
        let file = Self.named(spec, finding.name).file
        let exists = spec.kind == .download && file != "-" && FileStatus(file, followingLinks: false) != nil
        guard !writesJSON else {
            var line = JSONLine()
            line.add("event", "planned")
            line.add("kind", spec.kind.rawValue)
            line.add("url", address)
            line.add("file", file)
            if exists { line.add("exists", true) }
            if let mirrors = Self.mirrors(of: spec) { line.add("mirrors", words: mirrors) }
            line.add("total", finding.size)
            line.add("status", finding.status)
            line.add("error", finding.error.map(JSONEvents.object))
            return line.object
        }
        let (from, to) = spec.kind == .download ? (address, file) : (file, address)
        return
            "\(spec.kind.rawValue) \(LineText.escaped(from)) \(arrow) \(LineText.escaped(to)) "
            + "(\(Self.note(finding))\(exists ? ", exists" : ""))"
            + (Self.mirrors(of: spec) ?? []).map { "\n  or from \(LineText.escaped($0))" }.joined()
    }

    /// Under the name that the download takes from the server's response.
    private static func named(_ spec: Spec, _ name: String?) -> Spec {
        guard let name, case .download(var download) = spec.operation, case .folder(let path, _) = download.destination
        else { return spec }
        download.destination = .folder(path: path, name: name)
        var spec = spec
        spec.operation = .download(download)
        return spec
    }

    private static func mirrors(of spec: Spec) -> [String]? {
        guard case .download(let download) = spec.operation, !download.mirrors.isEmpty else { return nil }
        return download.mirrors.map { TransferURL.displayed($0.url.string) }
    }

    private static func note(_ finding: Finding) -> String {
        if let error = finding.error { return LineText.escaped(MessageCatalog.text(error)) }
        if let status = finding.status, status >= 400 { return "the server responds with \(status)" }
        return finding.size.map { ByteCount.short(Double($0)) } ?? "size unknown"
    }
}
