// SPDX-License-Identifier: MIT

/// The stored and wire form: one flat object, that of the fields included. `code` and `message` are always there;
/// version 1 wrote no more than these, `curlCode`, `systemErrno`, `networkUnavailableReason`, `networkObstacle` and
/// `resumeData`. Readers ignore members that they do not know.
extension TransferError: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, cause, message, curlCode, systemErrno, resumeData
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            number: try members.decode(Int.self, forKey: .code),
            cause: try members.decodeIfPresent(String.self, forKey: .cause),
            message: try members.decode(String.self, forKey: .message),
            transport: try members.decodeIfPresent(Int32.self, forKey: .curlCode),
            errno: try members.decodeIfPresent(Int32.self, forKey: .systemErrno))
        fields = try Fields(from: decoder)
        resumeData = try members.decodeIfPresent(ResumeData.self, forKey: .resumeData)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(code.rawValue, forKey: .code)
        try members.encodeIfPresent(code.causeName, forKey: .cause)
        try members.encode(message, forKey: .message)
        try members.encodeIfPresent(underlying.transport, forKey: .curlCode)
        try members.encodeIfPresent(underlying.errno, forKey: .systemErrno)
        try fields.encode(to: encoder)
        try members.encodeIfPresent(resumeData, forKey: .resumeData)
    }

    /// Of what the stored and wire forms hold. Where they name no cause (version 1), it follows from the other members,
    /// as far as it does.
    package init(number: Int, cause: String?, message: String, transport: Int32? = nil, errno: Int32? = nil) {
        self.init(Code(number: number, cause: cause), message, curlCode: transport, systemErrno: errno)
        guard cause == nil else { return }
        switch (code.cause, transport) {
        case (.other, nil) where message == Self.cancelled.message: code = .cancelled
        case (.certificateRefused, 60?): code = .certificateUntrusted
        case (.cannotConnect, 45?): code = .interfaceUnavailable
        case (.receiveFailed, 52?): code = .noResponse
        default: break
        }
    }
}

extension TransferError.Code: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
