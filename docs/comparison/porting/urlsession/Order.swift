// SPDX-License-Identifier: MIT

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
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.timeoutInterval = 15
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(order)
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 201 else { throw OrderFailure.status(status) }
    return try JSONDecoder().decode(Order.self, from: data)
}

/// The orders of a customer, for a program without `async`.
func showOrders(at url: URL) {
    let task = URLSession.shared.dataTask(with: url) { data, _, error in
        if let error { return print(error.localizedDescription) }
        let orders = data.flatMap { try? JSONDecoder().decode([Order].self, from: $0) }
        for order in orders ?? [] { print(order.customer, order.items) }
    }
    task.resume()
}
