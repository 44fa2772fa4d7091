// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Applies the time of day: earliest starts of transfers, and rates of the timetable.
extension Coordinator {
    func setTimetable(_ timetable: LimitTimetable) {
        let old = self.timetable
        applyTimetable(timetable)
        if old != timetable { noteUndo("timetable.set", [.timetable(old)]) }
    }

    func applyTimetable(_ timetable: LimitTimetable) {
        self.timetable = timetable
        applyRates()
        storeSettings()
        plannedCheck = nil
        scheduleClockCheck()
    }

    /// Passes the current rates to the session.
    func applyRates() {
        let now = RateTimetable(timetable: timetable, limits: queue.limits).rates(
            at: configuration.localTime(scheduler.wallNow))
        guard rates != now else { return }
        rates = now
        for (id, run) in runs { run.meter.start(queue[id]?.bytes ?? 0, at: scheduler.now) }
        if now.download != nil || now.upload != nil { recallFetches() }
        session?.applyRateLimits(download: now.download, upload: now.upload)
    }

    /// Bytes of a running transfer, for its own graph.
    func sample(_ bytes: Int64, of id: TransferID) {
        if !samplers.contains(id) { samplers.shrink { runs[$0] != nil } }
        samplers.note(bytes, of: id, at: scheduler.now)
    }

    /// See ``TransferControl/QueueClient/rates(seconds:of:)``.
    func rateReport(seconds: Int, of id: TransferID?) -> RateReport {
        let samples = traffic.last(seconds, at: scheduler.now)
        var limits = queue.limits
        if let rates { (limits.download, limits.upload) = (rates.download, rates.upload) }
        let now = scheduler.wallNow
        let pause = RateTimetable(timetable: timetable, limits: queue.limits)
            .secondsUntilChange(from: configuration.localTime(now))
        var report = RateReport(
            received: samples.received, sent: samples.sent, limits: limits, limitsEnd: pause.map { now + $0 },
            network: networkInUse)
        let series = traffic.series(at: scheduler.now)
        (report.receivedSeries, report.sentSeries) = (series.received, series.sent)
        if let id, let sampler = samplers[id] {
            let hasEnded = queue[id]?.state.isEnded ?? true
            report.transfer = TransferRates(id: id, series: sampler.series(at: hasEnded ? nil : scheduler.now))
        }
        return report
    }

    /// Schedules the moment when the first of the present rates becomes 0 without a further byte.
    func scheduleRateCheck() {
        guard !isRateCheckPlanned else { return }
        let running = runs.values.filter { queue[$0.id]?.state == .running }
        guard let time = running.compactMap(\.meter.silentFrom).min() else { return }
        isRateCheckPlanned = true
        scheduler.schedule(at: time) { [weak self] in
            EngineActor.async { [weak self] in self?.checkRates() }
        }
    }

    private func checkRates() {
        isRateCheckPlanned = false
        guard session != nil, !hasEnded else { return }
        for (id, run) in runs where queue[id]?.state == .running && run.meter.fallSilent(at: scheduler.now) {
            let silentSince = silentSince(of: run)
            update(id, .progress) { $0.setPace(run.pace(of: $0, silentSince: silentSince)) }
        }
        scheduleRateCheck()
    }

    /// When its last byte moved, in seconds since 1970, if its rate is 0.
    func silentSince(of run: Run) -> Double? {
        run.meter.silentSince.map { scheduler.wallNow - (scheduler.now - $0) }
    }

    /// Schedules the next check of the clock, if anything depends on it.
    ///
    /// At least once a minute: clocks are set, zones and summer time shift them, and machines sleep.
    func scheduleClockCheck() {
        var pauses = [queue.nextWake.map { max(0, $0 - scheduler.wallNow) }]
        // Each check schedules the next one.
        if plannedCheck == nil, !timetable.entries.isEmpty {
            pauses.append(60)
            pauses.append(
                RateTimetable(timetable: timetable, limits: queue.limits)
                    .secondsUntilChange(from: configuration.localTime(scheduler.wallNow)))
        }
        guard let pause = pauses.compactMap(\.self).min() else { return }
        let time = scheduler.now + min(pause, 60)
        if let plannedCheck, plannedCheck <= time { return }
        plannedCheck = time
        scheduler.schedule(at: time) { [weak self] in
            EngineActor.async { [weak self] in self?.checkClock(plannedFor: time) }
        }
    }

    private func checkClock(plannedFor time: Double) {
        // An earlier check has replaced this one.
        guard plannedCheck == time, session != nil else { return }
        plannedCheck = nil
        applyRates()
        startWhatMay()
    }
}
