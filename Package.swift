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
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        .target(name: "TransferModel", dependencies: [
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
        ], swiftSettings: houseSettings),
        .target(name: "TransferControl", dependencies: ["TransferModel"], swiftSettings: houseSettings),
        .target(name: "CTerminal", cSettings: cSettings + [.define("NCURSES_WIDECHAR", to: "1")],
                linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "TerminalInterface", dependencies: ["CTerminal", "TransferControl", "TransferModel"],
                swiftSettings: houseSettings),
        .executableTarget(name: "InterfaceProbe", dependencies: ["TerminalInterface", "TransferControl", "TransferModel"],
                          path: "Tests/InterfaceProbe", swiftSettings: houseSettings),
        .testTarget(name: "TerminalInterfaceTests",
                    dependencies: ["TerminalInterface", "CTerminal", "TransferControl", "TransferModel", "InterfaceProbe"],
                    exclude: ["Goldens"], swiftSettings: houseSettings),
    ]
)
