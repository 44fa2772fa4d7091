// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Bytes per second of all transfers in one direction, as every part of the screen shows them.
extension InterfaceState {
    /// The service's figure while transfers run; at the beginning and at the end it lags behind, as it does after a
    /// limit was lowered, and would contradict the rates in the list.
    func shownRate(_ kind: TransferKind) -> Double {
        let isUpload = kind == .upload
        let sum = Double(isUpload ? list.tally.rateUp : list.tally.rateDown)
        let running = isUpload ? list.tally.runningUp : list.tally[.running] - list.tally.runningUp
        guard running > 0, let sampled = isUpload ? rates.upNow : rates.downNow, sampled > 0 else { return sum }
        let limit = isUpload ? rates.limits?.upload : rates.limits?.download
        guard let limit, sampled > Double(limit) * Graph.tolerance else { return sampled }
        // Of seconds before it came into force; the rates in the list begin again with it.
        return sum > 0 ? min(sum, sampled) : Double(limit)
    }
}
