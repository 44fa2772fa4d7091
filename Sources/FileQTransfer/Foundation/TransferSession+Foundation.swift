// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import HTTPTypes
public import SessionCore
public import TransferModel

/// The calls of `URLSession` that take a `URL` or `Data`. They throw for a URL that is no absolute one of `http` or
/// `https`.
extension TransferSession {
    /// The parts of a response: with an error, those that came before it.
    public typealias CompletionHandler = @Sendable (Data?, HTTPResponse?, TransferError?) -> Void

    public func dataTask(with url: URL) throws(TransferError) -> DataTask {
        dataTask(with: try TransferRequest(url: url))
    }

    public func dataTask(
        with url: URL, completionHandler: @escaping CompletionHandler
    ) throws(TransferError) -> DataTask {
        dataTask(with: try TransferRequest(url: url), completionHandler: completionHandler)
    }

    /// - Parameter completionHandler: called once, on the delegate queue. Any HTTP status is a success.
    public func dataTask(
        with request: TransferRequest, completionHandler: @escaping CompletionHandler
    ) -> DataTask {
        dataTask(with: request, completion: Self.parts(completionHandler))
    }

    public func downloadTask(with url: URL) throws(TransferError) -> DownloadTask {
        downloadTask(with: try TransferRequest(url: url))
    }

    public func uploadTask(with request: TransferRequest, from data: Data) -> UploadTask {
        uploadTask(with: request, body: .bytes([UInt8](data)))
    }

    /// - Parameter completionHandler: as that of ``dataTask(with:completionHandler:)``.
    public func uploadTask(
        with request: TransferRequest, from data: Data, completionHandler: @escaping CompletionHandler
    ) -> UploadTask {
        uploadTask(with: request, body: .bytes([UInt8](data)), completion: Self.parts(completionHandler))
    }

    public func uploadTask(with request: TransferRequest, fromFile file: URL) -> UploadTask {
        uploadTask(with: request, body: .file(path: file.path))
    }

    /// - Parameter completionHandler: as that of ``dataTask(with:completionHandler:)``.
    public func uploadTask(
        with request: TransferRequest, fromFile file: URL, completionHandler: @escaping CompletionHandler
    ) -> UploadTask {
        uploadTask(with: request, body: .file(path: file.path), completion: Self.parts(completionHandler))
    }

    // MARK: async

    /// Runs a data task to its end, as `data(for:body:delegate:)`.
    public func data(
        from url: URL, delegate: (any TransferSessionDelegate)? = nil
    ) async throws(TransferError) -> (Data, HTTPResponse) {
        try await data(for: TransferRequest(url: url), delegate: delegate).parts
    }

    /// Runs an upload task to its end, as `upload(for:body:delegate:progress:)`.
    public func upload(
        for request: TransferRequest, from data: Data, delegate: (any TransferSessionDelegate)? = nil
    ) async throws(TransferError) -> (Data, HTTPResponse) {
        try await upload(for: request, body: .bytes([UInt8](data)), delegate: delegate).parts
    }

    /// Runs an upload task to its end, as `upload(for:body:delegate:progress:)`.
    public func upload(
        for request: TransferRequest, fromFile file: URL, delegate: (any TransferSessionDelegate)? = nil
    ) async throws(TransferError) -> (Data, HTTPResponse) {
        try await upload(for: request, body: .file(path: file.path), delegate: delegate).parts
    }

    private static func parts(
        _ handler: @escaping CompletionHandler
    ) -> @Sendable (Result<Response, TransferError>) -> Void {
        { result in
            switch result {
            case .success(let response): handler(response.data, response.response, nil)
            case .failure(let error): handler(nil, error.response, error)
            }
        }
    }
}

extension TransferSession.Response {
    /// ``body``
    public var data: Data { Data(body) }

    fileprivate var parts: (Data, HTTPResponse) { (data, response) }
}
