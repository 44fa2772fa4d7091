// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// A list of downloads of the usual form (``TransferModel/SpecText``) on its way to the service: thousands of
/// transfers in a message. All else of the message is left to Foundation's coders.
extension OutgoingRequest {
    /// The message without a line's end; `nil` for one of another form.
    func directJSON(_ encode: (AddParams.Rest) throws -> Data) throws -> [UInt8]? {
        guard let add = call as? AddParams, let first = add.transfers.first, case .number(let id) = id else {
            return nil
        }
        var bytes = Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(AddParams.method)\",\"params\":".utf8)
        let rest = Array(try encode(add.rest))
        guard rest.last == UInt8(ascii: "}") else { return nil }
        bytes.reserveCapacity(rest.count + add.transfers.count * 160)
        bytes += rest.dropLast()
        bytes += Array((rest.count > 2 ? "," : "").utf8) + Array("\"transfers\":[".utf8)
        for (index, spec) in add.transfers.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard spec.$options == first.$options, SpecText.append(spec, to: &bytes) else { return nil }
        }
        bytes += Array("]}}".utf8)
        return bytes
    }
}

extension IncomingRequest {
    /// Reads a list of downloads.
    /// - Parameter line: valid UTF-8.
    /// - Returns: `nil` for any other message, and for one that is not in order.
    static func directly(_ line: [UInt8]) -> IncomingRequest? {
        // Of a short message there is nothing to gain.
        guard line.count > 1024 else { return nil }
        return try? JSONReader.read(line) { json in
            var (id, method, isCurrent): (MessageID?, String?, Bool) = (nil, nil, false)
            var params: AddParams?
            try json.take("{")
            repeat {
                let key = try json.key()
                if key.isEqual(to: "jsonrpc") {
                    isCurrent = try json.string() == "2.0"
                } else if id == nil, key.isEqual(to: "id") {
                    id = try MessageID.read(from: &json)
                } else if method == nil, key.isEqual(to: "method") {
                    method = try json.string()
                    guard method == AddParams.method else { throw JSONReader.Problem() }
                } else if params == nil, key.isEqual(to: "params") {
                    params = try addParams(&json)
                } else {
                    throw JSONReader.Problem()
                }
            } while try json.takes(",")
            try json.take("}")
            try json.takeEnd()
            guard isCurrent, let id, let method, method == AddParams.method, let params else {
                throw JSONReader.Problem()
            }
            return IncomingRequest(id, isNotification: false, .success(params))
        }
    }

    private static func addParams(_ json: inout JSONReader) throws -> AddParams {
        var transfers: [Spec]?
        var rest = Array("{".utf8)
        try json.take("{")
        repeat {
            let key = try json.key()
            let value = UnsafeRawBufferPointer(try json.value())
            if transfers == nil, key.isEqual(to: "transfers") {
                guard let found = SpecText.readArray(value) else { throw JSONReader.Problem() }
                transfers = found
            } else {
                if rest.count > 1 { rest.append(UInt8(ascii: ",")) }
                rest.append(UInt8(ascii: "\""))
                rest += key
                rest += Array("\":".utf8)
                rest += value
            }
        } while try json.takes(",")
        try json.take("}")
        rest.append(UInt8(ascii: "}"))
        guard var transfers else { throw JSONReader.Problem() }
        let others = try ControlCoding.decode(AddParams.Rest.self, from: Data(rest))
        for index in transfers.indices { transfers[index].$options = others.options }
        return try AddParams(transfers, others)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func isEqual(to name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount
            && elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
