// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// A source of interface costs.
protocol MeteredSource: Sendable {
    /// Whether it is available; fast.
    var isThere: Bool { get }
    /// Queries each interface; may take seconds. Omits unknown ones.
    func metered(_ names: [String]) -> [String: Bool]
}

/// Queries NetworkManager over the system's D-Bus, with systemd's `busctl`, for `Metered` of each device
/// (org.freedesktop.NetworkManager.Device; NMMetered: 0 unknown, 1 yes, 2 no, 3 and 4 the same as guesses).
struct NetworkManagerMetering: MeteredSource {
    /// Maximum interfaces per query.
    static let maximumInterfaces = 8
    /// Seconds for all of them together.
    static let patience = 2.0

    private let runner: any CommandRunner
    private let hasBus: @Sendable () -> Bool
    private let now: @Sendable () -> Double

    /// - Parameter hasBus: whether there is a system bus; without one, as in most containers, no process is started.
    init(
        runner: any CommandRunner, hasBus: @escaping @Sendable () -> Bool = Self.hasSystemBus,
        now: @escaping @Sendable () -> Double
    ) {
        self.runner = runner
        self.hasBus = hasBus
        self.now = now
    }

    @Sendable static func hasSystemBus() -> Bool {
        getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil || access("/run/dbus/system_bus_socket", F_OK) == 0
    }

    var isThere: Bool { hasBus() }

    func metered(_ names: [String]) -> [String: Bool] {
        let end = now() + Self.patience
        var found: [String: Bool] = [:]
        for name in names.prefix(Self.maximumInterfaces) {
            guard case let left = end - now(), left > 0.01 else { break }
            let call = [
                "call", Self.service, "/org/freedesktop/NetworkManager", Self.service, "GetDeviceByIpIface", "s", name,
            ]
            guard let device = Self.path(in: runner.run(Self.busctl + call, within: left)) else { continue }
            guard case let left = end - now(), left > 0.01 else { break }
            let property = ["get-property", Self.service, device, "\(Self.service).Device", "Metered"]
            found[name] = Self.metered(in: runner.run(Self.busctl + property, within: left))
        }
        return found
    }

    private static let service = "org.freedesktop.NetworkManager"
    // After the dashes nothing is an option, whatever an interface is named. The query does not start the service.
    private static let busctl = ["busctl", "--system", "--json=short", "--auto-start=no", "--timeout=2", "--"]

    /// `{"type":"o","data":["/org/freedesktop/NetworkManager/Devices/3"]}`
    static func path(in output: [UInt8]?) -> String? {
        struct Answer: Decodable { var data: [String] }
        guard let output, let answer = try? JSONDecoder().decode(Answer.self, from: Data(output)),
            let path = answer.data.first, path.utf8.count < 256,
            path.hasPrefix("/org/freedesktop/NetworkManager/Devices/"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        return path
    }

    /// `{"type":"u","data":4}`
    static func metered(in output: [UInt8]?) -> Bool? {
        struct Answer: Decodable { var data: Int }
        guard let output, let answer = try? JSONDecoder().decode(Answer.self, from: Data(output)) else { return nil }
        return switch answer.data {
        // A guessed "yes" counts; a guessed "no" is only a default.
        case 1, 3: true
        case 2: false
        default: nil
        }
    }
}
