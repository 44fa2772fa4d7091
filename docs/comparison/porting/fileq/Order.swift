// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation

struct Order: Codable {
    var customer: String
    var items: [String]
}

enum OrderFailure: Error {
    case status(Int)
}

/// Sends an order as JSON.
func submit(_ order: Order, to url: URL) async throws -> Order {
    var request = try TransferRequest(url: url)
    request.method = .post
    request.options.requestTimeout = 15
    request.options.headers = [HTTPField(name: .contentType, value: "application/json")]
    let body = try JSONEncoder().encode(order)
    let (data, response) = try await TransferSession.shared.upload(for: request, from: body)
    let status = response.status.code
    guard status == 201 else { throw OrderFailure.status(status) }
    return try JSONDecoder().decode(Order.self, from: data)
}

/// The orders of a customer, for a program without `async`.
func showOrders(at url: URL) throws {
    let task = try TransferSession.shared.dataTask(with: url) { data, _, error in
        if let error { return print(error.localizedDescription) }
        let orders = data.flatMap { try? JSONDecoder().decode([Order].self, from: $0) }
        for order in orders ?? [] { print(order.customer, order.items) }
    }
    task.resume()
}
