// SPDX-License-Identifier: MIT

public import HTTPTypes

/// Why a transfer ended without success: a cause, what is known of it, and what the layer below reported.
///
/// Programs decide by ``code``, ``fields`` and ``underlying``, never by text. ``message`` holds no secret and no
/// control character. It is complete ("example.org: connection refused"), begins in lower case, has no full stop, and
/// names no program's option or command.
public struct TransferError: Error, Sendable, Hashable, CustomStringConvertible {
    public var code: Code
    /// What the layer below reported.
    public var underlying = Underlying()
    @Boxed private var known: Fields?
    /// What another task needs to resume the download that ended with this error; `nil` where it cannot, or is no
    /// download.
    @Boxed public var resumeData: ResumeData?
    /// What another task needs to continue the upload that ended with this error; `nil` where it cannot, or is none.
    /// It is not encoded: who knows the address in it can continue the upload.
    @Boxed public var uploadResumeData: UploadResumeData?
    private var companion = Companion()

    public init(_ code: Code, _ message: String) { self.init(code, message, fields: Fields()) }

    package init(
        _ code: Code, _ message: String, curlCode: Int32? = nil, systemErrno: Int32? = nil, fields: Fields = Fields()
    ) {
        self.code = code.refined(byErrno: systemErrno)
        underlying = Underlying(errno: systemErrno, transport: curlCode, text: message)
        self.fields = fields
    }

    /// The parts of the failure that programs decide by and sentences are made from.
    public var fields: Fields {
        get { known ?? Fields() }
        set { known = newValue == Fields() ? nil : newValue }
    }

    /// One sentence for a person, in English. Another one drops the fields that a program makes its own sentence of.
    public var message: String {
        get { underlying.text }
        set {
            underlying.text = newValue
            guard var known else { return }
            known.refusal = nil
            known.problem = nil
            known.local = nil
            known.file = nil
            known.mismatch = nil
            known.parameter = nil
            fields = known
        }
    }

    public var description: String { message }

    /// `errno` of the failed system call, where one is known.
    public var systemErrno: Int32? { underlying.errno }

    /// The head of the response that had come before the failure, where a closure or an awaited call has no task to ask
    /// for it. It may hold secrets, such as cookies; it is neither printed nor encoded, and does not count where errors
    /// are compared.
    public var response: HTTPResponse? {
        get { companion.box?.head }
        set { companion.box = newValue.map(Companion.Box.init) }
    }

    /// Accompanies an error without being part of its value.
    private struct Companion: Sendable, Hashable {
        final class Box: Sendable {
            let head: HTTPResponse
            init(_ head: HTTPResponse) { self.head = head }
        }

        var box: Box?

        static func == (left: Self, right: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }
}

extension TransferError {
    /// How a task that was cancelled ends.
    public static let cancelled = TransferError(.cancelled, "cancelled")

    /// What the failed layer reported, as it reported it.
    public struct Underlying: Sendable, Hashable {
        /// `errno` of the failed system call, where one is known.
        public var errno: Int32?
        /// The transport library's number, for logs and bug reports. Its meaning is the transport's: nothing is decided
        /// by it.
        public var transport: Int32?
        /// One line, without secrets and control characters.
        public var text: String

        public init(errno: Int32? = nil, transport: Int32? = nil, text: String = "") {
            self.errno = errno
            self.transport = transport
            self.text = text
        }
    }

    /// What is known of a failure beside its code.
    public struct Fields: Sendable, Hashable, Codable {
        /// Host and port of the URL: `example.org:443`.
        public var host: String?
        /// The proxy that failed or refused, without its credential.
        public var proxy: String?
        /// The file concerned.
        public var path: String?
        /// The HTTP status of the response that is the failure, the server's or the proxy's.
        public var status: Int?
        /// The timer that fired.
        public var timer: Timer?
        /// Distinguishes failures of one code with different remedies.
        package var variant: Variant?
        /// The transfer concerned, where the error is not reported as its own.
        package var transfer: TransferID?
        /// The option, field or parameter with the wrong value, without dashes.
        package var option: String?
        /// Why the certificate is not trusted.
        public var certificate: CertificateProblem?
        /// `cellular`, `expensive` or `constrained` where the network was there and the transfer may not use it
        /// (`URLError.networkUnavailableReason`).
        public var networkUnavailableReason: String?
        /// Why the network could not carry the transfer, where it did not wait for one that can.
        public var networkObstacle: String?
        /// The same as a value.
        public var wait: PathWait?
        /// The name of the file with the bytes of a download that cannot be resumed, and their number.
        package var partialFile: String?
        package var partialBytes: Int64?
        /// The response that is the failure; beside a ``problem`` only what was learned of it later.
        package var refusal: Refusal?
        /// What went wrong in a transfer.
        package var problem: TransferProblem?
        /// The problem of a value that a person wrote, of the use of a session, or of the background service.
        /// Not encoded: it stays in the program that meets it.
        package var local: TransferProblem?
        /// What is wrong with the file at ``path``.
        package var file: FileProblem?
        /// Which bytes are not those that were expected.
        package var mismatch: ContentMismatch?
        /// What is wrong with a value that a program passed.
        package var parameter: ParameterProblem?

        private enum CodingKeys: String, CodingKey {
            case host, proxy, path, status, timer, variant, transfer, option, certificate, networkUnavailableReason
            case networkObstacle, wait, partialFile, partialBytes, refusal, problem, file, mismatch, parameter
        }

        package init(
            host: String? = nil, proxy: String? = nil, path: String? = nil, status: Int? = nil, timer: Timer? = nil,
            variant: Variant? = nil, transfer: TransferID? = nil, option: String? = nil
        ) {
            self.host = host
            self.proxy = proxy
            self.path = path
            self.status = status
            self.timer = timer
            self.variant = variant
            self.transfer = transfer
            self.option = option
        }
    }

    /// The timers that end a transfer.
    public enum Timer: String, Sendable, Hashable, Codable, CaseIterable {
        /// Name, connection and TLS together.
        case connect
        /// No byte moved for so long.
        case request
        /// The server has the whole body of a request, and sent no response for so long.
        case response
        /// The whole transfer, attempts and waits included.
        case resource
    }
}
