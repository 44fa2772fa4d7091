// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import TransferModel
import TransferTesting

/// The servers: files that change their version, and uploads. It does what HTTP allows, and while faults last also
/// what it forbids, but for what no client can notice: other bytes under the same strong validator.
final class Origin {
    enum Validators { case strong, weak, date, none }

    struct File {
        var version = 0
        /// By version.
        var contents: [[UInt8]]
        var validators: Validators
        var acceptsRanges: Bool
        /// The version that a client with a checksum wants: it never changes.
        var isFixed: Bool
        var size: Size

        var current: [UInt8] { contents[version] }
    }

    struct Response {
        var interim: [HTTPResponse] = []
        var head: HTTPResponse
        var body: [UInt8] = []
        var ending = Ending.whole
        /// Seconds for which the client must not ask again, once it has this response.
        var pause: Double?
    }

    /// What becomes of the connection, after so many bytes of the body.
    enum Ending {
        case whole, reset(Int), close(Int), stall(Int)

        var name: String {
            switch self {
            case .whole: "whole"
            case .reset(let end): "reset(\(end))"
            case .close(let end): "close(\(end))"
            case .stall(let end): "stall(\(end))"
            }
        }
    }

    let machine: Machine
    let swarm: Swarm
    let trace: Trace
    /// False once faults have stopped.
    var isFaulty = true
    /// Faults are so many times as rare.
    var rarity = 1
    private(set) var files: [String: File] = [:]
    var uploads = Uploads()
    var guards = Guards()
    /// By path: a field without which no request for it may come.
    var secrets: [String: String] = [:]
    static let mirrorHost = "m.sim"
    /// The end of the other address of each file.
    private static let again = "?again"
    /// Paths of several servers, of which one need not know what another has asked for.
    private var anywhere: Set<String> = []
    /// By path: not before this time of the virtual clock.
    private var notBefore: [String: Double] = [:]

    init(_ machine: Machine, _ swarm: Swarm) {
        (self.machine, self.swarm, trace) = (machine, swarm, machine.trace)
    }

    func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &machine.random) }

    func meets(_ fault: Fault, odds: Int = 3) -> Bool {
        guard isFaulty, swarm.has(fault), machine.random.once(in: odds * rarity) else { return false }
        trace.met(fault)
        return true
    }

    // MARK: Files

    enum Size { case any, small, large }

    func addFile(_ path: String, isFixed: Bool, size: Size = .any) {
        var file = File(contents: [], validators: .strong, acceptsRanges: draw(0...9) > 0, isFixed: isFixed, size: size)
        if swarm.has(.weakValidator), draw(0...3) == 0 { file.validators = .weak }
        if swarm.has(.dateValidator), draw(0...3) == 0 { file.validators = .date }
        if swarm.has(.noValidator), draw(0...5) == 0 { file.validators = .none }
        switch file.validators {
        case .strong: break
        case .weak: trace.met(.weakValidator)
        case .date: trace.met(.dateValidator)
        case .none: trace.met(.noValidator)
        }
        file.contents = [newContent(size)]
        files[path] = file
    }

    /// The present version under another path, or another one of the same length.
    func addMirror(of path: String, at mirror: String, isWrong: Bool) {
        guard var file = files[path] else { return }
        trace.met(isWrong ? .wrongMirrors : .mirrors)
        if isWrong { file.contents = [patternedBytes(file.current.count, seed: machine.random.next())] }
        files[mirror] = file
    }

    /// After a course.
    func end() { (files, uploads, guards) = ([:], Uploads(), Guards()) }

    func forget(_ paths: Set<String>) {
        for path in paths {
            (files[path], notBefore[path], secrets[path]) = (nil, nil, nil)
            guards.realms[path] = nil
        }
        uploads.forget(paths)
    }

    private func newContent(_ size: Size) -> [UInt8] {
        let count =
            switch size {
            case .any:
                [0, 1, draw(2...3000), draw(3000...60_000), draw(20_000...120_000), draw(20_000...200_000)][draw(0...5)]
            case .small: draw(0...3000)
            // Worth several connections of a mebibyte at least.
            case .large: draw(2_300_000...4_500_000)
            }
        return patternedBytes(count, seed: machine.random.next())
    }

    /// Replaces a file by another version.
    func change(_ path: String) {
        guard var file = files[path], !file.isFixed else { return }
        var content = newContent(file.size)
        // The same length is the more dangerous one.
        if draw(0...3) > 0 { content = patternedBytes(file.current.count, seed: machine.random.next()) }
        file.contents.append(content)
        file.version += 1
        files[path] = file
        trace.met(.newVersion)
        trace.note(machine.now, "server: \(path) is version \(file.version) of \(content.count) bytes")
    }

    /// Whether these are all bytes of one version.
    func isVersion(_ bytes: [UInt8], of path: String) -> Bool {
        files[path]?.contents.contains { $0.count == bytes.count && memcmp($0, bytes, bytes.count) == 0 } ?? false
    }

    private func fields(_ path: String, _ file: File) -> HTTPFields {
        var fields: HTTPFields = [
            .contentType: "application/octet-stream", .date: HTTPDate.format(Int64(machine.wallNow)),
        ]
        let tag = "v\(file.version)"
        switch file.validators {
        case .strong: fields[.eTag] = "\"\(tag)\""
        case .weak: fields[.eTag] = "W/\"\(tag)\""
        case .date: fields[.lastModified] = HTTPDate.format(1_600_000_000 + Int64(file.version))
        case .none: break
        }
        if file.acceptsRanges { fields[.acceptRanges] = "bytes" }
        return fields
    }

    // MARK: Requests

    /// - Parameter isAlone: no other request for the same file is under way. Otherwise the refusal of one does not keep
    ///   the client from continuing with the others.
    func respond(_ exchange: Exchange, isAlone: Bool) -> Response {
        let (path, request) = (exchange.url.path, exchange.fields)
        if let time = notBefore[path], machine.now < time - 0.001, isFaulty {
            trace.violate("Retry-After", "\(path) was requested \(time - machine.now) s too early")
        }
        notBefore[path] = nil
        if let refusal = refusal(of: exchange) { return Response(head: refusal) }
        if meets(.busy, odds: 3) { return busy(path, isAlone) }
        if !exchange.url.string.hasSuffix(Self.again), meets(.redirects) {
            let code = [301, 302, 303, 307, 308][draw(0...4)]
            return Response(
                head: HTTPResponse(
                    status: .init(code: code), headerFields: [.location: path + Self.again, .contentLength: "0"]))
        }
        // Between two attempts, where it matters. Each version of a large file costs time.
        if request[.range] != nil, meets(.newVersion, odds: files[path]?.size == .large ? 12 : 2) { change(path) }
        guard let file = files[path] else { return Response(head: HTTPResponse(status: .notFound)) }
        var response = whole(path, file)
        if let text = request[.range] { response = ranged(text, request, path, file) }
        if meets(.interimResponse) { response.interim = [HTTPResponse(status: .init(code: 103))] }
        let count = response.body.count
        if count > 0 {
            if meets(.otherLength, odds: 6) {
                // A whole that is shorter than it was can be noticed by its checksum alone.
                let isLonger = draw(0...1) == 0 || !(file.isFixed || response.head.status == .partialContent)
                let lie = isLonger ? count + draw(1...5000) : max(0, count - draw(1...5000))
                response.head.headerFields[.contentLength] = String(lie)
                // A transport reads no more than was announced.
                response.body = Array(response.body.prefix(lie))
                if lie > count { response.ending = .close(count) }
            }
            let end = draw(0...response.body.count)
            if meets(.reset, odds: 2) { response.ending = .reset(end) }
            if meets(.earlyClose) { response.ending = .close(end) }
            if meets(.stall, odds: 4) { response.ending = .stall(end) }
        }
        return response
    }

    private func busy(_ path: String, _ isAlone: Bool) -> Response {
        let code = [429, 503, 500, 502, 504][draw(0...4)]
        var response = Response(head: HTTPResponse(status: .init(code: code)))
        if draw(0...1) == 0 {
            let pause = draw(1...300)
            response.head.headerFields[.retryAfter] = String(pause)
            if isAlone, code == 429 || code == 503 { response.pause = Double(pause) }
        }
        return response
    }

    /// The client has this response.
    func delivered(_ response: Response, of path: String) {
        if let pause = response.pause, !anywhere.contains(path) { notBefore[path] = machine.now + pause }
    }

    func isAskedAnywhere(_ path: String) {
        anywhere.insert(path)
        notBefore[path] = nil
    }

    /// A command of the user may start the next attempt earlier.
    func allowsRequests(of path: String) { notBefore[path] = nil }
    func allowAllRequests() { notBefore = [:] }

    private func whole(_ path: String, _ file: File) -> Response {
        var head = HTTPResponse(status: .ok, headerFields: fields(path, file))
        head.headerFields[.contentLength] = String(file.current.count)
        return Response(head: head, body: file.current)
    }

    private func ranged(_ text: String, _ request: HTTPFields, _ path: String, _ file: File) -> Response {
        trace.sometimes("request: range")
        let numbers = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, let first = Int(numbers[0]), file.acceptsRanges, !meets(.ignoredRange) else {
            return whole(path, file)
        }
        var fields = fields(path, file)
        let condition = request[.ifRange]
        if let condition, condition != fields[.eTag], condition != fields[.lastModified] {
            guard meets(.ignoredIfRange, odds: 1) else { return whole(path, file) }
        } else if draw(0...3) == 0 {
            // To a client that has them a server need not repeat them (RFC 9110, section 15.3.7).
            (fields[.eTag], fields[.lastModified]) = (nil, nil)
        }
        let count = file.current.count
        guard first < count, !meets(.refusedRange, odds: 6) else {
            fields[.contentRange] = "bytes */\(count)"
            fields[.contentLength] = "0"
            return Response(head: HTTPResponse(status: .init(code: 416), headerFields: fields))
        }
        var start = first
        var end = numbers[1].isEmpty ? count : min(count, (Int(numbers[1]) ?? count) + 1)
        if meets(.wrongRange, odds: 2) {
            // As many bytes from another place on, or fewer.
            start = max(0, min(count - 1, first + [-2, -1, 1, 2][draw(0...3)]))
            end = min(count, start + end - first)
        }
        fields[.contentRange] = "bytes \(start)-\(max(start, end - 1))/\(count)"
        let body = Array(file.current[start..<max(start + 1, end)])
        fields[.contentLength] = String(body.count)
        trace.sometimes("response: 206")
        return Response(head: HTTPResponse(status: .partialContent, headerFields: fields), body: body)
    }
}
