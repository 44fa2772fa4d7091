// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// A forward proxy on loopback, which connects to nothing but loopback.
struct ProxyServer: Sendable {
    let port: Int
    let login: TestLogin?
    let log: String
    let process: Started

    /// `scheme://user:password@127.0.0.1:port`; with no login of its own, without.
    /// - Parameter login: another than the right one.
    func url(_ scheme: String, login other: TestLogin? = nil) -> String {
        let login = (other ?? login).map { "\($0.user):\($0.password)@" } ?? ""
        return "\(scheme)://\(login)127.0.0.1:\(port)"
    }

    /// What it has said of its connections, a line each.
    var lines: [String] {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}

extension Stage {
    /// A name that the proxies of a stage resolve, to 127.0.0.1, and nothing else does.
    static let proxyName = "files.test"

    /// squid: an HTTP proxy without cache and name server. Accepts CONNECT to any port.
    ///
    /// A line of its log: time, duration, client, `TCP_MISS/200`, bytes, method, URL, user, hierarchy, type. A CONNECT
    /// is logged at its end.
    /// - Parameter login: the only accepted one; others get a 407.
    func squid(login: TestLogin? = nil, name: String = "squid") async throws -> ProxyServer {
        let program = try ServerProgram.squid.required()
        let (folder, words) = try unprivilegedFolder(name)
        try Data("127.0.0.1 \(Self.proxyName)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/hosts"))
        var access = "http_access allow loopback"
        if let login {
            let users = try await passwords(login, to: "\(folder)/users")
            access = """
                auth_param basic program /usr/lib/squid/basic_ncsa_auth \(users)
                auth_param basic children 1 startup=1
                acl known proxy_auth REQUIRED
                http_access allow loopback known
                """
        }
        // Shared memory has the name of the service: each of several at once needs one of its own.
        let service = "fileq" + String(UInt64.random(in: .min ... .max), radix: 16)
        let front = words.first ?? program
        let (port, process) = try await listen(front, folder: folder) { port in
            let text = """
                http_port 127.0.0.1:\(port)
                pid_filename none
                cache deny all
                cache_store_log none
                cache_mem 0
                memory_cache_shared off
                netdb_filename none
                coredump_dir none
                pinger_enable off
                access_log stdio:\(folder)/access.log
                cache_log \(folder)/cache.log
                hosts_file \(folder)/hosts
                dns_nameservers 127.0.0.1
                dns_timeout 1 second
                shutdown_lifetime 0 seconds
                visible_hostname squid.test
                acl loopback dst 127.0.0.0/8
                \(access)
                http_access deny all

                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/squid.conf"))
            return Array(words.dropFirst()) + (words.isEmpty ? [] : [program]) + [
                "-N", "-n", service, "-f", "\(folder)/squid.conf",
            ]
        }
        return ProxyServer(port: port, login: login, log: "\(folder)/access.log", process: process)
    }

    /// microsocks: a SOCKS5 proxy. A line of its log names what it was asked to connect to, as it was asked.
    func socks(login: TestLogin? = nil, name: String = "socks") async throws -> ProxyServer {
        let program = try ServerProgram.microsocks.required()
        let folder = try makeFolder(aside(name))
        try Data("127.0.0.1 \(Self.proxyName)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/hosts"))
        let names = ["LD_PRELOAD": try ServerProgram.nssWrapper.required(), "NSS_WRAPPER_HOSTS": "\(folder)/hosts"]
        let (port, process) = try await listen(program, folder: folder, environment: names) { port in
            ["-i", "127.0.0.1", "-p", "\(port)"] + (login.map { ["-u", $0.user, "-P", $0.password] } ?? [])
        }
        return ProxyServer(port: port, login: login, log: process.errors, process: process)
    }
}
