// SPDX-License-Identifier: MIT

/// What went wrong in a transfer: the value of ``TransferError/Fields/problem``.
///
/// ``message(of:)`` is the sentence of the library; a program may make another one of the case and of the error's code
/// and fields. No case holds a secret, and each text is one line.
public enum TransferProblem: Sendable, Hashable {
    case connection(ConnectionProblem)
    case download(DownloadProblem)
    case upload(UploadProblem)
    /// Of another version of the library: the error's message is the sentence.
    case unknown(name: String)

    /// One line, in lower case and without full stop; `nil` for what is of another version.
    public func message(of error: TransferError) -> String? {
        guard let cause = cause(of: error) else { return nil }
        // Where the network may not be used, the problem says so.
        guard error.fields.networkUnavailableReason == nil, let obstacle = error.fields.networkObstacle else {
            return cause
        }
        return "\(cause) (\(obstacle))"
    }

    private func cause(of error: TransferError) -> String? {
        switch self {
        // A wait that is not known here.
        case .connection(.networkForbidden) where error.fields.wait?.message.isEmpty == true: nil
        case .connection(let problem): problem.message(of: error)
        case .download(let problem): problem.message(of: error)
        case .upload(let problem): problem.message(of: error)
        case .unknown: nil
        }
    }
}

extension TransferError {
    /// - Parameter host: that of ``Fields/host``, with which most sentences begin.
    package init(
        _ code: Code, _ problem: TransferProblem, host: String? = nil, curlCode: Int32? = nil,
        systemErrno: Int32? = nil, fields: Fields = Fields()
    ) {
        var fields = fields
        fields.host = host ?? fields.host
        fields.problem = problem
        self.init(code, "", curlCode: curlCode, systemErrno: systemErrno, fields: fields)
        reword()
    }

    /// Makes the sentence again after a change of the fields that it is made of.
    package mutating func reword() {
        guard let text = fields.problem?.message(of: self) else { return }
        underlying.text = text
    }

    /// Begins with the host, if it is known.
    func atHost(_ text: String) -> String { fields.host.map { "\($0): \(text)" } ?? text }
}
