// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// Stands alone: nothing of fileq depends on it, and it depends on nothing of fileq.
let package = Package(
    name: "foundation-networking",
    targets: [.executableTarget(name: "probe", swiftSettings: [.swiftLanguageMode(.v5)])]
)
