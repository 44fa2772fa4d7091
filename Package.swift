// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The one set of rules every Swift target of the house is built with.
let houseSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let cSettings: [CSetting] = [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]

extension Target.Dependency {
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let structuredFields = product(name: "StructuredFieldValues", package: "swift-http-structured-headers")

    // What the library does not need.
    static let argumentParser = program("ArgumentParser", "swift-argument-parser")
    static let grdb = program("GRDB", "GRDB.swift")
    static let logging = program("Logging", "swift-log")
    static let nioSSL = program("NIOSSL", "swift-nio-ssl")
    static let toml = program("TOMLKit", "TOMLKit")
    static func hummingbird(_ product: String) -> Target.Dependency { program(product, "hummingbird") }
    static func nio(_ product: String) -> Target.Dependency { program(product, "swift-nio") }

    /// SwiftPM fetches a package unless each of its uses has a condition that does not hold.
    static func program(_ product: String, _ package: String) -> Target.Dependency {
        .product(name: product, package: package, condition: .when(traits: ["Program"]))
    }
}

/// A small one is optimized for size: what waits for keys, not for data.
func house(_ name: String, _ dependencies: [Target.Dependency], isSmall: Bool = false) -> Target {
    let size: [SwiftSetting] = isSmall ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []
    return .target(name: name, dependencies: dependencies, swiftSettings: houseSettings + size)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: houseSettings)
}

let package = Package(
    name: "fileq",
    products: [
        .executable(name: "fileq", targets: ["fileq"]),
        // Not installed: faults and slow networks to try any client against.
        .executable(name: "fileq-lab", targets: ["FileQLab"]),
        .library(
            name: "FileQTransfer",
            targets: [
                "FileQTransfer", "SessionCore", "CurlTransport", "NetworkPath",
            ]),
    ],
    // Programs that use the library depend on it with `traits: []`, and get the packages of the library alone.
    traits: [.default(enabledTraits: ["Program"]), .trait(name: "Program", description: "The program fileq")],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // What Swift cannot say by itself.
        .target(name: "CCurl", dependencies: ["CLinux"], cSettings: cSettings),
        // Linked in: few runs read XML, and none has to look for a library at its start.
        .target(name: "CExpat", cSettings: cSettings, linkerSettings: [.linkedLibrary(":libexpat.a")]),
        .target(name: "CICUData", cSettings: cSettings),
        .target(name: "CLinux", cSettings: cSettings),
        .target(name: "CPublicSuffix", dependencies: ["CLinux"], cSettings: cSettings),
        .target(name: "CStandardStreams", cSettings: cSettings),
        .target(
            name: "CTerminal", cSettings: cSettings + [.define("NCURSES_WIDECHAR", to: "1")],
            linkerSettings: [.linkedLibrary("ncursesw")]),

        // The operating system: descriptors, files, processes.
        house("Platform", ["CLinux"]),

        // Values, decisions, bytes.
        house("TransferModel", [.httpTypes, .structuredFields]),
        house("Markup", ["CExpat", "TransferModel"]),
        house("Listings", ["Markup", "TransferModel", .httpTypes]),
        house("SessionCore", ["Platform", "TransferModel", .httpTypes]),
        house(
            "CurlTransport",
            [
                "CCurl", "CLinux", "CPublicSuffix", "Platform", "SessionCore", "TransferModel", .asn1, .crypto,
                .httpTypes,
            ]),

        house("NetworkPath", ["CLinux", "Platform", "SessionCore", "TransferModel"]),

        // For other programs: sessions ready made.
        house(
            "FileQTransfer",
            [
                "CurlTransport", "NetworkPath", "Platform", "SessionCore", "TransferControl", "TransferModel",
                .httpTypes,
            ]),

        // The queue.
        house("TransferStore", ["CLinux", "Platform", "TransferModel", .grdb]),
        house("TransferControl", ["Platform", "TransferModel"]),
        house(
            "TransferService",
            [
                "CLinux", "Markup", "Platform", "SessionCore", "TransferControl", "TransferModel", "TransferStore",
                .crypto, .httpTypes,
            ]),

        // The two ends that people meet.
        house("ServerSupport", [.nio("NIOCore"), .nioSSL]),
        house(
            "FileServer",
            [
                "ServerSupport", "Platform", "TransferModel", .crypto, .httpTypes, .logging,
                .hummingbird("HummingbirdCore"),
                .hummingbird("HummingbirdTLS"),
                .nio("NIOCore"),
                .nio("NIOHTTP1"),
                .nio("NIOPosix"),
                .nioSSL,
            ]),
        // The queue for programs that speak aria2's protocol.
        house(
            "RemoteControl",
            [
                "ServerSupport", "TransferControl", "TransferModel", .httpTypes,
                .nio("NIOCore"),
                .nio("NIOHTTP1"),
                .nio("NIOPosix"),
                .nio("NIOWebSocket"),
                .nioSSL,
            ]),
        house(
            "NetworkLab",
            [
                "ServerSupport", "TransferModel", .crypto,
                .nio("NIOCore"),
                .nio("NIOHTTP1"),
                .nio("NIOPosix"),
                .nioSSL,
            ]),
        house("TerminalInterface", ["CTerminal", "Platform", "TransferControl", "TransferModel"], isSmall: true),
        .executableTarget(
            name: "fileq",
            dependencies: [
                "CICUData", "CStandardStreams", "CurlTransport", "FileServer", "Listings", "NetworkPath", "Platform",
                "RemoteControl",
                "SessionCore", "TerminalInterface",
                "TransferControl", "TransferModel",
                "TransferService", "TransferStore", .argumentParser, .httpTypes, .logging, .toml,
            ], swiftSettings: houseSettings),

        .executableTarget(
            name: "FileQLab",
            dependencies: [
                "CurlTransport", "NetworkLab", "SessionCore", "TransferModel", .argumentParser, .httpTypes,
            ], swiftSettings: houseSettings),

        // Tests, and what they share.
        house("TransferTesting", ["Platform", "SessionCore", "TransferControl", "TransferModel", .httpTypes]),
        // Replaces functions of libdispatch and libc in whatever links it: no other target depends on these two.
        .target(name: "CSimulation", cSettings: cSettings),
        .executableTarget(
            name: "TransferSimulator",
            dependencies: [
                "CLinux", "CSimulation", "Platform", "SessionCore", "TransferControl", "TransferModel",
                "TransferService", "TransferStore", "TransferTesting", .crypto, .httpTypes,
            ], swiftSettings: houseSettings),
        .executableTarget(
            name: "InterfaceProbe",
            dependencies: ["TerminalInterface", "TransferControl", "TransferModel", "TransferTesting"],
            path: "Tests/InterfaceProbe", swiftSettings: houseSettings),
        .executableTarget(
            name: "PathProbe", dependencies: ["NetworkPath", "SessionCore", "TransferModel"], path: "Tests/PathProbe",
            swiftSettings: houseSettings),
        .executableTarget(
            name: "OutageProbe", dependencies: ["CurlTransport", "NetworkPath", "SessionCore", "TransferModel"],
            path: "Tests/OutageProbe", swiftSettings: houseSettings),
        .executableTarget(
            name: "SessionProbe", dependencies: ["FileQTransfer"], path: "Tests/SessionProbe",
            swiftSettings: houseSettings),
        .executableTarget(
            name: "ControlProbe", dependencies: ["TransferControl", "TransferModel", "TransferTesting"],
            path: "Tests/ControlProbe", swiftSettings: houseSettings),
        // What the documentation shows: outside the package's access, as in another package.
        .executableTarget(
            name: "DownloadExample", dependencies: ["FileQTransfer"], path: "docs/examples/Download/Sources",
            packageAccess: false, swiftSettings: houseSettings),
        .executableTarget(
            name: "BackgroundExample", dependencies: ["FileQTransfer"], path: "docs/examples/Background/Sources",
            packageAccess: false, swiftSettings: houseSettings),
        .target(
            name: "PortingExample", dependencies: ["FileQTransfer"], path: "docs/comparison/porting/fileq",
            packageAccess: false, swiftSettings: houseSettings),
        .executableTarget(
            name: "StoreProbe", dependencies: ["TransferModel", "TransferStore"],
            path: "Tests/StoreProbe", swiftSettings: houseSettings),
        tests("HouseTests", ["TransferTesting"]),
        tests("PlatformTests", ["CLinux", "Platform", "TransferTesting"]),
        tests("TransferModelTests", ["TransferModel", .httpTypes]),
        tests("SessionCoreTests", ["SessionCore", "TransferModel", "TransferTesting", .httpTypes]),
        tests(
            "CurlTransportTests",
            [
                "CCurl", "CLinux", "CurlTransport", "FileServer", "SessionCore", "SessionProbe", "TransferModel",
                "TransferTesting", .crypto,
                .httpTypes,
            ]),
        tests(
            "FileQTransferTests",
            [
                "fileq", "FileQTransfer", "Platform", "SessionCore", "TransferControl", "TransferModel",
                "TransferTesting", .httpTypes,
            ]),
        tests(
            "NetworkPathTests",
            ["CLinux", "NetworkPath", "PathProbe", "SessionCore", "TransferModel", "TransferTesting"]),
        tests("OutageTests", ["fileq", "OutageProbe", "SessionProbe", "TransferTesting"]),
        tests("StressTests", ["CurlTransport", "SessionCore", "TransferModel", "TransferTesting", .httpTypes]),
        .testTarget(
            name: "ListingsTests", dependencies: ["Listings", "TransferModel", "TransferTesting", .httpTypes],
            exclude: ["Goldens"], swiftSettings: houseSettings),
        tests("TransferControlTests", ["TransferControl", "TransferModel", "TransferTesting", .httpTypes]),
        tests(
            "TransferStoreTests",
            ["Platform", "StoreProbe", "TransferModel", "TransferStore", "TransferTesting", .grdb, .httpTypes]),
        tests(
            "TransferServiceTests",
            [
                "CurlTransport", "FileServer", "SessionCore", "TransferControl", "TransferModel", "TransferService",
                "TransferStore", "TransferTesting", .crypto,
                .httpTypes,
            ]),
        .testTarget(
            name: "TerminalInterfaceTests",
            dependencies: [
                "fileq", "CTerminal", "InterfaceProbe", "Platform", "TerminalInterface", "TransferControl",
                "TransferModel",
                "TransferTesting",
            ], exclude: ["Goldens"], swiftSettings: houseSettings),
        tests(
            "NetworkLabTests",
            [
                "FileQLab", "NetworkLab", "TransferModel", "TransferTesting", .argumentParser,
                .nio("NIOCore"),
                .nio("NIOEmbedded"),
            ]),
        tests(
            "RemoteControlTests",
            ["RemoteControl", "TransferControl", "TransferModel", "TransferTesting", .httpTypes]),
        tests("FileServerTests", ["FileServer", "Platform", "TransferModel", "TransferTesting", .httpTypes]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "fileq", "Listings", "RemoteControl", "SessionCore", "TransferModel", "TransferControl",
                "TransferService", "TransferTesting", "TerminalInterface",
                .argumentParser, .httpTypes,
            ], path: "Tests/fileqTests", swiftSettings: houseSettings),
        // Whatever reads input from outside, with any bytes; `make fuzz` builds Targets once more.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "fileq", "CCurl", "CLinux", "CurlTransport", "FileServer", "Listings", "NetworkPath", "RemoteControl",
                "SessionCore",
                "TerminalInterface",
                "TransferControl", "TransferModel", "TransferService", "TransferTesting", .httpTypes,
            ], exclude: ["Corpus"], swiftSettings: houseSettings),
        // The built program as a process, and sessions, against real servers on loopback.
        tests(
            "IntegrationTests",
            [
                "fileq", "FileQLab", "CurlTransport", "SessionCore", "TransferControl", "TransferModel",
                "TransferTesting", .httpTypes,
            ]),
        // The simulator as a process, which `swift build --build-tests` builds with everything else.
        tests("SimulationTests", ["TransferTesting"]),
        // The background service, killed again and again.
        tests(
            "SoakTests", ["fileq", "NetworkLab", "TransferModel", "TransferStore", "TransferTesting", .crypto, .grdb]),
    ]
)
