// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// One setting, and what it makes of a plain GET.
struct Setting: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var url = "https://a.test/file"
    var configure: @Sendable (inout TransferConfiguration) -> Void = { _ in }
    var choose: @Sendable (inout TransferOptions) -> Void = { _ in }
    let holds: @Sendable (Exchange) -> Bool
}

/// Every property of the configuration is honoured.
@Suite struct ConfigurationTests {
    private static let proxy = try! ProxyServer(parsing: "http://proxy.test:3128")

    static let settings = [
        Setting(testDescription: "connectTimeout", configure: { $0.connectTimeout = 3 }) { $0.connectTimeout == 3 },
        Setting(
            testDescription: "connectTimeout of the request", configure: { $0.connectTimeout = 3 },
            choose: { $0.connectTimeout = 4 }
        ) { $0.connectTimeout == 4 },
        Setting(testDescription: "requestTimeout") { $0.requestTimeout == 60 && $0.connectTimeout == 30 },
        Setting(testDescription: "requestTimeout set", configure: { $0.requestTimeout = 5 }) { $0.requestTimeout == 5 },
        Setting(
            testDescription: "requestTimeout of the request", configure: { $0.requestTimeout = 5 },
            choose: { $0.requestTimeout = 6 }
        ) { $0.requestTimeout == 6 },
        Setting(testDescription: "responseTimeout", configure: { $0.requestTimeout = 5 }) { $0.responseTimeout == nil },
        Setting(testDescription: "responseTimeout set", configure: { $0.responseTimeout = 300 }) {
            $0.responseTimeout == 300
        },
        Setting(
            testDescription: "responseTimeout of the request",
            configure: { $0.responseTimeout = 300 },
            choose: { ($0.requestTimeout, $0.responseTimeout) = (6, 7) }
        ) { $0.responseTimeout == 7 && $0.requestTimeout == 6 },
        Setting(
            testDescription: "requestTimeout of the request is that of the response",
            configure: { $0.responseTimeout = 300 }, choose: { $0.requestTimeout = 6 }
        ) { $0.responseTimeout == nil && $0.requestTimeout == 6 },
        Setting(testDescription: "userAgent", configure: { $0.userAgent = "mine/1" }) {
            $0.fields[.userAgent] == "mine/1"
        },
        Setting(testDescription: "additionalFields", configure: { $0.additionalFields[.acceptLanguage] = "ja" }) {
            $0.fields[.acceptLanguage] == "ja"
        },
        Setting(
            testDescription: "a request's own field replaces it",
            configure: { $0.additionalFields[.acceptLanguage] = "ja" },
            choose: { $0.headers = [HTTPField(name: .acceptLanguage, value: "en")] }
        ) {
            $0.fields[values: .acceptLanguage] == ["en"]
        },
        Setting(testDescription: "proxy", configure: { $0.proxy = .servers(http: nil, https: proxy, bypass: []) }) {
            $0.proxy == proxy
        },
        Setting(
            testDescription: "proxy bypassed",
            configure: { $0.proxy = .servers(http: nil, https: proxy, bypass: ["a.test"]) }
        ) {
            $0.proxy == nil
        },
        Setting(
            testDescription: "proxy of the environment",
            configure: { $0.proxy = .environment(["https_proxy": "http://proxy.test:3128"]) }
        ) { $0.proxy == proxy },
        Setting(testDescription: "TLS limits as they are") { $0.minimumTLS == .tls12 && $0.maximumTLS == nil },
        Setting(
            testDescription: "TLS limits",
            configure: { ($0.minimumTLSVersion, $0.maximumTLSVersion) = (.tls13, .tls13) }
        ) {
            $0.minimumTLS == .tls13 && $0.maximumTLS == .tls13
        },
        Setting(testDescription: "multipathServiceType", configure: { $0.multipathServiceType = .handover }) {
            $0.usesMultipath
        },
        Setting(testDescription: "no multipath") { !$0.usesMultipath },
        Setting(testDescription: "networkServiceType", configure: { $0.networkServiceType = .background }) {
            $0.serviceType == .background
        },
        Setting(testDescription: "interface", configure: { $0.interface = "wlan0" }) { $0.interface == "wlan0" },
        Setting(
            testDescription: "interface of the request", configure: { $0.interface = "wlan0" },
            choose: { $0.interface = "eth0" }
        ) {
            $0.interface == "eth0"
        },
        Setting(testDescription: "priority", choose: { $0.priority = 0.75 }) { $0.priority == 0.75 },
        Setting(testDescription: "pins", choose: { $0.pins = ["sha256//AAAA"] }) { $0.pins == ["sha256//AAAA"] },
        Setting(testDescription: "assumesHTTP3Capable", choose: { $0.assumesHTTP3Capable = true }) {
            $0.assumesHTTP3Capable
        },
        Setting(testDescription: "HTTP version", choose: { $0.httpVersion = .http1 }) { $0.httpVersion == .http1 },
        Setting(testDescription: "no cookie storage", configure: { $0.cookieStorage = nil }) {
            $0.fields[.cookie] == nil
        },
    ]

    @Test(arguments: settings) func reachesTheExchange(_ setting: Setting) async throws {
        let stage = Stage({ setting.configure(&$0) }) { _, _ in .init(200) }
        _ = try await stage.session.data(for: try request(setting.url, .get, setting.choose))
        let exchange = try #require(stage.transport.exchanges.first)
        #expect(setting.holds(exchange))
    }

    /// The peer has the whole body, or not; an exchange without one awaits nothing.
    @Test(arguments: [(true, nil, 60), (true, 300, 300), (false, 300, 60)] as [(Bool, Double?, Double)])
    func silenceAfterTheBodyHasItsOwnTimer(_ awaits: Bool, _ response: Double?, _ seconds: Double) throws {
        var exchange = Exchange(url: try TransferURL("http://a.test/"), method: .put)
        exchange.responseTimeout = response
        #expect(exchange.silence(awaitsResponse: awaits).cause == .requestTimeout(seconds: 60))
        exchange.body = .bytes([])
        let silence = exchange.silence(awaitsResponse: awaits)
        #expect(silence.seconds == seconds)
        #expect(silence.cause == (seconds == 300 ? .responseTimeout(seconds: 300) : .requestTimeout(seconds: 60)))
    }

    @Test func copiesTheConfiguration() async throws {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.requestTimeout = 5
        let transport = FakeTransport { _, _ in .init(200) }
        let session = TransferSession(configuration: configuration, transport: transport, sessionDescription: "mine")
        configuration.requestTimeout = 7
        _ = try await session.data(for: try request())
        #expect(transport.exchanges.first?.requestTimeout == 5)
        #expect(session.configuration.requestTimeout == 5)
        #expect(session.sessionDescription == "mine")
        session.sessionDescription = nil
        #expect(session.sessionDescription == nil)
    }

    @Test(arguments: [nil, 20.0]) func theResourceTimerEndsAStalledTask(_ own: Double?) async throws {
        let stage = Stage({ $0.resourceTimeout = 10 }) { _, _ in stalling() }
        let task = stage.session.dataTask(with: try request { $0.resourceTimeout = own })
        task.resume()
        #expect(await eventually { task.progress.received == 1 })
        stage.scheduler.advance(by: 9.5)
        #expect(task.state == .running)
        stage.scheduler.advance(by: 1)
        if own != nil {
            #expect(task.state == .running)
            stage.scheduler.advance(by: 10)
        }
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .timedOut)
    }

    @Test func usesTheSessionsSuspensionGrace() async throws {
        let stage = Stage({ $0.suspensionGrace = 3 }) { _, _ in stalling([.eTag: "\"v\"", .contentLength: "5"]) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { task.progress.received == 1 })
        task.suspend()
        stage.scheduler.advance(by: 2)
        #expect(stage.transport.countUnderWay == 1)
        stage.scheduler.advance(by: 1)
        #expect(await eventually { stage.transport.countUnderWay == 0 })
        task.cancel()
    }

    @Test func limitsConnectionsPerHost() async throws {
        let stage = Stage({ $0.maximumConnectionsPerHost = 2 }) { _, _ in stalling() }
        let tasks = try (0..<5).map { _ in stage.session.dataTask(with: try request()) }
        tasks.forEach { $0.resume() }
        #expect(await eventually { stage.transport.countUnderWay == 2 })
        await stage.drain()
        #expect(stage.transport.mostAtOnce == 2)
        stage.session.invalidateAndCancel()
        #expect(await eventually { stage.session.tasks.isEmpty })
    }

    @Test func requestCachePolicyTakesPrecedence() async throws {
        let stage = Stage({
            $0.cache = ResponseCache(diskCapacity: 0)
            $0.cachePolicy = .returnCacheDataDontLoad
        }) { _, _ in .init(200) }
        await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(stage.transport.exchanges.isEmpty)
        _ = try await stage.session.data(for: try request { $0.cachePolicy = .reloadIgnoringLocalCacheData })
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func usesTheRequestsCookieJar() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage({ $0.cookieJars = CookieJars(publicSuffixes: OneLabelSuffixes()) }) { exchange, _ in
            .init(
                200, [.setCookie: "sid=1; Path=/; Max-Age=100"], body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        let withJar = try request { $0.cookieJar = folder.file("jar") }
        _ = try await stage.session.data(for: withJar)
        #expect(try await stage.session.data(for: withJar).body == Array("sid=1".utf8))
        #expect(try await stage.session.data(for: try request()).body == Array("none".utf8))
        try stage.session.flush()
        #expect(folder.names == ["jar"])
    }

    @Test(arguments: [(CookieStorage.AcceptPolicy.always, "sid=1"), (.never, "none")])
    func appliesTheAcceptPolicy(_ policy: CookieStorage.AcceptPolicy, _ expected: String) async throws {
        let storage = CookieStorage(publicSuffixes: OneLabelSuffixes())
        storage.acceptPolicy = policy
        let stage = Stage({ $0.cookieStorage = storage }) { exchange, _ in
            .init(200, [.setCookie: "sid=1; Path=/"], body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        _ = try await stage.session.data(for: try request())
        #expect(try await stage.session.data(for: try request()).body == Array(expected.utf8))
    }

    @Test func usesAnAlternativeServiceFromTheNextRequestOn() async throws {
        let stage = Stage({ $0.alternativeServices = AlternativeServiceStore() }) { _, _ in
            .init(200, [HTTPField.Name("Alt-Svc")!: "h3=\":8443\"; ma=3600"])
        }
        _ = try await stage.session.data(for: try request("https://a.test/"))
        _ = try await stage.session.data(for: try request("https://a.test/"))
        _ = try await stage.session.data(for: try request("https://a.test/") { $0.httpVersion = .http1 })
        _ = try await stage.session.data(for: try request("http://a.test/"))
        #expect(
            stage.transport.exchanges.map(\.alternative)
                == [nil, Exchange.Alternative(host: "a.test", port: 8443), nil, nil])
    }

    @Test func resetRemovesAndFlushWrites() async throws {
        let folder = try TemporaryFolder()
        let cookies = try CookieStorage(file: folder.file("cookies"), publicSuffixes: OneLabelSuffixes())
        let (credentials, cache) = (CredentialStorage(), ResponseCache(diskCapacity: 0))
        let stage = Stage({
            ($0.cookieStorage, $0.credentialStorage, $0.cache) = (cookies, credentials, cache)
        }) { _, _ in .init(200, [.setCookie: "sid=1; Path=/; Max-Age=100", .cacheControl: "max-age=60"], body: [1]) }
        let space = ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "r", method: .basic)
        try credentials.set(Credential(user: "u", password: "p"), for: space, persistence: .forSession)
        let url = try request().url
        _ = try await stage.session.data(for: try request())
        #expect(await eventually { cache.cachedResponse(for: url) != nil })
        try stage.session.flush()
        #expect(folder.names.contains("cookies"))
        stage.session.reset()
        #expect(cookies.all.isEmpty)
        #expect(credentials.all.isEmpty)
        #expect(cache.cachedResponse(for: url) == nil)
    }
}

/// An answer of one byte that does not end.
func stalling(_ fields: HTTPFields = [:]) -> FakeTransport.Answer {
    var answer = FakeTransport.Answer(200, fields, body: [1])
    answer.stalls = true
    return answer
}

struct OneLabelSuffixes: PublicSuffixes {
    func isPublicSuffix(_ domain: String) -> Bool { !domain.contains(".") }
}
