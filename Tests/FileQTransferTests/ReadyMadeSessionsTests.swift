// SPDX-License-Identifier: MIT

@testable import FileQTransfer
import Glibc
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
        String(decoding: try await session.data(for: TransferRequest(url: try TransferURL(server.url()))).body, as: UTF8.self)
    }

    private func direct(_ configuration: TransferConfiguration) -> TransferConfiguration {
        var configuration = configuration
        configuration.proxy = .none
        return configuration
    }

    @Test func theSharedOneIsOne() {
        #expect(TransferSession.shared === TransferSession.shared)
        #expect(TransferSession.shared.delegate == nil)
        #expect(TransferSession.shared.configuration.cookieStorage != nil)
        #expect(TransferSession.shared.configuration.cache != nil)
    }

    @Test func theDefaultOneRemembersOverItsEnd() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let places = SessionPlaces(state: folder.file("state"), cache: folder.file("cache"))
        let first = try TransferSession.default(direct(.default(places: places)))
        #expect(try await ask(first, server) == "new")
        #expect(try await ask(first, server) == "known")
        try first.flush()
        let second = try TransferSession.default(direct(.default(places: places)))
        #expect(try await ask(second, server) == "known")
    }

    /// Without a home, files lie where anybody may have made the folder before.
    @Test func aSharedFolderIsUsedOnlyWhereItIsOnesOwn() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("fileq-1")
        try SessionPlaces.claim(place)
        try SessionPlaces.claim(place)
        var status = stat()
        #expect(lstat(place, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(symlink(place, folder.file("link")) == 0)
        for (path, mode) in [(folder.file("link"), nil), (place, 0o755), (place, 0o720)] as [(String, mode_t?)] {
            if let mode { #expect(chmod(path, mode) == 0) }
            let error = #expect(throws: TransferError.self) { try SessionPlaces.claim(path) }
            #expect(error?.code == .usage)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes folders of others")) func aFolderOfAnotherUserIsRefused() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("fileq-1")
        try SessionPlaces.claim(place)
        #expect(chmod(place, 0o700) == 0 && chown(place, 65534, 65534) == 0)
        #expect(throws: TransferError.self) { try SessionPlaces.claim(place) }
    }

    @Test func ephemeralOnesLeaveNothingAndShareNothing() async throws {
        let server = try server()
        let first = try TransferSession.ephemeral(direct(.ephemeral()))
        #expect(try await ask(first, server) == "new")
        #expect(try await ask(first, server) == "known")
        #expect(first.configuration.cache?.diskCapacity == 0)
        #expect(first.configuration.cookieStorage !== TransferSession.shared.configuration.cookieStorage)
        #expect(try await ask(try TransferSession.ephemeral(direct(.ephemeral())), server) == "new")
    }
}
