// SPDX-License-Identifier: MIT

public import Dispatch
public import SessionCore
public import TransferModel

extension TransferSession {
    /// A session whose transfers run in the user's background service: they continue when the program exits, and a
    /// later run resumes them with a session of the same identifier. See docs/URLSession.md, "Background sessions".
    ///
    /// Starts the service if necessary. On return, ``SessionCore/TransferSession/tasks`` has the unfinished tasks of
    /// earlier runs; the delegate receives undelivered ends, then `sessionDidFinishEvents`.
    /// - Parameters:
    ///   - configuration: with an `identifier`, as from `.background("org.example.mirror")`.
    ///   - places: `state` contains the session's folder.
    /// - Throws: code `usage` without an identifier, or if the session is already open, in this program or another one;
    ///   the error of connecting to the service.
    public static func background(
        _ configuration: TransferConfiguration, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil, places: SessionPlaces = .standard
    ) async throws(TransferError) -> TransferSession {
        try await background(
            configuration, delegate: delegate, delegateQueue: delegateQueue, places: places,
            connect: ServiceConnector.standard)
    }

    /// - Parameter connect: connects to the service; called again whenever the connection has ended.
    package static func background(
        _ configuration: TransferConfiguration, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil, places: SessionPlaces = .standard,
        connect: @escaping ServiceConnector.Connect
    ) async throws(TransferError) -> TransferSession {
        guard let identifier = configuration.identifier else {
            throw TransferError(.backgroundNoIdentifier)
        }
        let connector = try await ServiceConnector.open(identifier: identifier, places: places, connect: connect)
        return TransferSession(
            configuration: configuration, connector: connector, delegate: delegate, delegateQueue: delegateQueue)
    }
}
