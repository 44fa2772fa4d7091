// SPDX-License-Identifier: MIT

public import Dispatch
public import SessionCore
public import TransferModel

extension TransferSession {
    /// A session whose transfers the background service of this user carries: they go on when the program ends, and a
    /// later run that makes a session with the same identifier goes on with them. See docs/URLSession.md, "Background
    /// sessions".
    ///
    /// Starts the service where none runs. When this returns, ``SessionCore/TransferSession/tasks`` are those of
    /// earlier runs that have not ended; the delegate is told of ends that nobody heard, and then
    /// `sessionDidFinishEvents`.
    /// - Parameters:
    ///   - configuration: with an `identifier`, as `.background("org.example.mirror")` makes it.
    ///   - places: whose `state` holds the session's folder.
    ///   - connect: how to reach the service; called again whenever the connection has ended.
    /// - Throws: code `usage` where there is no identifier, or a session of that name is open, in this program or
    ///   another one; why the service cannot be reached.
    public static func background(
        _ configuration: TransferConfiguration, delegate: (any TransferSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil,
        places: SessionPlaces = .standard, connect: @escaping ServiceConnector.Connect = ServiceConnector.standard
    ) async throws(TransferError) -> TransferSession {
        guard let identifier = configuration.identifier else {
            throw TransferError(
                .usage,
                "a background session needs an identifier; make its configuration with '.background(IDENTIFIER)'")
        }
        let connector = try await ServiceConnector.open(identifier: identifier, places: places, connect: connect)
        return TransferSession(
            configuration: configuration, connector: connector, delegate: delegate, delegateQueue: delegateQueue)
    }
}
