// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel

/// What is advised if a server does not say where an upload stands.
@Suite struct QueryAdviceTests {
    private func variant(_ error: TransferError) -> TransferError.Variant? {
        guard case .failed(let advised) = UploadStep.failed(error).adviseAfterQuery() else { return nil }
        return advised.fields.variant
    }

    @Test(arguments: [500, 503, 520]) func namesTheWayWithoutContinuing(_ status: Int) {
        let error = TransferError(.httpStatus, "h: returned \(status)", fields: .init(status: status))
        #expect(variant(error) == .noUploadOffset)
        #expect(UploadStep.busy(error).adviseAfterQuery() != .busy(error))
    }

    @Test func aBrokenConnectionCountsAsWell() {
        #expect(variant(TransferError(.noResponse, "h: closed the connection")) == .noUploadOffset)
    }

    @Test func aServerThatCannotBeReachedMayReturn() {
        #expect(variant(TransferError(.cannotConnect, "h: refused", systemErrno: 111)) == nil)
        #expect(variant(TransferError(.httpStatus, "h: returned 429", fields: .init(status: 429))) == nil)
        let other = TransferError(.httpStatus, "h", fields: .init(status: 503, variant: .longRetryWait))
        #expect(variant(other) == .longRetryWait)
    }
}
