// SPDX-License-Identifier: MIT

import TransferModel

/// The next steps, as the ends of sentences, and the sentences of refusals, as tables in the form of ``Sentences``.
extension MessageCatalog {
    static func advice(about problem: TransferProblem) -> String? {
        text(service, problem.name, problem) { _ in nil }
    }

    static func advice(for variant: TransferError.Variant, path: String?) -> String? {
        text(hints, variant.rawValue) { $0 == "file" ? path.map { String($0.lastPathPart ?? "") } : nil }
    }

    /// Sentences for refusals of the queue and problems of its files.
    /// - Returns: `nil` for a variant whose sentence comes with the error, or without the fields that it needs.
    static func cause(_ variant: TransferError.Variant, _ fields: TransferError.Fields) -> String? {
        text(causes, variant.rawValue) { name in
            switch name {
            case "transfer": fields.transfer.map { "\($0)" }
            case "path": fields.path
            default: nil
            }
        }
    }

    private static func text(
        _ table: Sentences, _ key: String, _ problem: TransferProblem? = nil, value: @escaping (Substring) -> String?
    ) -> String? {
        table.text([key], problem, value: value).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let hints = Sentences(
        """
        existingDiffers = use --overwrite to replace it
        serviceAbsent = 'fileq service run' or any command that needs it starts it
        nothingListens = 'fileq service run' starts one
        serviceRunning = 'fileq service stop' stops it
        socketTaken = 'fileq service status' shows more
        socketGone = 'fileq service stop' stops it; the next command starts it again
        serviceIncompatible = end it with 'fileq service stop' of its own version
        serviceCrashing = 'fileq service run' starts it at once
        serviceFailing = 'fileq logs' may show why
        serviceSilent = 'fileq service run' shows it as well
        serviceBusy = try again
        foreignFolder = set FILEQ_HOME to a folder of your own
        writableByOthers = 'chmod 700' keeps it to yourself
        unsafeFileSystem = set FILEQ_HOME to a folder on another
        longSocketPath = set FILEQ_HOME or XDG_RUNTIME_DIR to a folder with a shorter path
        serviceStopped = 'fileq' starts it again
        additionUnknown = whether the transfers were added is unknown, and 'fileq list' shows it
        streamedDownload = name a file, or use 'fileq get'
        streamedUpload = name a file, or use 'fileq put'
        s3StaysAtServer = cancel it and add it again
        uploadWithoutDestination = cancel it and add it again

        saveFolderMissing = create it with 'mkdir -p' or --create-dirs
        fileInTheWay = move it away
        fileForbidden = 'chmod 600' makes it readable, or move it away
        fileBusy = try again later
        fileNotReady = try again later
        fileFull = remove something from it first
        noCookieFile = name another file for the cookies
        newerVersion = use that version
        entryUnreadable = remove it and add it again
        databaseUnreadable = 'fileq service stop', move the file away and add the transfers again
        databaseDamaged = the next start of the service sets it aside
        databaseForbidden = check who owns it and its folder
        queueInUse = end that process first
        diskError = the system's log may show more
        nameInUse = give one of them another name with -o
        mustStartAgain = start it again
        partialReplaced = move that file away, then start the download again
        sourceChanged = send it again
        storedOtherBytes = send it again
        sourceWithoutSize = 'cat FILE | fileq put - URL' sends it
        appendLimit = send it with --resumable never
        outcomeUnknown = check whether the file is there before sending it again
        streamUsedUp = send a file instead
        lengthRequired = the server wants a length: send a file instead
        noUploadOffset = with --resumable never it is sent from the first byte
        otherMediaType = a login may be missing; or delete [{file}|the partial file] to start from the first byte

        queueEnding = try again in a moment
        invalidVariable = correct or unset it
        proxyNotSOCKS = check its scheme and port
        doubtfulAddress = check the address
        metalink = --metalink downloads all files of a document, --no-metalink saves it
        existsOnServer = without --no-overwrite it is replaced
        changedOnServer = fetch that version, then pass its entity tag to --if-match
        longRetryWait = try again after that time, or let it wait with --retry-max-wait
        notFileQ = check that the address is that of a FileQ server's upload
        tusNeedsFolder = tus creates uploads at the URL of a folder, which ends in '/'
        sessionMissing = pass one with --sid-file
        passwordInClearText = use https if the server has it
        loginDeclined = a retry asks again
        trustDeclined = a retry asks again
        s3KeysMissing = set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/credentials \
        with --s3-profile
        s3Denied = check the access key, and what it may do in this bucket
        s3BucketMissing = check the name of the bucket, --s3-endpoint and --s3-region
        s3OtherRegion = pass its region with --s3-region, or set AWS_REGION
        clockDiffers = set the clock, then try again
        """)

    /// Where the background service cannot be reached, started or stopped.
    private static let service = Sentences(
        """
        serviceAbsent = 'fileq service run' or any command that needs it starts it
        serviceNoListener = 'fileq service run' starts one
        serviceRunning = 'fileq service stop' stops it
        serviceWithoutSocket = 'fileq service stop' stops it; the next command starts it again
        serviceUnresponsive process = ['kill {process}' ends it]
        serviceNotEnding process = 'kill {process}' ends it
        serviceNotTerminating process = 'kill -9 {process}' ends it, and no byte is lost by that
        serviceTooBusy = try again
        serviceStartedByOther = try again
        serviceEndsAtOnce $log = {log} may say why
        serviceNotReady $log = {log} may say why
        serviceEndsRepeatedly = 'fileq logs' may show why
        serviceGone $problem* = {>service}
        serviceStopped = 'fileq' starts it again
        serviceCrashing $log = {log} may say why; 'fileq service run' starts it at once
        serviceEndedSilently $log = {log} may say why; 'fileq service run' shows it as well
        serviceNoShell = install your system's package openssh-client
        serviceUnreachable $machine = 'ssh {machine}' may show why
        serviceNotInstalledThere $machine = install it there as here, in the PATH or in ~/.local/bin
        serviceEndedThere status $machine = 'ssh {machine} fileq service status' may show why
        serviceOtherVersion = end it with 'fileq service stop' of its own version
        serviceUnreadableReply = both should be of one version
        """)

    private static let causes = Sentences(
        """
        nothingToUndo = nothing to undo
        queueEnding = the queue is ending
        invalidPriority = a priority is a number from 0 to 1
        waitsForItself = a transfer cannot start after itself, nor after one that waits for it
        s3StaysAtServer = an upload to S3 cannot move to another server
        uploadWithoutDestination = an upload has no destination file
        streamWithoutFile = a download to standard output has no file
        sessionOfOtherUpload = only FileQ uploads have a SID
        unknownTransfer = [no transfer has the id {transfer}]
        notStored = [transfer {transfer} is not stored any more]
        alreadyCompleted = \
        [transfer {transfer} is completed: there is nothing left to fetch from another address]
        beingMoved = [transfer {transfer} is being changed or moved; try again when that is done]
        almostCompleted = [transfer {transfer} has all its bytes and is about to be completed]
        folderMissing = [{path}: there is no such folder]
        folderNotWritable = [{path}: the folder cannot be written]
        nameOfOtherDownload = [{path}: exists already, from another download of that name]
        partialReplaced = [{path}: was replaced by another file while it was being written]
        databaseDamaged = [{path}: is damaged]
        databaseForbidden = [{path}: cannot be opened]
        databaseUnreadable = [{path}: holds an entry that cannot be read]
        diskError = [{path}: the disk reported an error]
        socketTaken = [{path}: a service listens here already]
        unsafeFileSystem = [{path}: this file system does not keep a socket to one user]
        """)
}
