// SPDX-License-Identifier: MIT

import HTTPTypes

/// A trial of the timeout table: a request, its timers, and what happens to it.
struct TimeoutRow: Sendable {
    /// The server of the lab it uses.
    enum Place: Sendable, Hashable { case server, lateAcceptance, blackhole }

    var setting: String
    var situation: String
    var method: HTTPRequest.Method
    var place = Place.server
    var query: String
    /// Bytes uploaded.
    var bodyBytes = 0
    var settings: TimeoutSettings
    var course: TransferCourse

    func expectation(horizon: Double) -> TimeoutExpectation {
        TimeoutExpectation(settings, course, horizon: horizon)
    }
}

/// All trials, with delays and timers multiplied by `scale`.
struct TimeoutTrials: Sendable {
    let scale: Double
    /// The value of unset timers.
    let unset: TimeoutSettings

    /// Seconds of the server's delay.
    var wait: Double { 1.2 * scale }
    /// Seconds of a timer.
    var short: Double { 0.5 * scale }
    /// Seconds to observe each trial.
    var horizon: Double { 2.5 * scale + 0.5 }

    var rows: [TimeoutRow] { matrix + resetting + exact }

    // MARK: Every setting against every wait

    private var timers: [(name: String, settings: TimeoutSettings)] {
        var (connect, request, response, resource) = (unset, unset, unset, unset)
        (connect.connect, request.request, response.response, resource.resource) = (short, short, short, short)
        return [
            ("none", unset), (named("connect", short), connect), (named("request", short), request),
            (named("response", short), response), (named("resource", short), resource),
        ]
    }

    private var waits: [(name: String, place: TimeoutRow.Place, query: String, course: TransferCourse)] {
        let late = TransferCourse(connects: 0, moves: [0, wait], sent: 0, head: wait, ends: wait)
        var slow = late
        slow.head = 0
        return [
            ("before accept", .lateAcceptance, "", late),
            ("before head", .server, "wait-head=\(wait)", late),
            ("before first line", .server, "wait-first=\(wait)", slow),
            ("before second line", .server, "wait-second=\(wait)", slow),
            ("no connection", .blackhole, "", TransferCourse(connects: nil, moves: [], ends: nil)),
        ]
    }

    private var matrix: [TimeoutRow] {
        waits.flatMap { wait in
            timers.flatMap { timer in
                [HTTPRequest.Method.get, .post, .put].map { method in
                    var course = wait.course
                    if method == .get { course.sent = nil }
                    return TimeoutRow(
                        setting: timer.name, situation: wait.name, method: method, place: wait.place, query: wait.query,
                        bodyBytes: method == .get ? 0 : 1000, settings: timer.settings, course: course)
                }
            }
        }
    }

    // MARK: Moving bytes restart the request timer only

    private var resetting: [TimeoutRow] {
        let step = short * 0.7
        let lines = TransferCourse(connects: 0, moves: [0, step, 2 * step], ends: 2 * step)
        return moving("a line each \(Self.text(step))", .get, "wait-first=\(step)&wait-second=\(step)", 0, lines)
            + moving(
                "drip", .get, "fault=drip&rate=640&size=\(Self.dripPieces(wait) * 64)", 0, steady(until: wait - 0.1))
            + [HTTPRequest.Method.post, .put].flatMap { method in
                // Fast enough that the kernel's buffers hold less than a short timer's worth.
                moving("slow upload", method, "rate=400k", Int(wait * 409_600), steady(until: wait))
                    + [
                        row(
                            "request", "upload not taken in", method, "fault=stop-reading&at=1000", 900_000,
                            TransferCourse(connects: 0, moves: [0], ends: nil))
                    ]
            }
    }

    private func moving(
        _ situation: String, _ method: HTTPRequest.Method, _ query: String, _ bytes: Int,
        _ course: TransferCourse
    ) -> [TimeoutRow] {
        [
            row("request", situation, method, query, bytes, course),
            row("resource", situation, method, query, bytes, course),
        ]
    }

    private func row(
        _ timer: String, _ situation: String, _ method: HTTPRequest.Method, _ query: String, _ bytes: Int,
        _ course: TransferCourse
    ) -> TimeoutRow {
        var settings = unset
        if timer == "request" { settings.request = short } else { settings.resource = short }
        return TimeoutRow(
            setting: named(timer, short), situation: situation, method: method, query: query, bodyBytes: bytes,
            settings: settings, course: course)
    }

    /// So many pieces leave, ten a second, that the last one does about then.
    private static func dripPieces(_ seconds: Double) -> Int { max(2, Int((seconds * 10).rounded())) }

    private func steady(until end: Double) -> TransferCourse {
        TransferCourse(connects: 0, moves: Array(stride(from: 0, to: end, by: 0.1)), ends: end)
    }

    // MARK: Fractions of a second, and which timer is first

    private var exact: [TimeoutRow] {
        let odd = 0.13 * scale
        var sharp = unset
        sharp.request = odd
        var rising = unset
        (rising.connect, rising.request, rising.resource) = (short * 0.6, short, short * 1.4)
        var patient = unset
        (patient.request, patient.response) = (short, 2 * wait)
        return [
            TimeoutRow(
                setting: named("request", odd), situation: "before head", method: .get, query: "wait-head=\(wait)",
                settings: sharp, course: TransferCourse(connects: 0, moves: [0, wait], ends: wait)),
            TimeoutRow(
                setting: "response \(Self.text(2 * wait))", situation: "before head", method: .put,
                query: "wait-head=\(wait)", bodyBytes: 1000, settings: patient,
                course: TransferCourse(connects: 0, moves: [0, wait], sent: 0, head: wait, ends: wait)),
            TimeoutRow(
                setting: "all three", situation: "no connection", method: .get, place: .blackhole, query: "",
                settings: rising, course: TransferCourse(connects: nil, moves: [], ends: nil)),
            TimeoutRow(
                setting: "all three", situation: "before head", method: .get, query: "wait-head=\(wait)",
                settings: rising, course: TransferCourse(connects: 0, moves: [0, wait], ends: wait)),
        ]
    }

    private func named(_ timer: String, _ seconds: Double) -> String { "\(timer) \(Self.text(seconds))" }

    /// `0.35 s`
    static func text(_ seconds: Double) -> String { "\((seconds * 100).rounded() / 100) s" }
}
