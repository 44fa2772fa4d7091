// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// The library, the engine, their tests and the stress test alone, to be built once more under each sanitizer: see run.
// Sources and tests are links to those of the house, but for CVisibleMutex. FILEQ_SANITIZER names the sanitizer of the
// house's own code; packages are built once for all sanitizers, without any.
let sanitizer = Context.environment["FILEQ_SANITIZER"]
let settings: [SwiftSetting] = (sanitizer.map { [.unsafeFlags(["-sanitize=\($0)"])] } ?? []) + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let cSettings: [CSetting] = (sanitizer.map { [.unsafeFlags(["-fsanitize=\($0)"])] } ?? []) + [.define("_GNU_SOURCE")]
let testLinkerSettings: [LinkerSetting] = sanitizer.map { [.unsafeFlags(["-sanitize=\($0)"])] } ?? []
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "sanitizers",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "CCurl", dependencies: ["CLinux"], cSettings: cSettings),
        .target(name: "CExpat", cSettings: cSettings, linkerSettings: [.linkedLibrary(":libexpat.a")]),
        .target(name: "CLinux", cSettings: cSettings),
        .target(name: "CPublicSuffix", dependencies: ["CLinux"], cSettings: cSettings),
        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: settings),
        .target(
            name: "TransferModel",
            dependencies: [
                httpTypes, .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
            ], swiftSettings: settings),
        .target(name: "Markup", dependencies: ["CExpat", "TransferModel"], swiftSettings: settings),
        .target(name: "SessionCore", dependencies: ["Platform", "TransferModel", httpTypes], swiftSettings: settings),
        .target(
            name: "CurlTransport",
            dependencies: [
                "CCurl", "CLinux", "CPublicSuffix", "Platform", "SessionCore", "TransferModel", httpTypes,
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "SwiftASN1", package: "swift-asn1"),
            ], swiftSettings: settings),
        .target(
            name: "TransferTesting",
            dependencies: ["Platform", "SessionCore", "TransferControl", "TransferModel", httpTypes],
            swiftSettings: settings),
        .target(
            name: "TransferStore",
            dependencies: ["CLinux", "Platform", "TransferModel", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: settings),
        .target(
            name: "TransferControl", dependencies: ["Platform", "TransferModel"], swiftSettings: settings),
        .target(
            name: "TransferService",
            dependencies: [
                "CLinux", "Markup", "Platform", "SessionCore", "TransferControl", "TransferModel", "TransferStore",
                httpTypes, .product(name: "Crypto", package: "swift-crypto"),
            ], swiftSettings: settings),
        .target(name: "CVisibleMutex", cSettings: cSettings),
        .testTarget(
            name: "StressTests",
            dependencies: [
                "CVisibleMutex", "CurlTransport", "SessionCore", "TransferModel", "TransferTesting", httpTypes,
            ],
            swiftSettings: settings, linkerSettings: testLinkerSettings),
        .testTarget(
            name: "TransferServiceTests",
            dependencies: [
                "CurlTransport", "SessionCore", "TransferControl", "TransferModel", "TransferService", "TransferStore",
                "TransferTesting", httpTypes, .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings, linkerSettings: testLinkerSettings),
    ]
)
