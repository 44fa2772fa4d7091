// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Executes a task: in this process (``TaskDriver``) or by the service (``BackgroundDriver``). ``TransferTask`` shows
/// its state and forwards its calls.
///
/// All members may be used from any thread.
protocol TaskCarrier: AnyObject, Sendable {
    var originalRequest: TransferRequest { get }
    /// The request of the exchange under way or the last one, with the fields it was sent with.
    var currentRequest: TransferRequest { get }
    /// The task's own delegate, before the session's. None once the task has ended.
    var audience: Audience { get set }
    var priority: Double { get set }
    var earliestBegin: Double? { get set }
    var taskDescription: String? { get set }
    var clientExpects: (toSend: Int64?, toReceive: Int64?) { get set }

    var publicState: TransferTask.State { get }
    var pathWait: PathWait? { get }
    var currentURL: TransferURL { get }
    var response: HTTPResponse? { get }
    var error: TransferError? { get }
    var progress: TaskProgress { get }
    var digest: [UInt8]? { get }
    var hasEarlyResponse: Bool { get }
    var handedOver: Int64 { get }
    var refusedBody: [UInt8] { get }
    var resumePoint: ResumePoint? { get }
    var restartCause: RestartCause? { get }
    var uploadResumeData: UploadResumeData? { get }
    /// For the delegate queue: the first wait that a task reports.
    var isFirstWait: Bool { get }

    func resume()
    func suspend()
    func cancel()
    func cancel(byProducingResumeData receive: @escaping @Sendable (ResumeData?) -> Void)
    func liftRestrictions()
    func setRateLimit(_ bytesPerSecond: Int?)
    /// Ends the task with an error, whether it has been resumed or not.
    func fail(_ error: TransferError)
    /// After the last event.
    func forgetDelegate()
}
