// SPDX-License-Identifier: MIT

/// Agreeing with a file that other processes write too.
extension CookieTable {
    /// What was handed out to be written.
    struct Snapshot {
        var cookies: [StoredCookie]
        fileprivate var revisions: [StoredCookie.Key: UInt64]
    }

    /// Merges the file's current content. Changes made here since the last read or write stay; everything else follows
    /// the file: cookies that other processes added or removed are added or removed here.
    mutating func merge(_ theirs: [StoredCookie], now: Double) {
        var present: Set<StoredCookie.Key> = []
        for cookie in theirs where !cookie.isExpired(at: now) {
            present.insert(cookie.key)
            if !removed.contains(cookie.key) { adopt(cookie, now: now) }
        }
        removed.formIntersection(present)
        for entry in entries where entry.isInFile && !present.contains(entry.cookie.key) {
            if entry.isChanged { markAsMissing(entry.cookie.key) } else { forget(entry.cookie.key) }
        }
        trim(now: now)
    }

    /// Whether the file would be another one after writing.
    func differsFromFile(_ isWritten: (StoredCookie) -> Bool) -> Bool {
        !removed.isEmpty || entries.contains { $0.isChanged && ($0.isInFile || isWritten($0.cookie)) }
    }

    /// All that belongs into the file, the oldest first.
    func snapshot(_ isWritten: (StoredCookie) -> Bool) -> Snapshot {
        let chosen = entries.filter { isWritten($0.cookie) }.sorted { $0.order < $1.order }
        return Snapshot(
            cookies: chosen.map(\.cookie),
            revisions: Dictionary(uniqueKeysWithValues: chosen.map { ($0.cookie.key, $0.revision) }))
    }

    /// The file holds `snapshot` and nothing else.
    mutating func wrote(_ snapshot: Snapshot) {
        for (domain, list) in domains {
            domains[domain] = list.map { entry in
                var entry = entry
                let written = snapshot.revisions[entry.cookie.key]
                entry.isInFile = written != nil
                entry.isChanged = written != entry.revision
                return entry
            }
        }
        removed.formIntersection(snapshot.revisions.keys)
    }

    private mutating func markAsMissing(_ key: StoredCookie.Key) {
        guard let index = domains[key.domain]?.firstIndex(where: { $0.cookie.key == key }) else { return }
        domains[key.domain]?[index].isInFile = false
    }
}
