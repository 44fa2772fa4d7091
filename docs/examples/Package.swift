// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let transfer: Target.Dependency = .product(name: "FileQTransfer", package: "fileq")

let package = Package(
    name: "examples",
    dependencies: [.package(name: "fileq", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "Download", dependencies: [transfer], path: "Download/Sources"),
        .executableTarget(name: "Background", dependencies: [transfer], path: "Background/Sources"),
    ]
)
