// SPDX-License-Identifier: MIT

import TransferModel

/// The metrics of an attempt as JSON, in the form of their `Codable` conformance. Written for each of many small files,
/// so without Foundation's encoder, which takes thirty times as long.
enum MetricsText {
    static func text(_ metrics: TransferMetrics) -> String {
        var object = JSONObjectText()
        object.member("nameLookup", metrics.nameLookup)
        object.member("connect", metrics.connect)
        object.member("tls", metrics.tls)
        object.member("firstByte", metrics.firstByte)
        object.member("total", metrics.total.isFinite ? metrics.total : 0)
        object.member("bodyReceived", metrics.bodyReceived)
        object.member("bodySent", metrics.bodySent)
        object.member("resumedFrom", metrics.resumedFrom)
        object.member("exchanges", metrics.exchanges)
        object.member("redirects", metrics.redirects)
        object.member("protocolName", metrics.protocolName)
        object.member("remoteAddress", metrics.remoteAddress)
        object.member("isReusedConnection", metrics.isReusedConnection)
        object.member("taskStart", metrics.taskStart)
        object.member("taskEnd", metrics.taskEnd)
        object.members("transactions", metrics.transactions, write)
        return object.end()
    }

    private static func write(_ transaction: TransactionMetrics, _ object: inout JSONObjectText) {
        object.member("method", transaction.method)
        object.member("url", transaction.url)
        object.member("status", transaction.status)
        object.member("fetchType", transaction.fetchType.rawValue)
        object.member("fetchStart", transaction.fetchStart)
        object.member("domainLookupStart", transaction.domainLookupStart)
        object.member("domainLookupEnd", transaction.domainLookupEnd)
        object.member("connectStart", transaction.connectStart)
        object.member("secureConnectionStart", transaction.secureConnectionStart)
        object.member("secureConnectionEnd", transaction.secureConnectionEnd)
        object.member("connectEnd", transaction.connectEnd)
        object.member("requestStart", transaction.requestStart)
        object.member("requestEnd", transaction.requestEnd)
        object.member("responseStart", transaction.responseStart)
        object.member("responseEnd", transaction.responseEnd)
        object.member("protocolName", transaction.protocolName)
        object.member("isReusedConnection", transaction.isReusedConnection)
        object.member("isProxyConnection", transaction.isProxyConnection)
        object.member("isMultipath", transaction.isMultipath)
        object.member("remoteAddress", transaction.remoteAddress)
        object.member("remotePort", transaction.remotePort)
        object.member("localAddress", transaction.localAddress)
        object.member("localPort", transaction.localPort)
        object.member("tlsVersion", transaction.tlsVersion)
        object.member("tlsCipher", transaction.tlsCipher)
        object.member("requestHeaderBytes", transaction.requestHeaderBytes)
        object.member("requestBodyBytesSent", transaction.requestBodyBytesSent)
        object.member("requestBodyBytes", transaction.requestBodyBytes)
        object.member("responseHeaderBytes", transaction.responseHeaderBytes)
        object.member("responseBodyBytesReceived", transaction.responseBodyBytesReceived)
        object.member("responseBodyBytes", transaction.responseBodyBytes)
    }
}

/// An object of JSON as it is written. Members that are `nil` are left out, as are numbers that are not finite.
private struct JSONObjectText {
    private var text = "{"
    private var isFirst = true

    private mutating func name(_ name: StaticString) {
        text += isFirst ? "\"" : ",\""
        isFirst = false
        text += name.description
        text += "\":"
    }

    mutating func member(_ name: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        self.name(name)
        text += value.description
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        text += value.description
    }

    mutating func member(_ name: StaticString, _ value: Int64) { member(name, Int(value)) }

    mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        text += value ? "true" : "false"
    }

    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        append(value)
    }

    mutating func members<Value>(
        _ name: StaticString, _ values: [Value], _ write: (Value, inout JSONObjectText) -> Void
    ) {
        self.name(name)
        text += "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            text += "{"
            isFirst = true
            write(value, &self)
            text += "}"
        }
        isFirst = false
        text += "]"
    }

    private mutating func append(_ value: String) {
        text += "\""
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            text += value
        } else {
            for scalar in value.unicodeScalars {
                switch scalar {
                case "\"", "\\":
                    text += "\\"
                    text.unicodeScalars.append(scalar)
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }

    mutating func end() -> String { text + "}" }
}
