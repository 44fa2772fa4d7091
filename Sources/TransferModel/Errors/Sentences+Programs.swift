// SPDX-License-Identifier: MIT

extension Sentences {
    /// Why the background service cannot be reached, started or stopped.
    static let service = """
        serviceAbsent = no background service is running
        serviceNoListener $socket = {socket}: no background service listens here
        serviceTooBusy $socket = {socket}: the background service is too busy to reply
        serviceRunning process? = a background service is running already[ (process {process})]
        serviceWithoutSocket process? $socket = \
        the background service ([process {process}|another process]) runs, but its socket {socket} is gone
        serviceUnresponsive process? = [process {process}|another process] holds the queue and does not respond
        serviceStartedByOther seconds = \
        another command is starting the background service and has not done so for {seconds} s
        serviceEndsAtOnce $log = the background service ends as soon as it is started
        serviceEndsRepeatedly = the background service ends again and again
        serviceGone $problem* = the background service is gone: {>service}
        serviceStopped = the background service was stopped
        serviceNotEnding process seconds = \
        the background service (process {process}) was asked to end and has not for {seconds} s
        serviceNotTerminating process seconds = \
        the background service (process {process}) got SIGTERM and has not ended for {seconds} s
        serviceCrashing count signal seconds $log = the background service has crashed {count} times in a row, the \
        last time by signal {signal}, and is not started again within the next {seconds} s
        serviceNotReady process seconds $log = \
        the background service (process {process}) has not become ready for {seconds} s
        serviceEndedSilently $log = the background service ended before it was ready: it said nothing
        serviceEndedSaying $line = the background service ended before it was ready: {line}
        serviceOtherVersion number own $version = the background service is version {version} and speaks version \
        {number} of the protocol, this program version {own}
        serviceNoShell = the program ssh, which connects to other machines, is not installed
        serviceUnreachable $machine = {machine}: ssh cannot connect
        serviceNotInstalledThere $machine = {machine} has no fileq, or a release that cannot be used from here
        serviceEndedThere status $machine = {machine}: the program there ended with exit code {status}
        serviceOtherProgram = what listens at the socket is no service of this program
        serviceUnreadableReply $method = \
        the background service replied to '{method}' with something this program cannot read
        serviceNoReply seconds $method = the background service has not replied to '{method}' for {seconds} s
        serviceLongReply maximum = the background service sent a message of more than {maximum} bytes
        serviceNotMessage = the background service sent something that is no message
        serviceClosed = the background service has ended or closed the connection
        serviceLongRequest bytes maximum $method = \
        the background service takes at most {maximum} bytes in one message, and '{method}' needs {bytes}
        serviceLongTransfer bytes maximum = \
        the background service takes at most {maximum} bytes in one message, and one of these transfers needs {bytes}
        serviceUnwritableRequest $method = '{method}' cannot be put into a message
        serviceDisconnected = the connection to the background service was closed
        serviceInterrupted = interrupted while connecting to the background service
        serviceInvalidProgram $path = FILEQ_PROGRAM: {path} is no whole path of a program
        serviceMissingProgram = the program fileq, which carries background transfers, is not installed; set \
        FILEQ_PROGRAM to its path
        serviceHandedSockets count = \
        systemd handed over {count} sockets; the unit of fileq's socket needs exactly one ListenStream=
        serviceUnsuitableSocket = the socket that was handed over is no listening Unix stream socket; the unit needs \
        ListenStream= with a path
        serviceNeeded.relocate $ability = \
        only the background service gives a transfer a new address; this queue ends with the program it is in
        serviceNeeded.history = \
        only the background service keeps a history; this queue ends with the program it is in
        serviceNeeded.timetable = \
        only the background service keeps a timetable; this queue ends with the program it is in
        serviceNeeded.undo = only the background service reverts commands; this queue ends with the program it is in
        serviceNeeded.rates = only the background service samples rates; this queue ends with the program it is in
        serviceNeeded.log = only the background service keeps a log; this queue ends with the program it is in
        serviceNeeded.sessionEvents = \
        only the background service stores events of sessions; this queue ends with the program it is in
        """

    /// Sessions and streams.
    static let sessions = """
        sessionInvalidated = the session has been invalidated and takes no more tasks
        sessionNoStreams = this session's transport carries no streams
        sessionNoCookieFiles = this session keeps no cookie files; leave the cookie jar out
        sessionLateTLS hasEnded $authority = {authority}: TLS can begin only with the first byte of a connection, and \
        [{hasEnded?}this one has ended|bytes have moved; ask for it before reading and writing]
        sessionStreamEnded $authority = {authority}: the stream has ended
        sessionReadingClosed $authority = {authority}: the stream has been closed for reading
        sessionWritingClosed $authority = {authority}: the stream has been closed for writing
        sessionNotRead $authority = {authority}: not read within {seconds}
        sessionNotWritten $authority = {authority}: not written within {seconds}
        sessionSecondReader = the body of a response has one reader
        sessionBodyIsReadOnly = the body of a response can only be read
        backgroundConnections = a background session makes no connections of its own
        backgroundNoConnector = a background session needs a connector to the service; create it with one
        backgroundClosures = a background session calls no closures, which end with the program; use a delegate
        backgroundDataTasks = a background session has no data tasks; download into a file
        backgroundDigests = a background session computes no digest of what it sends; leave it out
        backgroundContinuedUploads = a background session resumes its uploads without data; upload the file
        backgroundBytesAndStreams = a background session sends files alone, since bytes and streams end with the \
        program; write them to a file
        backgroundDestinations = \
        a background session downloads into files of its own; move them in didFinishDownloadingTo
        backgroundTargets = \
        a background session stores what it needs to resume, and computes no digest; leave the target out
        backgroundFileGone $path = {path}: the downloaded file is no longer there; it was taken before, or removed
        backgroundUnexplained $url = {url}: failed, the background service does not say why
        backgroundNoIdentifier = \
        a background session needs an identifier; make its configuration with '.background(IDENTIFIER)'
        backgroundLongIdentifier bytes maximum = the identifier of a background session is too long: percent-encoded \
        it has {bytes} bytes, and {maximum} at most
        backgroundOpen $name = the background session '{name}' is open already, in this program or another one; end \
        that one first, or choose another identifier
        backgroundSharedFolder $path = \
        {path}: other users can write this folder, so it is not used; 'chmod 700' makes it yours alone
        backgroundSharedState $path = {path}: is another user's, or open to others, so it is not used; set HOME, or \
        FILEQ_HOME, to a folder of your own
        backgroundTransferGone = \
        the background service no longer has this transfer, and does not say how it ended; start it again
        backgroundNoID = the background service gave the transfer no id
        backgroundServiceFailed = the background service failed
        """
}
