// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The server programs. `assets/install-dependencies test` installs them all.
enum ServerProgram: String, Sendable, CaseIterable {
    case nginx, caddy, haproxy, apache2, squid, microsocks, httpbin, sshd, lighttpd, h2o
    /// nginx's module for WebDAV.
    case nginxDAV = "ngx_http_dav_ext_module.so"
    /// Servers of folders: wsgidav, copyparty, rclone.
    case places
    /// A client that reads Metalink documents.
    case aria2 = "aria2c"
    /// A client, for the server.
    case tuspy
    /// A server of the tus protocol.
    case tuspyserver
    /// A logind that suspends nothing; for Debian's own Python.
    case dbusmock
    /// Clients of aria2's JSON-RPC.
    case aria2clients
    /// A store of S3's protocol.
    case moto
    /// Answers for the resolver in one process alone, so that a name can exist at a proxy and nowhere else.
    case nssWrapper = "libnss_wrapper"

    /// Where it is; `nil` where it is not installed.
    var path: String? {
        let candidates: [String] =
            switch self {
            case .nginx, .caddy, .haproxy, .apache2, .squid, .microsocks, .sshd, .aria2, .lighttpd, .h2o:
                ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map { "\($0)/\(rawValue)" }
            case .httpbin: [Self.package.appending(path: ".build/httpbin/bin/waitress-serve").path]
            case .nginxDAV: ["/usr/lib/nginx/modules/\(rawValue)"]
            case .tuspy, .tuspyserver, .moto, .aria2clients, .places:
                [Self.package.appending(path: ".build/\(rawValue)/bin/python").path]
            case .dbusmock: ["/usr/lib/python3/dist-packages/dbusmock"]
            case .nssWrapper: Self.libraryFolders.map { "\($0)/libnss_wrapper.so" }
            }
        return candidates.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// - Throws: an issue that names it, where it is not installed.
    func required() throws -> String { try #require(path, "\(Self.absence([self]))") }

    fileprivate static func absence(_ programs: [ServerProgram]) -> String {
        "\(programs.map(\.rawValue).joined(separator: ", ")) not installed: assets/install-dependencies test "
            + "installs it"
    }

    /// Where `CI` is `true`, nothing may be skipped.
    static let mayBeAbsent = ProcessInfo.processInfo.environment["CI"] != "true"

    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// `/usr/lib` and its folders for one kind of machine, such as `/usr/lib/x86_64-linux-gnu`.
    private static let libraryFolders: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return names.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)" } + ["/usr/lib", "/usr/lib64"]
    }()
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with the reason, where one of `programs` is not installed; with `CI=true` it runs, and fails
    /// there.
    static func needs(_ programs: ServerProgram...) -> Self {
        let absent = programs.filter { $0.path == nil }
        return .enabled(if: absent.isEmpty || !ServerProgram.mayBeAbsent, "\(ServerProgram.absence(absent))")
    }
}
