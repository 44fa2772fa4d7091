// SPDX-License-Identifier: MIT

extension TransferProblem {
    /// One line, in lower case and without full stop; `nil` for what is of another version.
    package func message(of error: TransferError) -> String? {
        // A wait that is not known here.
        if kind == .networkForbidden, error.fields.wait?.message.isEmpty == true { return nil }
        let proxied: Set<Kind?> = [.failed, .reported, .withoutTLS]
        // With a proxy, it is never the server itself that is connected to.
        let isOfProxy =
            proxied.contains(kind) && error.fields.proxy != nil
            && (error.code == .proxyNotResolved || error.code == .cannotConnect)
        let cause = text(of: error, at: isOfProxy ? "the proxy {proxy} (to {host}): " : "[{host}: ]")
        // Where the network may not be used, the problem says so.
        let obstacle = error.fields.networkUnavailableReason == nil ? error.fields.networkObstacle : nil
        return cause.map { $0 + (obstacle.map { " (\($0))" } ?? "") }
    }

    /// - Parameter place: what the sentence begins with, if it is about a server.
    package func text(of error: TransferError, at place: String = "") -> String? {
        let isNamed = texts == nil && error.code.rawValue == error.code.cause.number
        let special = [error.fields.status.map { "\($0)" }, isNamed ? error.code.cause.rawValue : nil]
            .compactMap { $0.map { "\(name).\($0)" } }
        return Sentences.english.text(special + keys, self, place: place) { name in
            switch name {
            case "failure": TransferProblem(.failed).text(of: error)
            case "seconds": TransferError.seconds(seconds ?? 0)
            default: error.value(name)
            }
        }
    }
}

extension TransferError {
    /// The value of a name in the rows of ``Sentences``.
    fileprivate func value(_ name: Substring) -> String? {
        switch name {
        case "host": fields.host
        case "proxy": fields.proxy
        case "status": fields.status.map { "\($0)" }
        case "certificate": fields.certificate?.text
        case "code": code.name
        case "errno": systemErrno.map { Self.phrase(errno: $0) }
        case "transport": underlying.transport.map { "\($0)" }
        case "wait": fields.wait?.message
        case "obstacle": if case .obstacle(let obstacle) = fields.wait { obstacle.message } else { nil }
        default: nil
        }
    }

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

    package init(
        _ code: Code, _ kind: TransferProblem.Kind, _ values: any ProblemValue..., host: String? = nil,
        curlCode: Int32? = nil, systemErrno: Int32? = nil, fields: Fields = Fields()
    ) {
        self.init(
            code, TransferProblem(name: kind.rawValue, values), host: host, curlCode: curlCode,
            systemErrno: systemErrno, fields: fields)
    }

    /// A problem of this program alone.
    /// - Parameter code: `nil`: that of the kind.
    package init(
        local problem: TransferProblem, code: Code? = nil, systemErrno: Int32? = nil, path: String? = nil,
        variant: Variant? = nil
    ) {
        let kind = problem.localKind
        // An address in a line of a document.
        let isAddress = kind == .documentLine && problem.texts?.first == "address"
        self.init(
            code ?? (isAddress ? .malformedURL : kind?.code ?? .other), "", systemErrno: systemErrno,
            fields: Fields(path: path, variant: variant ?? kind?.variant))
        fields.local = problem
        underlying.text = problem.text(of: self) ?? ""
    }

    package init(_ kind: TransferProblem.LocalKind, _ values: any ProblemValue...) {
        self.init(local: TransferProblem(name: kind.rawValue, values))
    }

    package init(
        _ code: Code, _ kind: TransferProblem.LocalKind, _ values: any ProblemValue..., systemErrno: Int32? = nil,
        path: String? = nil, variant: Variant? = nil
    ) {
        self.init(
            local: TransferProblem(name: kind.rawValue, values), code: code, systemErrno: systemErrno, path: path,
            variant: variant)
    }

    /// Makes the sentence again after a change of the fields that it is made of.
    package mutating func reword() {
        guard let text = fields.problem?.message(of: self) else { return }
        underlying.text = text
    }

    /// The same, found in this line of a document.
    package func located(inLine line: Int) -> TransferError {
        if let part = NestedProblem(fields.local, of: "document") { return TransferError(.documentLine, line, part) }
        guard let member = NestedProblem(fields.local, of: "url") else {
            return TransferError(code, "line \(line): \(message)")
        }
        return TransferError(.documentLine, line, "address", member)
    }

    /// `30 s`, `0.25 s`
    package static func seconds(_ value: Double) -> String {
        value == value.rounded() && value < 1e15 ? "\(Int(value)) s" : "\((value * 1000).rounded() / 1000) s"
    }
}
