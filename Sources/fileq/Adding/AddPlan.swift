// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Transfers ready for the background service: checked, and independent of this process.
struct AddPlan {
    /// See ``TransferPlan/isDry``.
    var isDry: Bool
    var descriptions: [Spec]
    var terms: TransferTerms
    /// Indexes of transfers that stay paused.
    var held: [Int]
    /// Skipped lines of a list.
    var skipped: Int
    /// The first of them.
    var firstSkipped: SkippedLine?
    /// Files in folders that cannot be uploaded.
    var failures: [TransferPlan.Failure]
    /// See ``TransferPlan/folders``; relative to the working folder of this process.
    var folders: [String]

    /// - Parameters:
    ///   - workingFolder: absolute; the service has a different one.
    ///   - umask: of this process, for the files that the service makes.
    /// - Throws: code `usage` for what needs a foreground run.
    init(
        _ plan: TransferPlan, on terms: TransferTerms = TransferTerms(), priority: Double? = nil,
        workingFolder: String, umask: Int? = nil
    ) throws(TransferError) {
        guard plan.settings.trustedKeys.isEmpty, plan.settings.minimumTLS == nil, plan.settings.maximumTLS == nil else {
            throw TransferError(
                .usage,
                "--trust, --tls-min and --tls-max need a foreground run; 'fileq trust' adds a server's "
                    + "key for the service too")
        }
        (isDry, folders, descriptions) = (plan.isDry, plan.folders, plan.descriptions)
        self.terms = terms
        held = terms.paused ? [] : plan.held
        (skipped, firstSkipped, failures) = (plan.skipped, plan.firstSkipped, plan.failures)
        let paths = AbsolutePaths(workingFolder: workingFolder)
        // Each transfer gets the limit: there is no run to share it.
        let limit = plan.settings.download ?? plan.settings.upload
        for index in descriptions.indices {
            paths.resolve(&descriptions[index])
            if let limit, descriptions[index].options.rateLimit == nil { descriptions[index].options.rateLimit = limit }
            if let priority { descriptions[index].options.priority = priority }
        }
        if let umask { assign(umask) }
    }

    /// Downloads that shared their options share them afterwards.
    private mutating func assign(_ umask: Int) {
        var last: (given: Shared<TransferOptions>, changed: Shared<TransferOptions>)?
        for index in descriptions.indices where descriptions[index].kind == .download {
            let given = descriptions[index].$options
            if let last, last.given == given {
                descriptions[index].$options = last.changed
                continue
            }
            descriptions[index].options.umask = umask
            last = (given, descriptions[index].$options)
        }
    }

    /// The first step of a plan that is carried out. Blocks as long as the file system does.
    /// - Throws: code `cannotWrite`.
    func makeFolders() throws(TransferError) { try DownloadDestination.makeFolders(folders) }
}

/// Makes relative paths absolute, without resolving links.
struct AbsolutePaths {
    let workingFolder: String

    /// Removes `.` and doubled slashes.
    func path(_ path: String) -> String {
        guard !path.beginsWithSlash else { return path }
        let parts = path.pathParts.filter { $0 != "." }
        guard !parts.isEmpty else { return workingFolder }
        return (workingFolder == "/" ? "" : workingFolder) + "/" + parts.joined(separator: "/")
    }

    /// All files that a transfer names.
    func resolve(_ description: inout Spec) {
        switch description.operation {
        case .download(var download):
            switch download.destination {
            case .file(let path): download.destination = .file(path: self.path(path))
            case .folder(let path, let name): download.destination = .folder(path: self.path(path), name: name)
            case .stream: return
            }
            description.operation = .download(download)
        case .upload(var upload):
            guard case .file(let path) = upload.source else { return }
            upload.source = .file(path: self.path(path))
            description.operation = .upload(upload)
        }
        if let jar = description.options.cookieJar { description.options.cookieJar = path(jar) }
        if let file = description.options.certificateAuthorities {
            description.options.certificateAuthorities = path(file)
        }
        description.options.clientIdentity = description.options.clientIdentity.map(identity)
    }

    func identity(_ identity: ClientIdentity) -> ClientIdentity {
        ClientIdentity(
            certificate: path(identity.certificate), key: identity.key.map(path), passphrase: identity.passphrase,
            format: identity.format)
    }
}
