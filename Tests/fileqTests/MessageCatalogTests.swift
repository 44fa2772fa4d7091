// SPDX-License-Identifier: MIT

@testable import fileq
import Testing
import TransferModel
import TransferTesting

@Suite struct MessageCatalogTests {
    @Test(arguments: [
        (
            TransferError(.insecureRedirect, "h: redirects from https to http (h)"),
            "h: redirects from https to http (h); --allow-downgrade allows it"
        ),
        (
            TransferError(
                .repeatedCrash, "the program crashed on it twice in a row",
                fields: .init(transfer: TransferID(rawValue: 7))),
            "the program crashed on it twice in a row; 'fileq retry 7' retries it, 'fileq logs' may show more"
        ),
        (
            TransferError(.secretMissing, "a secret of this transfer (sid) is no longer kept"),
            "a secret of this transfer (sid) is no longer kept; remove the transfer and add it again"
        ),
        (
            TransferError(
                .checksumMismatch, "/x: exists already, and its sha256 is another",
                fields: .init(variant: .existingDiffers)),
            "/x: exists already, and its sha256 is another; use --overwrite to replace it"
        ),
        (
            TransferError(.other, "no background service is running", fields: .init(variant: .serviceAbsent)),
            "no background service is running; 'fileq service run' or any command that needs it starts it"
        ),
        (
            TransferError(
                .cannotConnect, "/s: no background service listens here", fields: .init(variant: .nothingListens)),
            "/s: no background service listens here; 'fileq service run' starts one"
        ),
        (TransferError(.other, "x", fields: .init(variant: .init(rawValue: "of a later version"))), "x"),
        (TransferError(.checksumMismatch, "x"), "x"),
    ]) func addsTheNextStep(_ error: TransferError, _ text: String) {
        #expect(MessageCatalog.text(error) == text)
        #expect(MessageCatalog.worded(error).message == text)
    }

    @Test func waitsSayThatNothingIsToBeDone() {
        var transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "http://h/a", file: "a", state: .queued)
        #expect(MessageCatalog.advice(for: transfer) == nil)
        transfer.edit { $0.state = .waiting }
        #expect(MessageCatalog.advice(for: transfer) == "nothing to do: it resumes automatically")
        transfer.edit { $0.advice = "turn wlan0 on" }
        #expect(MessageCatalog.advice(for: transfer) == "turn wlan0 on")
    }
}
