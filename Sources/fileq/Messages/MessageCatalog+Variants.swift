// SPDX-License-Identifier: MIT

import TransferModel

/// The next step by the variant of an error.
extension MessageCatalog {
    /// - Parameter path: of the file concerned.
    static func advice(for variant: TransferError.Variant, path: String?) -> String? {
        switch variant {
        case .existingDiffers: "use --overwrite to replace it"
        case .serviceAbsent: "'fileq service run' or any command that needs it starts it"
        case .nothingListens: "'fileq service run' starts one"
        case .serviceRunning: "'fileq service stop' stops it"
        case .socketTaken: "'fileq service status' shows more"
        case .socketGone: "'fileq service stop' stops it; the next command starts it again"
        case .serviceIncompatible: "end it with 'fileq service stop' of its own version"
        case .serviceCrashing: "'fileq service run' starts it at once"
        case .serviceFailing: "'fileq logs' may show why"
        case .serviceSilent: "'fileq service run' shows it as well"
        case .serviceBusy: "try again"
        case .foreignFolder: "set FILEQ_HOME to a folder of your own"
        case .writableByOthers: "'chmod 700' keeps it to yourself"
        case .unsafeFileSystem: "set FILEQ_HOME to a folder on another"
        case .longSocketPath: "set FILEQ_HOME or XDG_RUNTIME_DIR to a folder with a shorter path"
        case .serviceStopped: "'fileq' starts it again"
        case .additionUnknown: "whether the transfers were added is unknown, and 'fileq list' shows it"
        case .streamedDownload: "name a file, or use 'fileq get'"
        case .streamedUpload: "name a file, or use 'fileq put'"
        case .s3StaysAtServer, .uploadWithoutDestination: "cancel it and add it again"
        default: adviceAboutFiles(variant, path) ?? adviceAboutServers(variant)
        }
    }

    private static func adviceAboutFiles(_ variant: TransferError.Variant, _ path: String?) -> String? {
        switch variant {
        case .saveFolderMissing: "create it with 'mkdir -p' or --create-dirs"
        case .fileInTheWay: "move it away"
        case .fileForbidden: "'chmod 600' makes it readable, or move it away"
        case .fileBusy, .fileNotReady: "try again later"
        case .fileFull: "remove something from it first"
        case .noCookieFile: "name another file for the cookies"
        case .newerVersion: "use that version"
        case .entryUnreadable: "remove it and add it again"
        case .databaseUnreadable: "'fileq service stop', move the file away and add the transfers again"
        case .databaseDamaged: "the next start of the service sets it aside"
        case .databaseForbidden: "check who owns it and its folder"
        case .queueInUse: "end that process first"
        case .diskError: "the system's log may show more"
        case .nameInUse: "give one of them another name with -o"
        case .mustStartAgain: "start it again"
        case .partialReplaced: "move that file away, then start the download again"
        case .sourceChanged, .storedOtherBytes: "send it again"
        case .sourceWithoutSize: "'cat FILE | fileq put - URL' sends it"
        case .appendLimit: "send it with --resumable never"
        case .outcomeUnknown: "check whether the file is there before sending it again"
        case .streamUsedUp: "send a file instead"
        case .lengthRequired: "the server wants a length: send a file instead"
        case .noUploadOffset: "with --resumable never it is sent from the first byte"
        case .otherMediaType:
            "a login may be missing; "
                + "or delete \(path.map { String($0.lastPathPart ?? "") } ?? "the partial file") "
                + "to start from the first byte"
        default: nil
        }
    }

    private static func adviceAboutServers(_ variant: TransferError.Variant) -> String? {
        switch variant {
        case .queueEnding: "try again in a moment"
        case .invalidVariable: "correct or unset it"
        case .proxyNotSOCKS: "check its scheme and port"
        case .doubtfulAddress: "check the address"
        case .metalink: "--metalink downloads all files of a document, --no-metalink saves it"
        case .existsOnServer: "without --no-overwrite it is replaced"
        case .changedOnServer: "fetch that version, then pass its entity tag to --if-match"
        case .longRetryWait: "try again after that time, or let it wait with --retry-max-wait"
        case .notFileQ: "check that the address is that of a FileQ server's upload"
        case .tusNeedsFolder: "tus creates uploads at the URL of a folder, which ends in '/'"
        case .sessionMissing: "pass one with --sid-file"
        case .passwordInClearText: "use https if the server has it"
        case .loginDeclined, .trustDeclined: "a retry asks again"
        case .s3KeysMissing:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/credentials with --s3-profile"
        case .s3Denied: "check the access key, and what it may do in this bucket"
        case .s3BucketMissing: "check the name of the bucket, --s3-endpoint and --s3-region"
        case .s3OtherRegion: "pass its region with --s3-region, or set AWS_REGION"
        case .clockDiffers: "set the clock, then try again"
        default: nil
        }
    }
}
