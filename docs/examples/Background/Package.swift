// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
    name: "Background",
    dependencies: [.package(name: "fileq", path: "../../..")],
    targets: [
        .executableTarget(name: "Background", dependencies: [.product(name: "FileQTransfer", package: "fileq")], path: "Sources"),
    ]
)
