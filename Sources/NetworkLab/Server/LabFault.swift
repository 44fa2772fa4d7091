// SPDX-License-Identifier: MIT

/// What goes wrong with a response, or with an upload.
package enum LabFault: String, Sendable, Hashable, CaseIterable {
    case reset
    case close
    case truncate
    case stall
    case stopReading = "stop-reading"
    case earlyAnswer = "early-answer"
    case wrongLength = "wrong-length"
    case garbage
    case drip
    case storm = "1xx-storm"
    case redirectLoop = "redirect-loop"
    case unauthorized = "401"
    case proxyAuthentication = "407"
    case tooManyRequests = "429"
    case unavailable = "503"

    /// One line for the index page.
    package var meaning: String {
        switch self {
        case .reset: "resets the connection after at= bytes of body, of the response or of the upload"
        case .close: "closes in order instead of responding, or after at= bytes"
        case .truncate: "announces the whole length and closes after at= bytes"
        case .stall: "goes silent after at= bytes, and keeps the connection"
        case .stopReading: "uploads: takes no byte more after at= bytes"
        case .earlyAnswer: "uploads: responds 413 after at= bytes, before the rest has come"
        case .wrongLength: "announces at= bytes and sends the whole body"
        case .garbage: "responds with bytes that are not HTTP"
        case .drip: "moves rate= bytes a second (64 unless given), either way"
        case .storm: "sends count= responses 103 (100 unless given) before the final one"
        case .redirectLoop: "redirects to itself count= times, or for ever"
        case .unauthorized: "401 with a Basic challenge; the login lab:lab is let in"
        case .proxyAuthentication: "407, as from a proxy that wants a login"
        case .tooManyRequests: "429 with Retry-After: retry-after= seconds (1 unless given)"
        case .unavailable: "503 with Retry-After, likewise"
        }
    }

    /// It occurs between two bytes of a body, or before the response.
    var strikesInBody: Bool {
        switch self {
        case .reset, .close, .truncate, .stall, .stopReading, .earlyAnswer: true
        default: false
        }
    }

    /// Only for requests with a body.
    var isForUploads: Bool { self == .stopReading || self == .earlyAnswer }
}
