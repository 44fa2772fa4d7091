// SPDX-License-Identifier: MIT

extension Sentences {
    /// Sentences of the library: in lower case, without full stop, option or command.
    package static let english = Sentences(connections, responses, uploads, values, files, service, sessions)

    static let connections = """
        failed = @transfer failed ({code})
        failed.proxyNotResolved = @the proxy's name could not be resolved
        failed.hostNotResolved = @the host's name could not be resolved
        failed.cannotConnect = @[{errno}|no connection]
        failed.notHTTP = @the response is not HTTP
        failed.partialFile = @the connection closed before the whole body had arrived
        failed.tooManyRedirects = @too many redirects
        failed.noResponse = @the server closed the connection without a response
        failed.pinMismatch = @the server's public key is not the pinned one
        failed.certificateUntrusted = @the certificate was not accepted
        failed.certificateRefused = @the certificate was not accepted
        failed.other = @transfer failed ([curl {transport}|{code}])
        reported $text = @{text}
        withoutTLS = @{failure}; if the port speaks TLS, use https://
        requestTimeout received sent = \
        @request timeout: nothing moved for {seconds} ({received} bytes received, {sent} sent before)
        responseTimeout sent = @response timeout: no response for {seconds} after the last of {sent} bytes
        connectTimeout = \
        @connect timeout: no connection[ by way of the proxy {proxy}] within {seconds} (nothing was sent)
        resourceTimeout received sent = \
        @resource timeout: not done within {seconds} ({received} bytes received, {sent} sent)

        proxyRefused = the proxy[ {proxy}] returned {status} for the connection to {host}
        proxyFailed.hostNotResolved $failure = \
        @the host's name could not be resolved; with socks5h:// or socks4a:// the proxy would look it up
        proxyFailed.loginRefused = the proxy[ {proxy}] did not accept the login
        proxyFailed.noAcceptableLogin = the proxy[ {proxy}] wants another login than it was offered
        proxyFailed.notAllowed = the proxy[ {proxy}] does not allow the connection to {host}
        proxyFailed.networkUnreachable = the proxy[ {proxy}] could not connect to {host}: network unreachable
        proxyFailed.hostUnreachable = the proxy[ {proxy}] could not connect to {host}: host unreachable
        proxyFailed.connectionRefused = the proxy[ {proxy}] could not connect to {host}: connection refused
        proxyFailed.timeToLiveExpired = the proxy[ {proxy}] could not connect to {host}: TTL expired
        proxyFailed.generalFailure = the proxy[ {proxy}] could not connect to {host}, and does not say why
        proxyFailed.notSupported = the proxy[ {proxy}] cannot make the connection to {host}
        proxyFailed.closed = the proxy[ {proxy}] closed the connection before there was one to {host}
        proxyFailed.notSOCKS = the proxy[ {proxy}] does not speak SOCKS
        proxyFailed.other = the proxy[ {proxy}] made no connection to {host}
        proxyVariable $name $problem* = the variable {name}: {>proxy}

        notTLS = @the server does not speak TLS on this port; check the port, or use http://
        noTLSVersion = @the server speaks no version of TLS that is allowed here
        closedDuringTLS = \
        @the server closed the connection during the TLS handshake; check that it speaks https on this port
        withoutCloseNotify = @the response has no length, and TLS ended without close_notify: bytes may be missing
        tlsLimits $lowest $highest = @TLS from {lowest} on, but at most {highest}: there is no such version
        certificateUnreadable = @the server's certificate could not be read
        certificateNotApproved $problem? = @the server's certificate was not approved[: {problem:line}]
        certificateNotPinned = @the server's certificate is not the pinned one
        exceptionNotPinned = @the exception's public key is not a pinned one
        pinWithoutTLS = @a pin was given, and plain http has no key to compare it with
        clientCertificateRequired = @the server demands a client certificate, and none was given
        clientCertificateRefused $alert = @the server does not accept the client certificate: {alert}
        clientCertificateUnreadable number $path = @the client certificate {path} cannot be read: {number:error}
        clientKeyUnreadable number $path = @the key of the client certificate {path} cannot be read: {number:error}
        certificateDeclined = @certificate rejected: {certificate}

        loginDeclined $realm? = @login declined[ ({realm})]
        passwordInClearText = @the password went out in clear text, since the server takes it only as Basic over http
        bearerToken = @a bearer token is empty or holds a character no token may hold
        userName = @a user name contains a control character
        proxyScheme = @a proxy takes Basic, Digest, NTLM or Negotiate authentication only
        socksScheme = @a SOCKS proxy takes a user and a password only
        schemeNotBuiltIn $scheme $version = @libcurl {version} of this system is built without {scheme} authentication

        headTooLarge = @the response's head is too large (more than 1000 fields, 300 KiB, or 100 KiB in a field)
        contentLength = @the response's Content-Length is no single number
        responseRefused = @the response was refused
        noResponse = @the connection ended without a response
        unrequestedResponse = @a response without a request
        tooManyRedirects maximum = @more than {maximum} redirects
        insecureRedirect $next = \
        @redirects from https to http ({next}), where anybody on the way can read and change what is sent
        redirectToNoURL = @redirected to an address that is no URL
        redirectToInvalidURL $problem* = @redirected to an address that cannot be used: {>url}

        networkForbidden = @[no network that this transfer may use: {obstacle}|{wait}, and this transfer may not use \
        it|there is a network, and this transfer may not use it]
        noInterface $text = @'{text}' is neither an interface nor an address of this machine
        optionRefused $option $version $reason = @{option}: refused by libcurl {version}: {reason}
        libraryNotStarted = @libcurl could not be started
        noFreeDescriptor = @libcurl could not be started: it needs a free descriptor
        programEnds = @the program is ending; no transfer can start
        """

    static let responses = """
        severalRanges = @responded with several ranges though one was requested
        unrequestedPart = @sent a part (206) though the whole was requested
        restChanged = @cannot resume after the suspension: the server does not send the rest of the same version
        outputWritten = @cannot resume where the last attempt stopped, and what was already written to the output \
        cannot be taken back
        outputBrokeOff bytes = @broke off after {bytes} bytes; they cannot be taken back from the output, and the \
        server sent no strong validator to resume with
        shortBody received announced = @{received} bytes came, {announced} were announced
        rangeExceeded = @sent more bytes than the range that its 206 states, so that none of them counts
        restMissing = @the file is not complete; its rest is requested again
        noFile $phrase = @returned {status}[{phrase?} {phrase}]: that is not a file
        noFile.202 $phrase = @returned {status}[{phrase?} {phrase}]: the file is not ready yet
        otherMediaType $found $expected = \
        @responded with {found} and no validator instead of the rest of the {expected} file, whose bytes stay
        portalPage = @responded with a page of another server instead of the rest of the file, whose bytes stay
        doubtfulBody bytes = \
        @responded with {bytes} bytes and no validator instead of the rest of the file, whose bytes stay
        metalink = @responded with a Metalink document instead of the file
        metalinkSize maximum = @the Metalink document is larger than {maximum:MiB} MiB
        metalinkFiles count = @the Metalink document describes {count} files
        metalinkInsecure = @the Metalink document names addresses without https only
        metalinkUnreadable line $problem* = @the Metalink document cannot be read: [{line?}line {line}: ]{>document}
        noStoredResponse.byPolicy $reason = \
        @no stored response fits the request, and the cache policy forbids loading it; choose another policy
        noStoredResponse.byField $reason = \
        @no stored response fits the request, and the request's only-if-cached forbids loading it; leave that out
        storedResponseGone = @the stored response is gone
        resumeDataVersion found own = @the resume data is of version {found}, this program reads {own}
        resumeDataDamaged = @the resume data is damaged
        longLine maximum = @a line of the response is longer than {maximum} bytes; read it in pieces
        """

    static let uploads = """
        answeredEarly = @returned {status} before the file was sent; the server may want a login
        notStored = @returned {status} without saying that the file is stored
        noSession = @gave no session
        existsOnServer isLater = @has the file already[{isLater?}, perhaps from an earlier attempt] (412)
        changedOnServer isLater = \
        @has another version of the file[{isLater?}, perhaps from an earlier attempt], or none (412)
        foundOnServer = @has the file already; nothing was sent
        replacedOnServer = @has replaced a file although that was forbidden; it ignores If-None-Match
        storedEmpty = @has an empty file after the upload; it drops what is sent without a length
        outcomeUnknown.otherObject $outcome = @the outcome is unknown: every byte was sent, the response was lost, \
        and the object under this name cannot be recognized as the file
        outcomeUnknown.uploadForgotten = @the outcome is unknown: every byte was sent, the response was lost, \
        and the server no longer knows the upload
        outcomeUnknown.partsForgotten = @the outcome is unknown: every byte was sent, the response was lost, \
        and the server no longer knows the parts
        outcomeUnknown.partsMayBeJoined = @the outcome is unknown: every byte was sent, the response was lost, \
        and the server may have joined the parts
        outcomeUnknown.mayBeTwice = @the outcome is unknown: every byte was sent, the response was lost, \
        and this server creates another upload for each request

        notResumable = @does not take resumable uploads at this address by that protocol
        noOffset part? = @does not say which byte [part {part} of the upload|the upload] has reached
        length expected actual part? = @expects {expected} bytes for [part {part} of ]this upload, \
        [{part?}it|the file] has {actual}
        lost bytes part? = @[part {part} of the upload has lost {bytes} bytes that the server had confirmed|\
        the server has lost {bytes} bytes that it had confirmed]
        partsLost = @the server has lost the parts that it had confirmed
        partLostTwice part = @has lost part {part} of the upload twice
        expired part? = @[part {part} of the upload|the upload] has expired on the server
        incomplete offset size? = \
        @calls the upload complete with {offset} of [{size}|an unknown number of] bytes
        excess offset = @confirms {offset} bytes, more than were sent
        standstill offset = @responds, and confirms no more than {offset} bytes
        tooLarge size maximum = @takes files of at most {maximum} bytes, this one has {size}
        appendLimit maximum least = \
        @takes at most {maximum} bytes in one request (max-append-size), fewer than {least}
        otherServer $server = @leads the upload to another server ({server})
        partWithoutAddress part = @does not say where it has created part {part}

        notJoined = @returned {status} without saying that the parts are joined
        noUploadID = @does not say which upload it has created
        partNotConfirmed part = @does not confirm part {part}
        noPartList = @does not say which parts of the upload it has
        endlessPartList = @does not come to an end of the list of parts
        earlyResponse = @responds before it has the parts
        streamTooLong parts bytes = @the stream is longer than {parts} parts of {bytes} bytes
        s3 status $name $message = @returned {status} ({name}[{message?}: {message}])
        clockDiffers = @refuses the signature: the clock of this machine differs too much from the server's
        otherRegion $signed $found? = @the bucket is [in the region {found}|at another address or in another region], \
        the request was signed for {signed}
        noAccessKey $profile $file? = the profile '{profile}' of [{file}|~/.aws/credentials] has no access key

        statedChecksum part? $text = \
        @stored other bytes than were sent: it states the checksum {text}[ for part {part}]
        statedTag $text = @stored other bytes than were sent: it states the entity tag {text}
        damaged times = @received other bytes than were sent, {times} times (460)
        streamDigest = a stream that is sent in parts cannot be compared with a checksum
        sourceShrank = the source became shorter while it was being sent
        streamUsedUp = @asked for the body again, and what was read from a stream cannot be read twice
        streamPassed = @asks for bytes of the stream that it had confirmed; a stream cannot be read again
        """
}
