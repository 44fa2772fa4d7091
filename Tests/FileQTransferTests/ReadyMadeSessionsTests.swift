// SPDX-License-Identifier: MIT

@testable import FileQTransfer
import Glibc
import Platform
import Testing
import TransferTesting

/// Sessions that are there without being put together.
@Suite struct ReadyMadeSessionsTests {
    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let cookie = head.contains("sid=1") ? "known" : "new"
                connection.answer("200 OK", ["Set-Cookie: sid=1; Path=/; Max-Age=1000"], body: Array(cookie.utf8))
            }
        }
    }

    private func ask(_ session: TransferSession, _ server: ScriptedServer) async throws -> String {
        String(
            decoding: try await session.data(for: TransferRequest(url: try TransferURL(server.url()))).body,
            as: UTF8.self)
    }

    private func direct(_ configuration: TransferConfiguration) -> TransferConfiguration {
        var configuration = configuration
        configuration.proxy = .none
        return configuration
    }

    @Test func sharedReturnsOneSession() {
        #expect(TransferSession.shared === TransferSession.shared)
        #expect(TransferSession.shared.delegate == nil)
        #expect(TransferSession.shared.configuration.cookieStorage != nil)
        #expect(TransferSession.shared.configuration.cache != nil)
    }

    @Test func defaultSessionsPersist() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let places = SessionPlaces(state: folder.file("state"), cache: folder.file("cache"))
        let first = try TransferSession.default(direct(.default(places: places)))
        #expect(try await ask(first, server) == "new")
        #expect(try await ask(first, server) == "known")
        try first.flush()
        let second = try TransferSession.default(direct(.default(places: places)))
        #expect(try await ask(second, server) == "known")
    }

    /// What a program keeps that ends in the closure.
    @Test func cookiesAreInTheirFileWhenAClosureIsCalled() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let places = SessionPlaces(state: folder.file("state"), cache: folder.file("cache"))
        let first = try TransferSession.default(direct(.default(places: places)))
        let request = TransferRequest(url: try TransferURL(server.url()))
        let text = await withCheckedContinuation { done in
            first.dataTask(with: request, completion: { _ in
                done.resume(returning: (try? folder.read("state/cookies.txt")) ?? [])
            }).resume()
        }
        #expect(String(decoding: text, as: UTF8.self).contains("sid\t1"))
    }

    @Test func defaultSessionsShareTheirStores() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let places = SessionPlaces(state: folder.file("state"), cache: folder.file("cache"))
        let first = try TransferSession.default(direct(.default(places: places)))
        let second = try TransferSession.default(direct(.default(places: places)))
        #expect(try await ask(first, server) == "new")
        #expect(try await ask(second, server) == "known")
        #expect(first.configuration.cache === second.configuration.cache)
    }

    /// A folder that another user made, or can change, would give cookies and trusted keys away.
    @Test func requiresAPrivateStateFolder() throws {
        let folder = try TemporaryFolder()
        let places = SessionPlaces(state: folder.file("a/session"), cache: folder.file("cache"))
        try places.makeState()
        try places.makeState()
        var status = stat()
        #expect(lstat(places.state, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(chmod(places.state, 0o720) == 0)
        let error = #expect(throws: TransferError.self) { try TransferConfiguration.default(places: places) }
        #expect(error?.code == .usage)
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes folders of others")) func rejectsStateOfAnotherUser() throws {
        let folder = try TemporaryFolder()
        let places = SessionPlaces(state: folder.file("session"), cache: folder.file("cache"))
        try places.makeState()
        #expect(chown(places.state, 65534, 65534) == 0)
        #expect(throws: TransferError.self) { try TransferConfiguration.default(places: places) }
    }

    /// Relative paths mean another folder in each program, and anybody can make one below `/tmp` first.
    @Test func placesAreAbsoluteAndBelowHome() {
        let places = SessionPlaces(
            Folders(environment: { ["XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "./cache"][$0] }, account: { nil }))
        #expect(places.state == "/.local/state/fileq/session")
        #expect(places.cache == "/.cache/fileq")
    }

    @Test func ephemeralSessionsStoreNothing() async throws {
        let server = try server()
        let first = try TransferSession.ephemeral(direct(.ephemeral()))
        #expect(try await ask(first, server) == "new")
        #expect(try await ask(first, server) == "known")
        #expect(first.configuration.cache?.diskCapacity == 0)
        #expect(first.configuration.cookieStorage !== TransferSession.shared.configuration.cookieStorage)
        #expect(try await ask(try TransferSession.ephemeral(direct(.ephemeral())), server) == "new")
    }
}
