// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// A download resumes at the address that sent its bytes, after redirects.
@Suite struct DirectAddressTests {
    private static let rest: [(HTTPField.Name, String)] = [
        (.contentRange, "bytes 100-299/300"), (.eTag, "\"v1\""), (.contentLength, "200"),
    ]

    private func head(_ status: Int, _ fields: [(HTTPField.Name, String)] = []) -> HTTPResponse {
        var result = HTTPResponse(status: .init(code: status))
        for (name, value) in fields { result.headerFields.append(HTTPField(name: name, value: value)) }
        return result
    }

    private func machine(at address: String, _ policy: RedirectPolicy = .init()) throws -> TaskMachine {
        var point = try #require(ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: 300))
        point.address = try TransferURL(address)
        var request = TransferRequest(url: try TransferURL("https://a.test/one"))
        request.options.credential = Credential(user: "me", password: "secret")
        return TaskMachine(
            role: .download(rewindable: true), request: request, sendsBody: false, resume: point,
            redirectPolicy: policy)
    }

    @Test func theAddressOfTheBytesIsAskedFirst() throws {
        var machine = try machine(at: "https://b.test/two?key=1")
        let begun = machine.begun(machine.resume())
        let plan = try #require(begun)
        #expect(plan.url.string == "https://b.test/two?key=1" && !plan.isOriginalOrigin)
        #expect(!machine.sendsLoginPreemptively(plan))
        #expect(machine.headReceived(head(206, Self.rest)) == .write(offset: 100, expectedEnd: 300))
        #expect(machine.exchangeEnded(nil, received: 200) == .finish(nil))
    }

    /// It has expired, or has the file no more: redirects of the address that was requested lead elsewhere by now.
    @Test(arguments: [200, 206, 302, 400, 401, 403, 404, 410, 416, 429, 503])
    func anyOtherResponseLeadsToTheRequestedAddress(_ status: Int) throws {
        var machine = try machine(at: "https://b.test/two")
        _ = machine.begun(machine.resume())
        let refusal = head(status, [(.contentRange, "bytes 0-9/10"), (.eTag, "\"v2\""), (.location, "/three")])
        #expect(machine.headReceived(refusal) == .abort)
        let begun = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        let plan = try #require(begun)
        #expect(plan.url.string == "https://a.test/one" && plan.isOriginalOrigin && plan.resume?.offset == 100)
        #expect(machine.headReceived(head(302, [(.location, "https://c.test/four")])) == .discard)
        let next = machine.begun(machine.exchangeEnded(nil, received: 0))
        #expect(next?.url.string == "https://c.test/four" && next?.resume?.offset == 100)
        // From here on it is as without that address.
        #expect(machine.headReceived(head(404)) == .discard)
    }

    @Test func anAddressOutOfReachLeadsToTheRequestedOne() throws {
        var machine = try machine(at: "https://b.test/two")
        _ = machine.begun(machine.resume())
        let failure = TransferError(.cannotConnect, "no route")
        let begun = machine.begun(machine.exchangeEnded(failure, received: 0))
        #expect(begun?.url.string == "https://a.test/one" && begun?.resume?.offset == 100)
        #expect(machine.exchangeEnded(failure, received: 0) == .finish(failure))
    }

    /// It begins to send the rest, and breaks before its first byte, perhaps each time.
    @Test func anAddressThatSendsNothingLeadsToTheRequestedOne() throws {
        for received in [0, 50] as [Int64] {
            var machine = try machine(at: "https://b.test/two")
            _ = machine.begun(machine.resume())
            #expect(machine.headReceived(head(206, Self.rest)) == .write(offset: 100, expectedEnd: 300))
            let failure = TransferError(.receiveFailed, "reset")
            let step = machine.exchangeEnded(failure, received: received)
            guard received == 0 else {
                #expect(step == .finish(failure))
                continue
            }
            let begun = machine.begun(step)
            #expect(begun?.url.string == "https://a.test/one" && begun?.resume?.offset == 100)
            // What is here stays, whatever that responds.
            #expect(machine.headReceived(head(404, [(.eTag, "\"other\"")])) == .discard)
            #expect(machine.storedPoint?.offset == 100 && machine.storedPoint?.validator.entityTag == "\"v1\"")
        }
    }

    /// A server that is busy, or breaks the connection, has the rest later: what another one has would begin again.
    @Test(arguments: [503, 429, nil, 403] as [Int?], [200, 206, 416])
    func noOtherServerReplacesTheBytesForAFailureThatPasses(_ refusal: Int?, _ status: Int) throws {
        var machine = try machine(at: "https://b.test/two")
        _ = machine.begun(machine.resume())
        let failure = TransferError(.noResponse, "reset")
        if let refusal { #expect(machine.headReceived(head(refusal)) == .abort) }
        _ = machine.begun(machine.exchangeEnded(refusal == nil ? failure : .cancelled, received: 0))
        #expect(machine.headReceived(head(302, [(.location, "https://c.test/three")])) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        let other = [(HTTPField.Name.contentRange, "bytes 100-299/300"), (.eTag, "\"v2\"")]
        let whole = [(HTTPField.Name.contentLength, "300"), (.eTag, "\"v2\"")]
        let decision = machine.headReceived(head(status, status == 206 ? other : whole))
        // It is gone permanently.
        if refusal == 403 {
            #expect(decision == (status == 200 ? .write(offset: 0, expectedEnd: 300) : .abort))
            return #expect((machine.restartCause != nil) && machine.directFailure == nil)
        }
        #expect(decision == .abort && !machine.hasResult)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(refusal == nil ? error == failure : error.fields.status == refusal && error.fields.host == "b.test")
    }

    /// What the redirect there could not have done either.
    @Test(arguments: [
        ("http://b.test/two", RedirectPolicy(allowsDowngrade: false)), ("https://b.test/two", .init(maximum: 0)),
        ("https://b.test/two", .init(staysAtOrigin: true)), ("https://a.test/one", .init()),
    ]) func forbiddenAddressesAreNotAsked(_ address: String, _ policy: RedirectPolicy) throws {
        var machine = try machine(at: address, policy)
        #expect(machine.begun(machine.resume())?.url.string == "https://a.test/one")
        #expect(!machine.plan.isDirect)
    }

    /// A connection broke with the network, and the redirect has expired when that is back.
    @Test func aTaskThatComesBackAsksBothAddresses() throws {
        var machine = try machine(at: "https://a.test/one")
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(302, [(.location, "https://b.test/two")])) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        #expect(machine.headReceived(head(206, Self.rest)) == .write(offset: 100, expectedEnd: 300))
        #expect(machine.connectionLost() == .cancel)
        let back = machine.begun(machine.exchangeEnded(.cancelled, received: 50))
        #expect(back?.url.string == "https://b.test/two" && back?.resume?.offset == 150)
        #expect(machine.headReceived(head(403)) == .abort)
        let again = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        #expect(again?.url.string == "https://a.test/one" && again?.resume?.offset == 150)
    }
}
