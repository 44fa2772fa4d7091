// SPDX-License-Identifier: MIT

import CCurl
import HTTPTypes
import Platform
import SessionCore
import TransferModel

/// The result.
extension RunningExchange {
    /// The meaning of libcurl's result, combined with what the callbacks saw.
    func failure(for code: CURLcode) -> ExchangeFailure? {
        if code == CURLE_OK, let challenge = openChallenge {
            openChallenge = nil
            _ = present(challenge)
        }
        if let objection = connection.objection { return objection }
        if let callbackFailure { return ExchangeFailure(callbackFailure) }
        if lacksCloseNotify(code) {
            // A 206 has the length of its range.
            guard rangeLeft != 0 else { return nil }
            var failure = ExchangeFailure(CURLE_PARTIAL_FILE)
            failure.problem = .init(.withoutCloseNotify)
            return failure
        }
        guard code != CURLE_OK else { return nil }
        if let head = connection.refusal { return ExchangeFailure(.proxyRefused(head)) }
        if let cause = clientCertificateFailure(code, handle.errorMessage) {
            return ExchangeFailure(cause, detail: handle.errorMessage)
        }
        if isTooLarge(code) { return ExchangeFailure(.headTooLarge) }
        if brokeUnanswered(code) { return ExchangeFailure(.transport(.noResponse)) }
        return ExchangeFailure(code, on: handle, connectTimeout: exchange.connectTimeout)
    }

    func hasNoLength(_ head: HTTPResponse) -> Bool {
        guard [CURL_HTTP_VERSION_1_0, CURL_HTTP_VERSION_1_1].contains(handle.long(CURLINFO_HTTP_VERSION)),
            exchange.method != .head, head.status != .noContent, head.status != .notModified
        else { return false }
        return head.headerFields[.contentLength] == nil
            && head.headerFields[.transferEncoding]?.lowercased().contains("chunked") != true
    }

    /// The response may have been cut. With GnuTLS, and in its latest versions, libcurl reports a broken connection.
    private func lacksCloseNotify(_ code: CURLcode) -> Bool {
        code == CURLE_OK && endsWithConnection && handle.hasCloseNotify == false
    }

    /// For a line of a head or of trailers beyond its limit libcurl 7.88 reports that it has no memory, newer versions
    /// 100 (`CURLE_TOO_LARGE`).
    private func isTooLarge(_ code: CURLcode) -> Bool {
        (code == CURLE_OUT_OF_MEMORY || code.rawValue == 100) && handle.long(CURLINFO_REQUEST_SIZE) > 0
    }

    /// See ``bodyRewound(to:)``: libcurl repeats nothing if it noticed while it sent.
    private func brokeUnanswered(_ code: CURLcode) -> Bool {
        exchange.sendsBodyOnce && (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR)
            && handle.long(CURLINFO_NUM_CONNECTS) == 0 && handle.long(CURLINFO_HEADER_SIZE) == 0
    }

    /// libcurl 7.88 repeats a request without rewinding if it has read of the body and sent nothing: the repeated
    /// request would lack these bytes.
    func skipsBytes() -> Bool {
        guard exchange.sendsBodyOnce else { return false }
        let port = handle.long(CURLINFO_LOCAL_PORT)
        if source.position == 0 { bodyPort = port }
        guard port != bodyPort else { return false }
        callbackFailure = .transport(.noResponse)
        return true
    }

    func outcome(_ reported: ExchangeFailure?) -> ExchangeOutcome {
        var failure = reported
        // Also if the exchange ended for another reason before its file had all bytes.
        if callbackFailure == .rangeExceeded { (failure, progress.received) = (ExchangeFailure(.rangeExceeded), 0) }
        // The connection's count is gone; it was read with the head.
        if callbackFailure == nil || !hasEarlyResponse { refreshSent(SystemClock.monotonic) }
        restoreServiceMark()
        // A complete response to a complete body shows that the body was read, whatever the last count.
        if failure == nil, !hasEarlyResponse { progress.sent = source.position }
        return ExchangeOutcome(
            failure: failure, progress: progress, bodyHandedOver: bodyTakenCount, hasEarlyResponse: hasEarlyResponse,
            digest: failure == nil && source.isExhausted ? hasher?.finish() : nil, metrics: metrics(),
            trailers: head.trailers)
    }

    private func metrics() -> ExchangeMetrics {
        var metrics = ExchangeMetrics(of: handle)
        metrics.began = began.wall
        metrics.bodySent = bodyTaken.map { $0 - began.engine }
        metrics.tlsVersion = tlsNames?.version
        metrics.tlsCipher = tlsNames?.cipher
        metrics.isProxyConnection = ExchangeMetrics.usedProxy(handle, exchange, port: metrics.remotePort)
        return metrics
    }
}
