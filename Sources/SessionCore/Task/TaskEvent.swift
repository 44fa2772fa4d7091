// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

/// An event of a task. Delegate calls, closures and sequences are made from it.
///
/// Order: `waiting`* → `informational`* → `sent`* → `response` → (`data`* | `becameStream` | `becameDownload`?
/// `resumed`? `wrote`* `finishedDownload`?) → `metrics` → `completed`, which is last and comes exactly once. A download
/// that is suspended for long may be `resumed` several times.
public enum TaskEvent: Sendable {
    /// A 1xx response.
    case informational(HTTPResponse)
    /// Body bytes sent: `bytes` since the last event, `total` so far, `expected` in all if known.
    case sent(bytes: Int64, total: Int64, expected: Int64?)
    /// The task waits for the network; `nil`: it no longer does. Sent again when the reason changes.
    case waiting(PathWait?)
    /// The system now prefers another route to the server than that of the current connection; a new connection would
    /// use it. Sent at any time while bytes move, once for each such route.
    case betterRoute
    /// The final response's head.
    case response(HTTPResponse)
    /// A piece of the response body of a data or upload task.
    case data([UInt8])
    /// The response of the data task `former` is written to a file; further events belong to the download.
    case becameDownload(former: TransferTask, DownloadTask)
    /// The response body is read through this task.
    case becameStream(StreamTask)
    /// A download resumes at `offset`; 0 if the bytes of its resume data are of no use.
    case resumed(offset: Int64, expected: Int64?)
    /// `total` counts from the file's first byte, also after a resume.
    case wrote(bytes: Int64, total: Int64, expected: Int64?)
    /// The whole download is at `path`, not yet synced. A temporary file is deleted when the listener returns.
    case finishedDownload(path: String)
    case metrics(TransferMetrics)
    case completed(TransferError?)
}
