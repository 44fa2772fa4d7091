// SPDX-License-Identifier: MIT

// The row of each in `Sentences` states its meaning and lists its values.

extension TransferProblem {
    /// Problems of transfers. The raw value is that of the stored and wire forms, and never changes.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // No response, or none that can be used.
        case failed, reported, withoutTLS, requestTimeout, responseTimeout, connectTimeout, resourceTimeout
        case proxyRefused, proxyFailed, proxyVariable, notTLS, noTLSVersion, closedDuringTLS, withoutCloseNotify
        case certificateUnreadable, certificateNotApproved, certificateNotPinned, exceptionNotPinned, pinWithoutTLS
        case clientCertificateRequired, clientCertificateRefused, clientCertificateUnreadable, clientKeyUnreadable
        case certificateDeclined, loginDeclined, passwordInClearText, bearerToken, userName, proxyScheme, socksScheme
        case schemeNotBuiltIn, headTooLarge, contentLength, responseRefused, noResponse, unrequestedResponse
        case tooManyRedirects, insecureRedirect, redirectToNoURL, redirectToInvalidURL, networkForbidden, noInterface
        case tlsLimits, optionRefused, libraryNotStarted, noFreeDescriptor, programEnds

        // The response is not the file.
        case severalRanges, unrequestedPart, restChanged, outputWritten, outputBrokeOff, shortBody, restMissing
        case rangeExceeded, noFile, otherMediaType, portalPage, doubtfulBody, metalink, metalinkSize, metalinkFiles
        case metalinkInsecure, metalinkUnreadable, noStoredResponse, storedResponseGone, resumeDataVersion
        case resumeDataDamaged, longLine

        // Uploads: the server, a resumable upload, S3, the bytes.
        case answeredEarly, notStored, noSession, existsOnServer, changedOnServer, foundOnServer, replacedOnServer
        case storedEmpty, outcomeUnknown, notResumable, noOffset, length, lost, partsLost, partLostTwice, expired
        case incomplete, excess, standstill, tooLarge, appendLimit, otherServer, partWithoutAddress, notJoined
        case noUploadID, partNotConfirmed, noPartList, endlessPartList, earlyResponse, streamTooLong, s3, clockDiffers
        case otherRegion, noAccessKey, statedChecksum, statedTag, damaged, streamDigest, sourceShrank, streamUsedUp
        case streamPassed
    }

    /// Problems that stay in the program that meets them: they are neither stored nor sent.
    package enum LocalKind: String, Sendable, Hashable, CaseIterable {
        // Values that a person wrote.
        case urlNoScheme, urlUnknownScheme, urlCharacter, urlOpenBracket, urlNoAddressInBrackets, urlHost, urlPort
        case proxyCharacter, proxyUnknownScheme, proxyCredential, proxyOpenBracket, proxyHost, proxyPort
        case filterUnknownField, filterNoValue, filterNotComparison, filterNotList, filterUnknownState
        case filterUnknownKind, filterUnknownError, filterPattern, filterSize, filterAge
        case timetableDoubleTime, timetableEntriesOfText, timetableEntries, timetableNoTime, timetableTime
        case timetableDays, timetableNoRate, timetableRate, timetableDoubleRate, timetableDirection, timetableNoDays
        case timetableHours, timetableZeroRate
        case specOperation, specDestination, specBody, specCertificatePin, specPieceDigits, specUploadMethod
        case specStreamedDownload, specStreamedUpload
        case storedCookieCharacter, storedCookieEqualsSign, storedCookieBlank, storedCookieEmpty, storedCookieSize
        case storedCookieDomain, storedCookiePath, storedCookieLongAttribute, storedCookiePrefix
        case fileQChecksum, fileQMetadataName, fileQControl, fileQDouble, fileQMalformed, fileQSize, fileQEncodedSize
        case s3NoObject, s3Bucket, s3ObjectName
        case documentNotXML, documentDocumentType, documentDepth, documentNoMemory, documentSize, documentNotMetalink
        case documentNoFile, documentNoUsableFile, documentFiles, documentFileSize, documentDigest
        case documentContradiction, documentPieceLength, documentPieces, documentParts, documentAddress, documentLine
        case pattern, rate, headerName, headerValue, cookieName, cookieValue, cookieSize, cookies, checksumForm
        case checksumDigits, trustedKey

        // The background service.
        case serviceAbsent, serviceNoListener, serviceTooBusy, serviceRunning, serviceWithoutSocket
        case serviceUnresponsive, serviceStartedByOther, serviceEndsAtOnce, serviceEndsRepeatedly, serviceGone
        case serviceStopped, serviceNotEnding, serviceNotTerminating, serviceCrashing, serviceNotReady
        case serviceEndedSilently, serviceEndedSaying, serviceOtherVersion, serviceOtherProgram
        case serviceUnreadableReply, serviceNoReply, serviceLongReply, serviceNotMessage, serviceClosed
        case serviceLongRequest, serviceLongTransfer, serviceUnwritableRequest, serviceDisconnected
        case serviceInterrupted, serviceInvalidProgram, serviceMissingProgram, serviceHandedSockets
        case serviceUnsuitableSocket, serviceNeeded
        case serviceNoShell, serviceUnreachable, serviceNotInstalledThere, serviceEndedThere

        // Sessions and streams, and sessions of the background service.
        case sessionInvalidated, sessionNoStreams, sessionNoCookieFiles, sessionLateTLS, sessionStreamEnded
        case sessionReadingClosed, sessionWritingClosed, sessionNotRead, sessionNotWritten, sessionSecondReader
        case sessionBodyIsReadOnly
        case backgroundConnections, backgroundNoConnector, backgroundClosures, backgroundDataTasks, backgroundDigests
        case backgroundContinuedUploads, backgroundBytesAndStreams, backgroundDestinations, backgroundTargets
        case backgroundFileGone, backgroundUnexplained, backgroundNoIdentifier, backgroundLongIdentifier
        case backgroundOpen, backgroundSharedFolder, backgroundSharedState, backgroundTransferGone, backgroundNoID
        case backgroundServiceFailed

        /// The code of an error that is this problem alone.
        var code: TransferError.Code {
            switch self {
            case .documentNoMemory: .other
            case .documentAddress: .malformedURL
            default: rawValue.hasPrefix("url") || rawValue.hasPrefix("s3") ? .malformedURL : .usage
            }
        }

        /// Distinguishes those with a remedy of their own.
        var variant: TransferError.Variant? {
            switch self {
            case .specStreamedDownload: .streamedDownload
            case .specStreamedUpload: .streamedUpload
            default: nil
            }
        }
    }

    /// Abilities that a queue inside a program lacks (``LocalKind/serviceNeeded``).
    package enum Ability: String, Sendable, Hashable, CaseIterable {
        case relocate, history, timetable, undo, rates, log, sessionEvents
    }

    /// Why a response that is not in the cache is not loaded (``Kind/noStoredResponse``): by the policy, or by the
    /// field `only-if-cached`.
    package enum NoLoading: String, Sendable, Hashable, CaseIterable {
        case byPolicy, byField
    }

    /// Why it is not known whether the server has stored the file (``Kind/outcomeUnknown``).
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case otherObject, uploadForgotten, partsForgotten, partsMayBeJoined, mayBeTwice
    }
}
