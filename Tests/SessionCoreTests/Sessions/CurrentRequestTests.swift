// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What was asked last.
@Suite struct CurrentRequestTests {
    @Test func hasTheSentFields() async throws {
        let stage = Stage { _, _ in .init(200) }
        let given = try request("http://a.test/x", .put) {
            $0.headers = [HTTPField(name: .contentLanguage, value: "fr")]
            $0.cookies = [try! Cookie(name: "a", value: "1")]
        }
        let task = stage.session.dataTask(with: given, body: [1])
        #expect(task.currentRequest == given)
        task.resume()
        #expect(await eventually { task.state == .completed })
        let sent = task.currentRequest
        #expect(sent.url == given.url && sent.method == .put)
        #expect(HTTPFields(sent.options.headers) == stage.transport.exchanges.first?.fields)
        #expect(
            sent.options.headers.contains { $0.name == .userAgent }
                && sent.options.headers.contains { $0.name == .cookie && $0.value == "a=1" })
        #expect(sent.options.cookies.isEmpty)
    }

    @Test func followsRedirects() async throws {
        let stage = Stage { _, number in number == 1 ? .init(303, [.location: "http://b.test/there"]) : .init(200) }
        let task = stage.session.dataTask(
            with: try request("http://a.test/x", .post) { $0.credential = Credential(user: "a", password: "b") },
            body: [1])
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.currentRequest.url.string == "http://b.test/there" && task.currentRequest.method == .get)
        #expect(task.currentRequest.options.credential == nil)
        #expect(task.originalRequest.url.string == "http://a.test/x")
    }
}
