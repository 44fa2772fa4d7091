// SPDX-License-Identifier: MIT

extension Sentences {
    /// Values that a person wrote or a program passed.
    static let values = """
        urlNoScheme $text = '{text}' is no URL: it must begin with http:// or https://\
        [; did you mean 'https://{text:address}'?]
        urlUnknownScheme $scheme = unknown scheme '{scheme}': http and https are supported
        urlCharacter = the URL holds a control character or a backslash
        urlOpenBracket = the URL's IPv6 address has no closing bracket
        urlNoAddressInBrackets = what the URL has in brackets is no IPv6 address
        urlHost = the URL names no valid host
        urlPort = the URL's port is not a number from 1 to 65535
        proxyCharacter = a proxy's address holds a blank or a control character
        proxyUnknownScheme $known* = unknown kind of proxy: it must be one of {known}
        proxyCredential = a proxy's user or password is not percent-encoded UTF-8
        proxyOpenBracket = a proxy's IPv6 address has no closing bracket
        proxyHost = a proxy's address names no valid host
        proxyPort = a proxy's port is not a number from 1 to 65535

        filterUnknownField $filter $known* = \
        filter '{filter}': write one of {known} and a value, such as state:failed or 'size>1G'
        filterNoValue $filter = filter '{filter}': it has no value
        filterNotComparison $filter $field $example = \
        filter '{filter}': {field} is compared with <, <=, > or >=, as in {example}
        filterNotList $filter $field = filter '{filter}': write {field}:VALUE, or {field}!=VALUE for all others
        filterUnknownState $filter $text $known* = filter '{filter}': '{text}' is not a state: {known}
        filterUnknownKind $filter $text = filter '{filter}': '{text}' is not download or upload
        filterUnknownError $filter $text = \
        filter '{filter}': '{text}' is not the number or the name of an error, such as 22 or http-status
        filterPattern maximum $filter = filter '{filter}': a pattern has from 1 to {maximum} bytes
        filterSize $filter = filter '{filter}': write a size such as 500k, 10M or 1.5G
        filterAge $filter = filter '{filter}': write an age such as 30s, 10m, 12h, 2d or 1w
        pattern maximum = a pattern has from 1 to {maximum} bytes

        timetableExample = ; write entries such as 'mon-fri 08:00 down=512k up=100k; 23:00 off'
        timetableDoubleTime $day $time = timetable: two entries begin on {day} at {time}{timetableExample}
        timetableEntriesOfText = timetable: it has too many entries{timetableExample}
        timetableEntries count maximum = timetable: has {count} entries, and at most {maximum} are taken
        timetableNoTime $text = timetable: '{text}' has no time{timetableExample}
        timetableTime $text = timetable: '{text}' is no time from 00:00 to 23:59{timetableExample}
        timetableDays $text = \
        timetable: '{text}' are no days; they are mon, tue, wed, thu, fri, sat, sun{timetableExample}
        timetableNoRate $text = timetable: '{text}' says no rate{timetableExample}
        timetableRate $text = timetable: '{text}' is no rate{timetableExample}
        timetableDoubleRate $text $direction = timetable: '{text}' says '{direction}' twice{timetableExample}
        timetableDirection $text = timetable: '{text}' is neither of down and up{timetableExample}
        timetableNoDays = timetable: an entry names no day
        timetableHours = timetable: an entry begins or ends at an hour that no day has
        timetableZeroRate = timetable: rates must be above 0
        rate $text = rate '{text}': write bytes a second such as 500k, 2M or 1.5G

        headerName = a header's name is empty or holds a character that no name may hold
        headerValue $name = header {name}: the value holds a control character
        cookieName = cookie name is empty or holds a character no cookie name may hold
        cookieValue $name = cookie {name}: the value holds a control character, ';' or a character outside ASCII; \
        percent-encode it
        cookieSize maximum $name = cookie {name}: larger than {maximum} bytes
        cookies bytes maximum = the cookies together hold {bytes} bytes; at most {maximum} may be sent
        checksumForm = checksum must be sha256:HEX or sha512:HEX (sha1 and md5 only detect damage)
        checksumDigits count $algorithm = checksum: {algorithm:digest} has {count} hexadecimal digits
        trustedKey = a trusted key needs the name of a host and a port from 1 to 65535

        specOperation = a transfer is either a download or an upload
        specDestination = a download goes either to a file or into a folder
        specBody maximum = body: write at most {maximum} bytes in hexadecimal digits
        specCertificatePin = certificatePins: the SHA-256 of a certificate has 64 hexadecimal digits
        specPieceDigits = pieces.digests: hexadecimal digits
        specUploadMethod = method: an upload takes one that stores content, such as PUT, POST or PATCH
        specStreamedDownload = a download to standard output cannot be queued in the background
        specStreamedUpload = an upload from standard input cannot be queued in the background
        storedCookieCharacter = cookie: a control character or ';' cannot be sent; percent-encode it
        storedCookieEqualsSign = cookie: the name holds '='
        storedCookieBlank = cookie: name or value has a blank at its end; percent-encode it
        storedCookieEmpty = cookie: name and value are empty
        storedCookieSize maximum = cookie: larger than {maximum} bytes
        storedCookieDomain = cookie: the domain is empty or begins with a dot
        storedCookiePath = cookie: the path does not begin with '/'
        storedCookieLongAttribute maximum = cookie: domain or path is longer than {maximum} bytes
        storedCookiePrefix = cookie: the name's prefix promises what the cookie does not keep
        fileQChecksum $algorithm = a FileQ upload carries a SHA-256 checksum, not {algorithm:digest}
        fileQMetadataName = metadata: a name is empty or holds a control character
        fileQControl $item $name = {item} {name}: the value holds a control character
        fileQDouble $item $name = {item} {name}: given twice
        fileQMalformed $item $name = {item} {name}: malformed value
        fileQSize maximum $item $name = {item} {name}: larger than {maximum} bytes
        fileQEncodedSize maximum $item $name = {item} {name}: larger than {maximum} bytes once encoded
        s3NoObject $text = \
        '{text}' names a bucket and no object: write s3://BUCKET/NAME, or s3://BUCKET/ for the name of the file
        s3Bucket $name = '{name}' is no name of a bucket: at AWS it has 3 to 63 letters, digits, dots and hyphens, \
        with a letter or digit at both ends
        s3ObjectName = the name of an object has at most 1024 bytes and no control characters

        documentNotXML $text = {text}
        documentDocumentType = it declares a document type
        documentDepth maximum = more than {maximum} elements in one another
        documentNoMemory = no memory for an XML parser
        documentSize maximum = larger than {maximum:MiB} MiB
        documentNotMetalink = this is not a Metalink 4 document (RFC 5854)
        documentNoFile = it describes no file
        documentNoUsableFile $note = {note}
        documentFiles maximum = it describes more than {maximum} files
        documentFileSize = 'size' is no number of bytes
        documentDigest $algorithm = a 'hash' of type {algorithm} has {algorithm:digits} digits
        documentContradiction $name = a file has two values of '{name}' that differ: one of them is wrong
        documentPieceLength = 'pieces' has no length above 0
        documentPieces maximum bytes = pieces: at most {maximum} digests of {bytes} bytes, for parts of a length
        documentParts = more parts than a page has
        documentAddress $problem* = {>url}
        documentLine line $problem* = line {line}: {>document}

        parameter.least = must be at least {minimum}
        parameter.range = must be from {minimum} to {maximum}
        parameter.aboveZero = must be above 0
        parameter.seconds = seconds must be above 0
        parameter.time = must be seconds since 1970
        parameter.path = the background service needs a path that begins with '/'
        parameter.pathEnd = the path must end in a name
        parameter.fileName = a download into a folder needs a file name without '/'
        parameter.fileAndFolder = a download goes either to a file or into a folder
        parameter.interface = the name is empty, or holds a blank or a control character
        parameter.region = the region is no name of one
        parameter.partSize = a part has from {minimum:MiB} MiB to {maximum:GiB} GiB
        parameter.mirrors = at most {maximum}, with priorities from 1 to {minimum}
        parameter.pieces = there must be one digest for each part of the file
        parameter.body = write at most {maximum} bytes in hexadecimal digits
        parameter.certificatePin = the SHA-256 of a certificate has 64 hexadecimal digits
        parameter.bounds = 'from' is above 'to'
        parameter.values = from 1 to {maximum} values
        parameter.oneOf = each has exactly one of {choices}
        parameter.countedFilters = at most {maximum} filters are counted
        parameter.filters = a list has at most {maximum} filters
        parameter.filterBytes = the filters have at most {maximum} bytes together
        parameter.rows = before and after have at most {maximum} rows together, after at least 1
        parameter.lists = the lists of this connection exceed {maximum} bytes; add them in smaller ones
        parameter.listPart = list {minimum}: a part before this one is missing; none of the list was added
        """

    /// Files, folders and sockets, and the bytes in them. `reason` is that of a failed call.
    static let files = """
        file.write = cannot write{reason}
        file.read = cannot read{reason}
        file.readInput = standard input: cannot read{reason}
        file.readAgain = cannot be read again for its checksum{reason}
        file.rename = cannot be named again{reason}
        file.check = cannot be checked{reason}
        file.open = cannot open{reason}
        file.lock = cannot lock{reason}
        file.sync = cannot be made durable{reason}
        file.syncName = has its name, which cannot be made durable{reason}
        file.makeFolder = cannot make the folder of the socket{reason}
        file.useFolder = cannot use the folder of the socket{reason}
        file.makeSocket = cannot make the socket{reason}
        file.removeSocket = cannot remove the old socket{reason}
        file.restrictSocket = cannot keep the socket to one user{reason}
        file.listen = cannot listen{reason}
        file.probe = cannot find out whether a service listens there{reason}
        file.connect = cannot connect to the background service{reason}
        file.start = cannot start the background service{reason}

        file.notFolder = is not a folder
        file.notRegularFile = is not a regular file
        file.notSocket = is there already and is no socket
        file.otherUser = belongs to another user
        file.otherUsersService = another user's service listens here
        file.writableByOthers = other users can write in this folder, so it is not used
        file.readOnly = cannot write: the file, its folder or the file system is read-only
        file.exists = exists already
        file.inUse = this queue is open in [process {holder}|another process]
        file.nameInUse = [transfer {holder} is writing this file|another transfer of this run has that name]
        file.closed = the queue is closed
        file.newerVersion = was written by a newer version of this program
        file.unresponsive = the folder does not respond
        file.tooLarge = would hold more than {bytes} bytes
        file.longSocketPath = a socket's path has at most {bytes} bytes, this one has {length}
        file.invalidSocketPath = the socket's path is empty or holds a NUL
        file.deleted = was deleted or moved away while it was being written
        file.cutShort = was cut short while it was being written and holds {bytes} of {position} bytes
        file.written = holds {bytes} bytes instead of {position}; another program has written to it
        file.lacksBytes = cannot read {bytes} bytes from byte {position} on

        file.readSource = cannot read the source{reason}
        file.noSize = has bytes, but no size
        file.changed = changed while it was being sent
        file.changedBetween = [changed after {bytes} bytes of it were uploaded|changed during its upload]
        file.shorter = holds {bytes} of the {position} bytes to resume from
        file.symbolicLink = is a symbolic link; name the file itself
        file.hardLink = is a hard link to a file with another name
        file.beingWritten = another process is writing this file
        file.beingChanged = another process is changing this file and does not end
        file.readableByOthers = other users can read this file, so it is not used; 'chmod 600' keeps it to yourself
        file.changeableByOthers = other users can write this file, so it is not used; 'chmod 600' keeps it to yourself
        file.implausible = holds more than {bytes} bytes; it cannot be what it should be
        file.readPartly = cannot read all of it
        file.otherVersion = is of version {version}, which this program does not read
        file.notCredentials = is no list of credentials
        file.useInBackground = cannot be used for a background session{reason}
        file.readCookies = cannot read the cookies{reason}
        file.writeCookies = cannot write the cookies{reason}
        file.lockCookies = cannot lock the cookies{reason}
        file.largeCookies = is too large for a file of cookies

        mismatch.size = the file has {found} bytes there, expected {expected}
        mismatch.download = {algorithm:digest} is {found}, expected {expected}; the file was not kept
        mismatch.stream = {algorithm:digest} is {found}, expected {expected}; its bytes have been written out
        mismatch.part = a part of the file has another digest than expected, from each address; the file was not kept
        mismatch.existing = exists already, and its {algorithm:digest} is another
        mismatch.source = does not have the checksum {algorithm}:{expected}; nothing was sent
        mismatch.sent = what was sent does not have the checksum {algorithm}:{expected}; the server has a file that \
        you did not mean
        mismatch.stored = the server stored other bytes than were sent ({algorithm:digest} {found} instead of \
        {expected})
        """
}
