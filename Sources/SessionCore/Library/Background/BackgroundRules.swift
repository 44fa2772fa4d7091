// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The tasks and configuration that a background session supports. No I/O except for the working folder.
enum BackgroundRules {
    /// What another process supports.
    enum Work: Equatable {
        case download
        /// An absolute path.
        case upload(file: String)
    }

    /// - Parameter hasClosure: whether the task's events go to a closure.
    /// - Throws: code `usage`, with the alternative.
    static func work(_ payload: TaskDriver.Payload, hasClosure: Bool) throws(TransferError) -> Work {
        guard !hasClosure else {
            throw TransferError(.backgroundClosures)
        }
        switch payload {
        case .data: throw TransferError(.backgroundDataTasks)
        case .upload(_, digest: .some): throw TransferError(.backgroundDigests)
        case .upload(.file(let path), digest: nil): return .upload(file: UploadSourceFile.absolute(path))
        case .continued: throw TransferError(.backgroundContinuedUploads)
        case .upload, .opened: throw TransferError(.backgroundBytesAndStreams)
        case .download(let target):
            guard case .temporary = target.place else {
                throw TransferError(.backgroundDestinations)
            }
            guard target.resume == nil, target.copy == nil, target.digest == nil else {
                throw TransferError(.backgroundTargets)
            }
            return .download
        }
    }

    /// The request with the session's configuration, since the service has its own. It always waits for a network.
    static func complete(_ request: TransferRequest, _ configuration: TransferConfiguration) -> TransferRequest {
        var request = request
        request.options.connectTimeout = request.options.connectTimeout ?? configuration.connectTimeout
        request.options.requestTimeout = request.options.requestTimeout ?? configuration.requestTimeout
        request.options.resourceTimeout = request.options.resourceTimeout ?? configuration.resourceTimeout
        request.options.allowsCellular = request.options.allowsCellular ?? configuration.allowsCellularAccess
        request.options.allowsExpensive = request.options.allowsExpensive ?? configuration.allowsExpensiveNetworkAccess
        request.options.allowsConstrained =
            request.options.allowsConstrained ?? configuration.allowsConstrainedNetworkAccess
        request.options.allowsDowngrade = request.options.allowsDowngrade ?? configuration.allowsDowngradeRedirects
        request.options.interface = request.options.interface ?? configuration.interface
        if configuration.multipathServiceType != .none {
            request.options.multipath = request.options.multipath ?? configuration.multipathServiceType
        }
        request.options.waitsForConnectivity = true
        request.options.method = request.method
        let given = Set(request.options.headers.map(\.name))
        request.options.headers += configuration.additionalFields.filter { !given.contains($0.name) }
        if !request.options.headers.contains(where: { $0.name == .userAgent }) {
            request.options.headers.append(HTTPField(name: .userAgent, value: configuration.userAgent))
        }
        return request
    }
}
