// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import NetworkLab
import SessionCore
import TransferModel

/// The servers of the timeout table, and its trials over real sessions.
final class TimeoutStage: Sendable {
    /// The result of a trial.
    enum Result: Sendable, Hashable {
        case ended(TimeoutExpectation)
        /// Neither a response nor a timer.
        case failed(String, after: Double)
    }

    private let server: LabServer
    private let lateAcceptance: LabServer
    private let blackhole: Blackhole
    private let transport: any Transport

    init(trials: TimeoutTrials) async throws(TransferError) {
        transport = try CurlTransport()
        server = try await LabServer.start(LabServer.Configuration())
        var configuration = LabServer.Configuration()
        configuration.waitAccept = trials.wait
        lateAcceptance = try await LabServer.start(configuration)
        blackhole = try Blackhole()
    }

    func strike() async {
        transport.shutDown()
        blackhole.stop()
        await server.stop()
        await lateAcceptance.stop()
    }

    /// Runs one trial, for at most `horizon` seconds.
    func run(_ row: TimeoutRow, horizon: Double) async -> Result {
        var configuration = TransferConfiguration()
        configuration.connectTimeout = row.settings.connect
        configuration.requestTimeout = row.settings.request
        configuration.responseTimeout = row.settings.response
        configuration.resourceTimeout = row.settings.resource
        let session = TransferSession(configuration: configuration, transport: transport)
        let clock = ContinuousClock()
        let start = clock.now
        let request = Task { () async -> Swift.Result<TransferSession.Response, TransferError> in
            do throws(TransferError) {
                let request = TransferRequest(url: try TransferURL(url(of: row)), method: row.method)
                let body = [UInt8](repeating: UInt8(ascii: "x"), count: row.bodyBytes)
                if row.method == .put { return .success(try await session.upload(for: request, body: .bytes(body))) }
                return .success(try await session.data(for: request, body: row.method == .get ? nil : body))
            } catch {
                return .failure(error)
            }
        }
        let watch = Task {
            try await clock.sleep(until: start + .seconds(horizon))
            request.cancel()
        }
        let answer = await request.value
        let elapsed = start.duration(to: clock.now) / .seconds(1)
        watch.cancel()
        session.finishTasksAndInvalidate()
        return Self.result(answer, after: elapsed, horizon: horizon)
    }

    private func url(of row: TimeoutRow) -> String {
        let origin =
            switch row.place {
            case .server: server.url
            case .lateAcceptance: lateAcceptance.url
            case .blackhole: blackhole.url
            }
        return "\(origin)/file?\(row.query)"
    }

    private static func result(
        _ answer: Swift.Result<TransferSession.Response, TransferError>, after elapsed: Double,
        horizon: Double
    ) -> Result {
        switch answer {
        case .success(let answer) where answer.response.status.code == 200: return .ended(.completes(after: elapsed))
        case .success(let answer): return .failed("status \(answer.response.status.code)", after: elapsed)
        case .failure(let error) where error.code == .timedOut:
            guard let timer = error.fields.timer.flatMap({ TransferTimer(rawValue: $0.rawValue) }) else {
                return .failed(error.message, after: elapsed)
            }
            return .ended(.fires(timer, after: elapsed))
        case .failure where elapsed >= horizon: return .ended(.continues(past: horizon))
        case .failure(let error): return .failed(error.message, after: elapsed)
        }
    }
}
