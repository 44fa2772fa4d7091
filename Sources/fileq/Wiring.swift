// SPDX-License-Identifier: MIT

import CurlTransport
import NetworkPath
import Platform
import SessionCore
import TransferControl
import TransferModel
import TransferService
import TransferStore

/// The queue behind `get` and `put`: the only place of the command line that names concrete types.
func makeQueue(_ settings: QueueSettings) throws(TransferError) -> RunningQueue {
    let transport = try makeTransport()
    var configuration = LocalQueue.Configuration()
    configuration.limits = QueueLimits(
        concurrent: settings.concurrent, download: settings.download, upload: settings.upload)
    configuration.pausesOnFullDisk = false
    configuration.asksUser = settings.asksUser
    configuration.report = { StandardError.say(MessageCatalog.text($0)) }
    configuration.uploadRecords = Places(environment: ProcessEnvironment.value).uploadRecords
    configuration.timeSuspended = { SystemClock.suspended }
    let queue = LocalQueue(
        transport: transport, configuration: configuration, session: try sessionConfiguration(settings))
    return RunningQueue(client: queue) { await queue.shutDown() }
}

/// Holds logind's lock until the standard input of cat ends.
private let sleepLock = [
    "systemd-inhibit", "--what=sleep", "--who=fileq", "--why=files are being transferred", "--mode=block", "cat",
]

/// The persistent queue of the background service.
func makeServiceQueue(_ settings: ServiceSettings) throws(TransferError) -> ServiceQueue {
    var queue = QueueSettings(concurrent: settings.concurrent)
    queue.pathOverrides = settings.configured.pathOverrides
    let report = settings.report
    let crashes = try CrashLedger(path: settings.places.service.crashes, time: SystemScheduler().wallNow)
    crashes.recordCrashes()
    if let signal = crashes.signal {
        let running =
            crashes.wereRunning.isEmpty
            ? "no transfer" : "transfer " + crashes.wereRunning.map(\.description).joined(separator: ", ")
        report("the previous service crashed with signal \(signal) while it ran \(running)")
    }
    let store = try TransferStore(folder: settings.places.service.queue, time: SystemScheduler().wallNow)
    if let warning = store.report.warning { report(warning) }
    var configuration = LocalQueue.Configuration()
    configuration.limits = QueueLimits(concurrent: settings.concurrent)
    configuration.asksUser = true
    configuration.report = { report(MessageCatalog.text($0)) }
    let hooks = HookRunner(settings.configured.hooks, words: MessageCatalog.transferWords) { report($0.message) }
    configuration.hooks = hooks
    let inhibitor = SleepInhibitor(sleepLock, isEnabled: settings.configured.inhibitsSleep) {
        report("sleep is not prevented: \($0)")
    }
    configuration.inhibitor = inhibitor
    configuration.timeSuspended = { SystemClock.suspended }
    let monitor = LazyLinkMonitor(overrides: settings.configured.pathOverrides)
    let durable = try DurableQueue(
        store: store, transport: makeTransport(), configuration: configuration,
        session: sessionConfiguration(queue, monitor, settings.places), crashes: crashes)
    return ServiceQueue(
        client: durable,
        reconfigure: { values in
            hooks.setCommands(values.hooks)
            inhibitor.setEnabled(values.inhibitsSleep)
            monitor.setOverrides(values.pathOverrides)
        }, limitsInForce: { await durable.limitsInForce() }, sleepStatus: { inhibitor.status },
        stop: { await durable.shutDown() })
}

/// A session that stores nothing.
func makeProbe(_ settings: QueueSettings) throws(TransferError) -> TransferSession {
    var session = try sessionConfiguration(settings)
    session.alternativeServices = nil
    return TransferSession(configuration: session, transport: try makeTransport())
}

/// Loads what the commands that transfer in their own process need, while the command line is read.
func prepareTransport(for words: [String]) {
    if let command = words.first, ["get", "put", "ls"].contains(command) { CurlTransport.preload() }
}

/// The transport of sessions outside of queues.
func makeTransport() throws(TransferError) -> any Transport {
    try CurlTransport()
}

/// The configuration shared by the sessions of all queues.
/// - Parameter places: of trusted keys, logins and what is known about servers.
private func sessionConfiguration(
    _ settings: QueueSettings, _ monitor: LazyLinkMonitor? = nil,
    _ places: Places = Places(environment: ProcessEnvironment.value)
) throws(TransferError) -> TransferConfiguration {
    var session = TransferConfiguration()
    session.cookieJars = CookieJars(publicSuffixes: SystemPublicSuffixes.shared)
    session.keepsCookiesWithinTasks = true
    session.waitsForConnectivity = true
    // Some servers work on a file before they respond. What was typed takes precedence.
    session.responseTimeout = max(300, session.requestTimeout)
    session.pathMonitor = monitor ?? LazyLinkMonitor(overrides: settings.pathOverrides)
    session.transportSecurity = try TransportSecurityStore(
        file: places.transportSecurity, now: { SystemScheduler().wallNow },
        asciiHost: HostName.ascii)
    if CurlTransport.speaksHTTP3 {
        session.alternativeServices = AlternativeServiceStore(file: places.alternativeServices)
    }
    let trustStore = try TrustStore(file: places.trustedKeys)
    for key in settings.trustedKeys { try trustStore.accept(key, persistence: .forSession) }
    session.trustStore = trustStore
    session.credentialStorage = try CredentialStorage(file: places.credentials)
    session.minimumTLSVersion = settings.minimumTLS ?? session.minimumTLSVersion
    session.maximumTLSVersion = settings.maximumTLS
    // The queue limits concurrency.
    session.maximumConnectionsPerHost = .max
    session.maximumConcurrentExchanges = .max
    return session
}

/// - Throws: code `usage`, if libcurl does not support HTTP/3.
func requireHTTP3() throws(TransferError) {
    guard !CurlTransport.speaksHTTP3 else { return }
    throw TransferError(
        .usage,
        "the libcurl of this system (\(CurlTransport.libraryVersion)) was built without HTTP/3; use one "
            + "built with it, such as the GnuTLS flavour of libcurl 8.14 in Debian 13 and bookworm-backports; use 1.1 "
            + "or 2, or "
            + "omit --http")
}
