// SPDX-License-Identifier: MIT

/// The purpose of the traffic, for routers that treat it accordingly.
public enum NetworkServiceType: String, Sendable, Hashable, Codable, CaseIterable {
    case `default`, background, video, voice, responsiveData, avStreaming, responsiveAV, callSignaling

    /// The differentiated services code point (RFC 2474, values of RFC 4594; CS1 as RFC 8325 has it): 0…63.
    package var codePoint: UInt8 {
        switch self {
        case .default: 0
        // CS1: lower effort.
        case .background: 8
        // AF41: multimedia conferencing.
        case .video: 34
        // EF: telephony.
        case .voice: 46
        // AF21: low-latency data.
        case .responsiveData: 18
        // AF31: multimedia streaming.
        case .avStreaming: 26
        // CS4: real-time interactive.
        case .responsiveAV: 32
        // CS5: signaling.
        case .callSignaling: 40
        }
    }
}
