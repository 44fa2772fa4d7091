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

let cSettings: [CSetting] = [.define("_GNU_SOURCE")]

let package = Package(
    name: "fileq",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        .target(name: "TransferModel", dependencies: [
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
        ], swiftSettings: houseSettings),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CLinux", cSettings: cSettings),
        .target(name: "SessionCore", dependencies: [
            "TransferModel",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .target(name: "CurlTransport", dependencies: [
            "CCurl", "CLinux", "SessionCore", "TransferModel",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .target(name: "TransferTesting", dependencies: ["SessionCore", "TransferModel"], swiftSettings: houseSettings),
        .testTarget(name: "SessionCoreTests", dependencies: [
            "SessionCore", "TransferTesting",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .testTarget(name: "CurlTransportTests", dependencies: [
            "CurlTransport", "SessionCore", "TransferTesting",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .target(name: "TransferControl", dependencies: ["TransferModel"], swiftSettings: houseSettings),
        .target(name: "TransferService", dependencies: [
            "CLinux", "SessionCore", "TransferControl", "TransferModel",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .testTarget(name: "TransferServiceTests", dependencies: [
            "CurlTransport", "TransferControl", "TransferModel", "TransferService", "TransferTesting",
        ], swiftSettings: houseSettings),
        .target(name: "FileServer", dependencies: [
            "TransferModel",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HummingbirdTLS", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
        ], swiftSettings: houseSettings),
        .testTarget(name: "FileServerTests", dependencies: [
            "FileServer", "TransferModel",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ], swiftSettings: houseSettings),
        .testTarget(name: "TransferModelTests", dependencies: ["TransferModel"], swiftSettings: houseSettings),
        .target(name: "CTerminal", cSettings: cSettings + [.define("NCURSES_WIDECHAR", to: "1")],
                linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "TerminalInterface", dependencies: ["CTerminal", "TransferControl", "TransferModel"],
                swiftSettings: houseSettings),
    ]
)
