// SPDX-License-Identifier: MIT

extension TransferError {
    /// Distinguishes errors of one code for programs that word or handle them differently.
    package struct Variant: RawRepresentable, Sendable, Hashable, Codable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The destination exists with another checksum than the one that is wanted.
        package static let existingDiffers = Self(rawValue: "existingDiffers")
        /// No background service is running.
        package static let serviceAbsent = Self(rawValue: "serviceAbsent")
        /// Nothing accepts connections at the service's socket.
        package static let nothingListens = Self(rawValue: "nothingListens")
        /// Another background service has the queue.
        package static let serviceRunning = Self(rawValue: "serviceRunning")
        /// Another service listens at the socket.
        package static let socketTaken = Self(rawValue: "socketTaken")
        /// The service runs and its socket is gone.
        package static let socketGone = Self(rawValue: "socketGone")
        /// Service and client have no version of the protocol in common.
        package static let serviceIncompatible = Self(rawValue: "serviceIncompatible")
        /// One service after the other crashed soon after its start.
        package static let serviceCrashing = Self(rawValue: "serviceCrashing")
        /// One service after the other ended.
        package static let serviceFailing = Self(rawValue: "serviceFailing")
        /// The service ended before it accepted connections, and did not say why.
        package static let serviceSilent = Self(rawValue: "serviceSilent")
        /// The service, or the command that starts it, has no time.
        package static let serviceBusy = Self(rawValue: "serviceBusy")
        /// The folder of the program's files, or the service in it, belongs to another user.
        package static let foreignFolder = Self(rawValue: "foreignFolder")
        /// Others can write in the folder of the program's files.
        package static let writableByOthers = Self(rawValue: "writableByOthers")
        /// The file system does not restrict a socket to one user.
        package static let unsafeFileSystem = Self(rawValue: "unsafeFileSystem")
        /// The path of the socket is longer than sockets allow.
        package static let longSocketPath = Self(rawValue: "longSocketPath")
        package static let serviceStopped = Self(rawValue: "serviceStopped")
        /// The service was requested to add transfers and has not replied: it may have them.
        package static let additionUnknown = Self(rawValue: "additionUnknown")
        /// A download into the program's own output cannot be queued.
        package static let streamedDownload = Self(rawValue: "streamedDownload")
        /// An upload of the program's own input cannot be queued.
        package static let streamedUpload = Self(rawValue: "streamedUpload")

        /// The queue has no transfer with this ID.
        package static let unknownTransfer = Self(rawValue: "unknownTransfer")
        /// The store has the transfer no more.
        package static let notStored = Self(rawValue: "notStored")
        /// There is no command to undo.
        package static let nothingToUndo = Self(rawValue: "nothingToUndo")
        package static let invalidPriority = Self(rawValue: "invalidPriority")
        /// A transfer would start after itself, or after one that waits for it.
        package static let waitsForItself = Self(rawValue: "waitsForItself")
        /// A completed transfer cannot have another address.
        package static let alreadyCompleted = Self(rawValue: "alreadyCompleted")
        /// The transfer has all bytes: its address and file can change no more.
        package static let almostCompleted = Self(rawValue: "almostCompleted")
        /// An upload to S3 cannot have an address at another server.
        package static let s3StaysAtServer = Self(rawValue: "s3StaysAtServer")
        /// A file was named for an upload, which has none.
        package static let uploadWithoutDestination = Self(rawValue: "uploadWithoutDestination")
        /// A file was named for a download into the program's output.
        package static let streamWithoutFile = Self(rawValue: "streamWithoutFile")
        /// A session was given to a transfer that is no upload to a FileQ server.
        package static let sessionOfOtherUpload = Self(rawValue: "sessionOfOtherUpload")
        package static let folderMissing = Self(rawValue: "folderMissing")
        /// The folder for downloads that are to be added does not exist.
        package static let saveFolderMissing = Self(rawValue: "saveFolderMissing")
        package static let folderNotWritable = Self(rawValue: "folderNotWritable")
        /// Another download has a file of this name there.
        package static let nameOfOtherDownload = Self(rawValue: "nameOfOtherDownload")
        /// The partial file is being moved, or the transfer is being changed otherwise.
        package static let beingMoved = Self(rawValue: "beingMoved")

        /// The path is taken by a file of another user or kind.
        package static let fileInTheWay = Self(rawValue: "fileInTheWay")
        /// The permissions of a file of the program keep the user from reading it.
        package static let fileForbidden = Self(rawValue: "fileForbidden")
        /// Another process changes the file.
        package static let fileBusy = Self(rawValue: "fileBusy")
        /// The file would exceed its maximum size.
        package static let fileFull = Self(rawValue: "fileFull")
        /// No file of cookies.
        package static let noCookieFile = Self(rawValue: "noCookieFile")
        /// A newer version of the program wrote it.
        package static let newerVersion = Self(rawValue: "newerVersion")
        /// A stored transfer cannot be read.
        package static let entryUnreadable = Self(rawValue: "entryUnreadable")
        /// A transfer holds a number that has no stored form.
        package static let infiniteNumber = Self(rawValue: "infiniteNumber")
        /// A stored event of a background session cannot be read.
        package static let eventUnreadable = Self(rawValue: "eventUnreadable")
        /// The queue keeps no log.
        package static let noLog = Self(rawValue: "noLog")
        /// The queue's database holds an entry that cannot be read.
        package static let databaseUnreadable = Self(rawValue: "databaseUnreadable")
        /// The queue's database is damaged.
        package static let databaseDamaged = Self(rawValue: "databaseDamaged")
        /// The queue's database cannot be opened.
        package static let databaseForbidden = Self(rawValue: "databaseForbidden")
        /// Another process uses the queue.
        package static let queueInUse = Self(rawValue: "queueInUse")
        /// The process that has the queue is ending.
        package static let queueEnding = Self(rawValue: "queueEnding")
        /// The device reported an error.
        package static let diskError = Self(rawValue: "diskError")
        /// An environment variable has no valid value.
        package static let invalidVariable = Self(rawValue: "invalidVariable")
        /// What listens at the proxy's address speaks another protocol.
        package static let proxyNotSOCKS = Self(rawValue: "proxyNotSOCKS")
        /// What the server sends indicates another address than the intended one.
        package static let doubtfulAddress = Self(rawValue: "doubtfulAddress")
        /// The server prepares the file (202).
        package static let fileNotReady = Self(rawValue: "fileNotReady")
        /// The rest of a file came as another media type, as login pages do.
        package static let otherMediaType = Self(rawValue: "otherMediaType")
        /// Another transfer writes a file of the same name.
        package static let nameInUse = Self(rawValue: "nameInUse")
        /// The bytes received cannot be resumed.
        package static let mustStartAgain = Self(rawValue: "mustStartAgain")
        /// An attempt ended without a failure before all parts were stored; another one requests the rest.
        package static let restMissing = Self(rawValue: "restMissing")
        /// The server sent a part, and the whole was requested: the same request would be sent again.
        package static let unrequestedPart = Self(rawValue: "unrequestedPart")
        /// The server asks for a longer wait than the transfer may take.
        package static let longRetryWait = Self(rawValue: "longRetryWait")
        /// Another program replaced the partial file.
        package static let partialReplaced = Self(rawValue: "partialReplaced")
        /// The address leads to a Metalink document that is not one of a single file.
        package static let metalink = Self(rawValue: "metalink")
        /// The file changed while it was being sent.
        package static let sourceChanged = Self(rawValue: "sourceChanged")
        /// The file has bytes, and its size is 0, as those of /proc.
        package static let sourceWithoutSize = Self(rawValue: "sourceWithoutSize")
        /// The server has other bytes than were sent.
        package static let storedOtherBytes = Self(rawValue: "storedOtherBytes")
        /// The server takes so little in one request that the upload cannot be resumable.
        package static let appendLimit = Self(rawValue: "appendLimit")
        /// The server does not create uploads by tus at this URL, which is not that of a folder.
        package static let tusNeedsFolder = Self(rawValue: "tusNeedsFolder")
        /// Whether the server has stored an upload is not known.
        package static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
        /// The body is needed again, and was read from a stream.
        package static let streamUsedUp = Self(rawValue: "streamUsedUp")
        /// The server takes no body whose length it does not know.
        package static let lengthRequired = Self(rawValue: "lengthRequired")
        /// The server does not say how much of a resumable upload it has.
        package static let noUploadOffset = Self(rawValue: "noUploadOffset")
        /// The server has the file, and was to keep it.
        package static let existsOnServer = Self(rawValue: "existsOnServer")
        /// The server has another version of the file than the one that was to be replaced.
        package static let changedOnServer = Self(rawValue: "changedOnServer")
        /// The server does not reply as a FileQ server does.
        package static let notFileQ = Self(rawValue: "notFileQ")
        /// The FileQ server gave no session.
        package static let sessionMissing = Self(rawValue: "sessionMissing")
        /// A password was sent unencrypted.
        package static let passwordInClearText = Self(rawValue: "passwordInClearText")
        /// The user did not log in where the server asked for it.
        package static let loginDeclined = Self(rawValue: "loginDeclined")
        /// The user did not trust the server's certificate.
        package static let trustDeclined = Self(rawValue: "trustDeclined")
        /// No keys to sign requests to S3 with.
        package static let s3KeysMissing = Self(rawValue: "s3KeysMissing")
        /// The S3 store does not accept the keys, or they may not do this.
        package static let s3Denied = Self(rawValue: "s3Denied")
        /// The S3 store has no such bucket.
        package static let s3BucketMissing = Self(rawValue: "s3BucketMissing")
        /// The bucket is in another region than the requests are signed for.
        package static let s3OtherRegion = Self(rawValue: "s3OtherRegion")
        /// The clocks of this machine and of the server differ too much.
        package static let clockDiffers = Self(rawValue: "clockDiffers")
    }
}

extension TransferError {
    package static func unknownTransfer(_ id: TransferID) -> TransferError {
        TransferError(.usage, "no transfer has the id \(id)", fields: Fields(variant: .unknownTransfer, transfer: id))
    }

    package static func notStored(_ id: TransferID) -> TransferError {
        TransferError(
            .other, "transfer \(id): is not stored any more", fields: Fields(variant: .notStored, transfer: id))
    }
}
