// SPDX-License-Identifier: MIT

extension TransferError {
    /// Distinguishes errors of one code for programs that word or handle them differently.
    public struct Variant: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The destination exists with another checksum than the one that is wanted.
        public static let existingDiffers = Self(rawValue: "existingDiffers")
        /// No background service is running.
        public static let serviceAbsent = Self(rawValue: "serviceAbsent")
        /// Nothing accepts connections at the service's socket.
        public static let nothingListens = Self(rawValue: "nothingListens")
        /// Another background service has the queue.
        public static let serviceRunning = Self(rawValue: "serviceRunning")
        /// Another service listens at the socket.
        public static let socketTaken = Self(rawValue: "socketTaken")
        /// The service runs and its socket is gone.
        public static let socketGone = Self(rawValue: "socketGone")
        /// Service and client have no version of the protocol in common.
        public static let serviceIncompatible = Self(rawValue: "serviceIncompatible")
        /// One service after the other crashed soon after its start.
        public static let serviceCrashing = Self(rawValue: "serviceCrashing")
        /// One service after the other ended.
        public static let serviceFailing = Self(rawValue: "serviceFailing")
        /// The service ended before it accepted connections, and did not say why.
        public static let serviceSilent = Self(rawValue: "serviceSilent")
        /// The service, or the command that starts it, has no time.
        public static let serviceBusy = Self(rawValue: "serviceBusy")
        /// The folder of the program's files, or the service in it, belongs to another user.
        public static let foreignFolder = Self(rawValue: "foreignFolder")
        /// Others can write in the folder of the program's files.
        public static let writableByOthers = Self(rawValue: "writableByOthers")
        /// The file system does not restrict a socket to one user.
        public static let unsafeFileSystem = Self(rawValue: "unsafeFileSystem")
        /// The path of the socket is longer than sockets allow.
        public static let longSocketPath = Self(rawValue: "longSocketPath")
        public static let serviceStopped = Self(rawValue: "serviceStopped")
        /// The service was requested to add transfers and has not replied: it may have them.
        public static let additionUnknown = Self(rawValue: "additionUnknown")
        /// A download into the program's own output cannot be queued.
        public static let streamedDownload = Self(rawValue: "streamedDownload")
        /// An upload of the program's own input cannot be queued.
        public static let streamedUpload = Self(rawValue: "streamedUpload")

        /// The queue has no transfer with this ID.
        public static let unknownTransfer = Self(rawValue: "unknownTransfer")
        /// The store has the transfer no more.
        public static let notStored = Self(rawValue: "notStored")
        /// There is no command to undo.
        public static let nothingToUndo = Self(rawValue: "nothingToUndo")
        public static let invalidPriority = Self(rawValue: "invalidPriority")
        /// A transfer would start after itself, or after one that waits for it.
        public static let waitsForItself = Self(rawValue: "waitsForItself")
        /// A completed transfer cannot have another address.
        public static let alreadyCompleted = Self(rawValue: "alreadyCompleted")
        /// The transfer has all bytes: its address and file can change no more.
        public static let almostCompleted = Self(rawValue: "almostCompleted")
        /// An upload to S3 cannot have an address at another server.
        public static let s3StaysAtServer = Self(rawValue: "s3StaysAtServer")
        /// A file was named for an upload, which has none.
        public static let uploadWithoutDestination = Self(rawValue: "uploadWithoutDestination")
        /// A file was named for a download into the program's output.
        public static let streamWithoutFile = Self(rawValue: "streamWithoutFile")
        /// A session was given to a transfer that is no upload to a FileQ server.
        public static let sessionOfOtherUpload = Self(rawValue: "sessionOfOtherUpload")
        public static let folderMissing = Self(rawValue: "folderMissing")
        /// The folder for downloads that are to be added does not exist.
        public static let saveFolderMissing = Self(rawValue: "saveFolderMissing")
        public static let folderNotWritable = Self(rawValue: "folderNotWritable")
        /// Another download has a file of this name there.
        public static let nameOfOtherDownload = Self(rawValue: "nameOfOtherDownload")
        /// The partial file is being moved, or the transfer is being changed otherwise.
        public static let beingMoved = Self(rawValue: "beingMoved")

        /// The path is taken by a file of another user or kind.
        public static let fileInTheWay = Self(rawValue: "fileInTheWay")
        /// The permissions of a file of the program keep the user from reading it.
        public static let fileForbidden = Self(rawValue: "fileForbidden")
        /// Another process changes the file.
        public static let fileBusy = Self(rawValue: "fileBusy")
        /// The file would exceed its maximum size.
        public static let fileFull = Self(rawValue: "fileFull")
        /// No file of cookies.
        public static let noCookieFile = Self(rawValue: "noCookieFile")
        /// A newer version of the program wrote it.
        public static let newerVersion = Self(rawValue: "newerVersion")
        /// A stored transfer cannot be read.
        public static let entryUnreadable = Self(rawValue: "entryUnreadable")
        /// A transfer holds a number that has no stored form.
        public static let infiniteNumber = Self(rawValue: "infiniteNumber")
        /// A stored event of a background session cannot be read.
        public static let eventUnreadable = Self(rawValue: "eventUnreadable")
        /// The queue keeps no log.
        public static let noLog = Self(rawValue: "noLog")
        /// The queue's database holds an entry that cannot be read.
        public static let databaseUnreadable = Self(rawValue: "databaseUnreadable")
        /// The queue's database is damaged.
        public static let databaseDamaged = Self(rawValue: "databaseDamaged")
        /// The queue's database cannot be opened.
        public static let databaseForbidden = Self(rawValue: "databaseForbidden")
        /// Another process uses the queue.
        public static let queueInUse = Self(rawValue: "queueInUse")
        /// The process that has the queue is ending.
        public static let queueEnding = Self(rawValue: "queueEnding")
        /// The device reported an error.
        public static let diskError = Self(rawValue: "diskError")
        /// An environment variable has no valid value.
        public static let invalidVariable = Self(rawValue: "invalidVariable")
        /// What listens at the proxy's address speaks another protocol.
        public static let proxyNotSOCKS = Self(rawValue: "proxyNotSOCKS")
        /// What the server sends indicates another address than the intended one.
        public static let doubtfulAddress = Self(rawValue: "doubtfulAddress")
        /// The server prepares the file (202).
        public static let fileNotReady = Self(rawValue: "fileNotReady")
        /// The rest of a file came as another media type, as login pages do.
        public static let otherMediaType = Self(rawValue: "otherMediaType")
        /// Another transfer writes a file of the same name.
        public static let nameInUse = Self(rawValue: "nameInUse")
        /// The bytes received cannot be resumed.
        public static let mustStartAgain = Self(rawValue: "mustStartAgain")
        /// An attempt ended without a failure before all parts were stored; another one requests the rest.
        public static let restMissing = Self(rawValue: "restMissing")
        /// The server sent a part, and the whole was requested: the same request would be sent again.
        public static let unrequestedPart = Self(rawValue: "unrequestedPart")
        /// The server asks for a longer wait than the transfer may take.
        public static let longRetryWait = Self(rawValue: "longRetryWait")
        /// Another program replaced the partial file.
        public static let partialReplaced = Self(rawValue: "partialReplaced")
        /// The address leads to a Metalink document that is not one of a single file.
        public static let metalink = Self(rawValue: "metalink")
        /// The file changed while it was being sent.
        public static let sourceChanged = Self(rawValue: "sourceChanged")
        /// The file has bytes, and its size is 0, as those of /proc.
        public static let sourceWithoutSize = Self(rawValue: "sourceWithoutSize")
        /// The server has other bytes than were sent.
        public static let storedOtherBytes = Self(rawValue: "storedOtherBytes")
        /// The server takes so little in one request that the upload cannot be resumable.
        public static let appendLimit = Self(rawValue: "appendLimit")
        /// The server does not create uploads by tus at this URL, which is not that of a folder.
        public static let tusNeedsFolder = Self(rawValue: "tusNeedsFolder")
        /// Whether the server has stored an upload is not known.
        public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
        /// The body is needed again, and was read from a stream.
        public static let streamUsedUp = Self(rawValue: "streamUsedUp")
        /// The server takes no body whose length it does not know.
        public static let lengthRequired = Self(rawValue: "lengthRequired")
        /// The server does not say how much of a resumable upload it has.
        public static let noUploadOffset = Self(rawValue: "noUploadOffset")
        /// The server has the file, and was to keep it.
        public static let existsOnServer = Self(rawValue: "existsOnServer")
        /// The server has another version of the file than the one that was to be replaced.
        public static let changedOnServer = Self(rawValue: "changedOnServer")
        /// The server does not reply as a FileQ server does.
        public static let notFileQ = Self(rawValue: "notFileQ")
        /// The FileQ server gave no session.
        public static let sessionMissing = Self(rawValue: "sessionMissing")
        /// A password was sent unencrypted.
        public static let passwordInClearText = Self(rawValue: "passwordInClearText")
        /// The user did not log in where the server asked for it.
        public static let loginDeclined = Self(rawValue: "loginDeclined")
        /// The user did not trust the server's certificate.
        public static let trustDeclined = Self(rawValue: "trustDeclined")
        /// No keys to sign requests to S3 with.
        public static let s3KeysMissing = Self(rawValue: "s3KeysMissing")
        /// The S3 store does not accept the keys, or they may not do this.
        public static let s3Denied = Self(rawValue: "s3Denied")
        /// The S3 store has no such bucket.
        public static let s3BucketMissing = Self(rawValue: "s3BucketMissing")
        /// The bucket is in another region than the requests are signed for.
        public static let s3OtherRegion = Self(rawValue: "s3OtherRegion")
        /// The clocks of this machine and of the server differ too much.
        public static let clockDiffers = Self(rawValue: "clockDiffers")
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
