// SPDX-License-Identifier: MIT

/// The arguments of `get`, of which a plan is made: also those of `add get`, and of commands that download on their
/// own account.
struct DownloadArguments {
    var urls: [String] = []
    var destination = DestinationOptions.of(output: nil, directory: nil)
    var sync = false
    var noSync = false
    var files = DownloadFileOptions.defaults
    var shared = TransferOptionGroup.defaults
}
