// SPDX-License-Identifier: MIT

import TransferModel

/// Events as NDJSON: selection and format.
struct JSONEvents {
    /// Seconds between two `progress` lines of one transfer.
    static let progressInterval = 0.25

    private var lastProgress: [TransferID: Double] = [:]

    /// The line for `event`, or `nil` for events without a published name and for progress within the interval.
    mutating func line(for event: TransferEvent) -> String? {
        let transfer = event.transfer
        switch event.name {
        case .changed: return nil
        case .progress:
            if let last = lastProgress[transfer.id], event.time - last < Self.progressInterval { return nil }
            lastProgress[transfer.id] = event.time
        default:
            if transfer.state.isEnded { lastProgress[transfer.id] = nil }
        }
        var line = JSONLine()
        line.add("time", Timestamp.text(event.time))
        line.add("event", event.name.rawValue)
        Self.add(transfer, to: &line)
        return line.object + "\n"
    }

    /// The fields of a transfer in all NDJSON output.
    static func add(_ transfer: Transfer, to line: inout JSONLine) {
        line.add("id", transfer.id.rawValue)
        line.add("kind", transfer.kind.rawValue)
        line.add("url", TransferURL.displayed(transfer.url))
        line.add("finalURL", transfer.finalURL)
        line.add("file", transfer.file)
        line.add("state", transfer.state.rawValue)
        line.add("bytes", transfer.bytes)
        line.add("total", transfer.total)
        line.add("confirmed", transfer.confirmed)
        line.add("uploadProtocol", transfer.uploadProtocol)
        line.add("rate", transfer.rate?.rounded())
        line.add("eta", transfer.eta)
        line.add("connections", transfer.connections)
        line.add("attempt", transfer.attempt)
        line.add("reason", MessageCatalog.reason(of: transfer))
        line.add("since", transfer.waitingSince.map(Timestamp.text))
        line.add("network", transfer.unavailableReason)
        line.add("retryAt", transfer.retryAt.map(Timestamp.text))
        line.add("status", transfer.httpStatus)
        line.add("question", transfer.question.map(object))
        line.add("error", transfer.error.map(object))
        line.add("metrics", transfer.metrics.map(object))
    }

    private static func object(_ question: ConsentQuestion) -> JSONLine {
        var line = JSONLine()
        switch question {
        case .trust(let trust):
            line.add("kind", "trust")
            line.add("host", trust.host)
            line.add("port", trust.port)
            line.add("failure", trust.failure.text)
            line.add("subject", trust.subject)
            line.add("issuer", trust.issuer)
            line.add("notBefore", trust.notBefore)
            line.add("notAfter", trust.notAfter)
            line.add("certificateSHA256", Hex.encode(trust.certificateSHA256))
            line.add("publicKey", trust.publicKeyPin)
        case .login(let login):
            line.add("kind", "login")
            line.add("host", login.host)
            line.add("port", login.port)
            line.add("proxy", login.isProxy)
            line.add("realm", login.realm)
            line.add("method", login.method)
            line.add("hasFailed", login.hasFailed)
        }
        return line
    }

    static func object(_ error: TransferError) -> JSONLine {
        var line = JSONLine()
        line.add("code", error.code.rawValue)
        line.add("name", error.code.name)
        line.add("message", MessageCatalog.text(error))
        line.add("reason", error.fields.networkObstacle)
        line.add("network", error.fields.networkUnavailableReason)
        line.add("portal", error.fields.refusal?.portal)
        return line
    }

    static func object(_ metrics: TransferMetrics) -> JSONLine {
        var line = JSONLine()
        line.add("nameLookup", metrics.nameLookup)
        line.add("connect", metrics.connect)
        line.add("tls", metrics.tls)
        line.add("firstByte", metrics.firstByte)
        line.add("total", metrics.total)
        line.add("bodyReceived", metrics.bodyReceived)
        line.add("bodySent", metrics.bodySent)
        line.add("resumedFrom", metrics.resumedFrom)
        line.add("exchanges", metrics.exchanges)
        line.add("redirects", metrics.redirects)
        line.add("protocol", metrics.protocolName)
        line.add("remoteAddress", metrics.remoteAddress)
        line.add("reusedConnection", metrics.isReusedConnection)
        line.add("taskStart", metrics.taskStart.map(Timestamp.text))
        line.add("taskEnd", metrics.taskEnd.map(Timestamp.text))
        line.add("redirectCount", metrics.redirectCount)
        line.add("transactions", metrics.transactions.map(object))
        return line
    }

    /// Times in seconds since 1970.
    private static func object(_ transaction: TransactionMetrics) -> JSONLine {
        var line = JSONLine()
        line.add("method", transaction.method)
        line.add("url", TransferURL.displayed(transaction.url))
        line.add("status", transaction.status)
        line.add("fetchType", transaction.fetchType.rawValue)
        line.add("fetchStart", transaction.fetchStart)
        line.add("domainLookupStart", transaction.domainLookupStart)
        line.add("domainLookupEnd", transaction.domainLookupEnd)
        line.add("connectStart", transaction.connectStart)
        line.add("secureConnectionStart", transaction.secureConnectionStart)
        line.add("secureConnectionEnd", transaction.secureConnectionEnd)
        line.add("connectEnd", transaction.connectEnd)
        line.add("requestStart", transaction.requestStart)
        line.add("requestEnd", transaction.requestEnd)
        line.add("responseStart", transaction.responseStart)
        line.add("responseEnd", transaction.responseEnd)
        line.add("protocol", transaction.protocolName)
        line.add("reusedConnection", transaction.isReusedConnection)
        line.add("proxyConnection", transaction.isProxyConnection)
        line.add("multipath", transaction.isMultipath)
        line.add("remoteAddress", transaction.remoteAddress)
        line.add("remotePort", transaction.remotePort)
        line.add("localAddress", transaction.localAddress)
        line.add("localPort", transaction.localPort)
        line.add("tlsVersion", transaction.tlsVersion)
        line.add("tlsCipher", transaction.tlsCipher)
        line.add("requestHeaderBytes", transaction.requestHeaderBytes)
        line.add("requestBodyBytesSent", transaction.requestBodyBytesSent)
        line.add("requestBodyBytes", transaction.requestBodyBytes)
        line.add("responseHeaderBytes", transaction.responseHeaderBytes)
        line.add("responseBodyBytesReceived", transaction.responseBodyBytesReceived)
        line.add("responseBodyBytes", transaction.responseBodyBytes)
        return line
    }
}
