// SPDX-License-Identifier: MIT

import HTTPTypes
import Listings
import Platform
import SessionCore
import TransferModel
import TransferService

/// Carries out the requests of a listing, one after the other.
final class ListingFetch {
    private let session: TransferSession
    private var options: PreparedOptions
    private let signature: S3RequestSigner?
    private let isInterrupted: @Sendable () -> Bool
    /// Bytes of a refusal that are read.
    private static let maximumReason = 64 << 10
    /// Seconds between two looks for a signal while it waits.
    private static let step = 0.1

    private static var interruption: TransferError { TransferError(.cancelled, "the listing was interrupted") }

    init(_ plan: ListingPlan, _ session: TransferSession, isInterrupted: @escaping @Sendable () -> Bool) {
        (options, signature, self.session, self.isInterrupted) = (plan.options, plan.signature, session, isInterrupted)
    }

    /// The response, after as many attempts as the options allow.
    /// - Parameter staysAtOrigin: whether a redirect may not lead to another server.
    func response(
        to request: ListingRequests.Request, staysAtOrigin: Bool
    ) async throws(TransferError) -> ListingRequests.Response {
        let chosen = try options.options(for: request.url)
        var failures = 0
        while true {
            let result = await attempt(request, chosen, staysAtOrigin: staysAtOrigin)
            guard !isInterrupted() else { throw Self.interruption }
            failures += 1
            guard let pause = delay(after: result, failures, chosen) else { return try result.get() }
            var waited = 0.0
            while waited < pause, !isInterrupted() {
                try? await Task.sleep(for: .seconds(min(Self.step, pause)))
                waited += Self.step
            }
        }
    }

    /// Seconds before the next attempt; `nil`: there is none.
    private func delay(
        after result: Result<ListingRequests.Response, TransferError>, _ failures: Int, _ options: TransferOptions
    ) -> Double? {
        guard failures <= options.retries ?? 0, !isInterrupted() else { return nil }
        var asked: Double?
        let cause: TransferError?
        switch result {
        case .failure(let failure): cause = failure
        case .success(let response):
            cause = HTTPStatusError.make(response.head, from: response.url, body: response.content)
            asked = response.head.retryAfter(at: SystemClock.wall)
        }
        guard let error = cause else { return nil }
        let verdict = FailurePolicy.verdict(error)
        // A name that does not exist is usually mistyped.
        guard verdict.next == .retry || verdict.next == .wait, verdict.path != .unresolved else { return nil }
        guard asked ?? 0 <= options.maximumRetryWait ?? .infinity else { return nil }
        return Backoff().delay(afterFailures: failures, random: .random(in: 0...1), retryAfter: asked)
    }

    private func attempt(
        _ request: ListingRequests.Request, _ options: TransferOptions, staysAtOrigin: Bool
    ) async -> Result<ListingRequests.Response, TransferError> {
        do throws(TransferError) {
            return .success(try await send(request, options, staysAtOrigin: staysAtOrigin))
        } catch {
            return .failure(error)
        }
    }

    private func send(
        _ wanted: ListingRequests.Request, _ options: TransferOptions, staysAtOrigin: Bool
    ) async throws(TransferError) -> ListingRequests.Response {
        var request = TransferRequest(url: wanted.url, method: wanted.method, options: options)
        request.staysAtOrigin = staysAtOrigin
        for field in wanted.fields where !options.headers.contains(where: { $0.name == field.name }) {
            request.options.headers.append(field)
        }
        let sent = signature?.signed(request, at: Int64(SystemClock.wall)) ?? request
        var task: TransferTask?
        let events = session.events { take in
            let made = session.dataTask(with: sent, body: wanted.content, events: take)
            task = made
            return made
        }
        var head: HTTPResponse?
        var content: [UInt8] = []
        var isWhole = false
        for await event in events {
            switch event {
            case .response(let response): head = response
            case .data(let bytes): content += bytes
            case .completed(let error):
                if let error { throw error }
                isWhole = true
            default: break
            }
            guard let head, !isWhole else { continue }
            let isRefusal = head.status.kind != .successful
            // What is not read, or more of a reason than is shown, is not waited for.
            if !ListingRequests.readsContent(of: head) || isRefusal && content.count > Self.maximumReason {
                isWhole = true
                break
            }
            guard content.count <= ListingPage.maximumBytes else {
                throw TransferError(
                    .other, "\(wanted.url): the listing is larger than \(ListingPage.maximumBytes >> 20) MiB")
            }
        }
        guard let last = head, isWhole else { throw Self.interruption }
        let url = task?.currentURL ?? wanted.url
        let isSame = url.origin == wanted.url.origin
        return ListingRequests.Response(
            url.replacingCredential(isSame ? wanted.url.credential : nil), last, content)
    }
}
