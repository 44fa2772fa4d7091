// SPDX-License-Identifier: MIT

import TransferModel

extension TransferMetrics: DirectRecord {
    static var blank: TransferMetrics { TransferMetrics() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.optional("nameLookup", &nameLookup)
        try visitor.optional("connect", &connect)
        try visitor.optional("tls", &tls)
        try visitor.optional("firstByte", &firstByte)
        try visitor.required("total", &total)
        try visitor.required("bodyReceived", &bodyReceived)
        try visitor.required("bodySent", &bodySent)
        try visitor.required("resumedFrom", &resumedFrom)
        try visitor.required("exchanges", &exchanges)
        try visitor.required("redirects", &redirects)
        try visitor.optional("protocolName", &protocolName)
        try visitor.optional("remoteAddress", &remoteAddress)
        try visitor.required("isReusedConnection", &isReusedConnection)
        try visitor.optional("taskStart", &taskStart)
        try visitor.optional("taskEnd", &taskEnd)
        try visitor.required("transactions", &transactions)
    }
}

extension TransactionMetrics: DirectRecord {
    static var blank: TransactionMetrics { TransactionMetrics(method: "", shownURL: "") }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("method", &method)
        try visitor.required("url", &url)
        try visitor.optional("status", &status)
        try visitor.required("fetchType", &fetchType)
        try visitTimes(&visitor)
        try visitor.optional("protocolName", &protocolName)
        try visitor.required("isReusedConnection", &isReusedConnection)
        try visitor.required("isProxyConnection", &isProxyConnection)
        try visitor.required("isMultipath", &isMultipath)
        try visitor.optional("remoteAddress", &remoteAddress)
        try visitor.optional("remotePort", &remotePort)
        try visitor.optional("localAddress", &localAddress)
        try visitor.optional("localPort", &localPort)
        try visitor.optional("tlsVersion", &tlsVersion)
        try visitor.optional("tlsCipher", &tlsCipher)
        try visitor.required("requestHeaderBytes", &requestHeaderBytes)
        try visitor.required("requestBodyBytesSent", &requestBodyBytesSent)
        try visitor.required("requestBodyBytes", &requestBodyBytes)
        try visitor.required("responseHeaderBytes", &responseHeaderBytes)
        try visitor.required("responseBodyBytesReceived", &responseBodyBytesReceived)
        try visitor.required("responseBodyBytes", &responseBodyBytes)
    }

    private mutating func visitTimes(_ visitor: inout some MemberVisitor) throws {
        try visitor.optional("fetchStart", &fetchStart)
        try visitor.optional("domainLookupStart", &domainLookupStart)
        try visitor.optional("domainLookupEnd", &domainLookupEnd)
        try visitor.optional("connectStart", &connectStart)
        try visitor.optional("secureConnectionStart", &secureConnectionStart)
        try visitor.optional("secureConnectionEnd", &secureConnectionEnd)
        try visitor.optional("connectEnd", &connectEnd)
        try visitor.optional("requestStart", &requestStart)
        try visitor.optional("requestEnd", &requestEnd)
        try visitor.optional("responseStart", &responseStart)
        try visitor.optional("responseEnd", &responseEnd)
    }
}
