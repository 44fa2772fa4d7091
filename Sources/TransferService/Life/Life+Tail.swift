// SPDX-License-Identifier: MIT

/// From the last byte to the commit.
extension Life {
    mutating func completeBytes(_ c: Context, _ out: inout Effects) {
        facts.subtract([.isWhole, .isRelocated, .isToBeCopied])
        facts.insert(.isInTail)
        obstacle = .none
        if facts.contains(.isStream) {
            commit(c, &out)
        } else if facts.contains(.hasDigest) {
            begin(.digest, .checking, &out)
        } else {
            secure(c, &out)
        }
    }

    mutating func digested(_ next: Next?, _ c: Context, _ out: inout Effects) {
        guard let next else {
            if !leavesTail(c, &out) { secure(c, &out) }
            return
        }
        // They are deleted.
        release(&out)
        facts.remove(.hasBytes)
        guard next == .end else { return failed(next, c, &out) }
        if !leavesTail(c, &out) { end(.failed, &out) }
    }

    /// The queue's end waits for what is in the tail.
    private mutating func leavesTail(_ c: Context, _ out: inout Effects) -> Bool {
        var c = c
        c.isEnding = false
        return leaves(c, &out)
    }

    /// Without a sync the intention is recorded all the same, unless no later process could read it. From now on each
    /// record has it: one that a command writes must not take it back while the reply is under way.
    private mutating func secure(_ c: Context, _ out: inout Effects) {
        holdsSlot = false
        if facts.contains(.syncs) || c.awaitsCommits {
            facts.insert(.isIntended)
            begin(.secure, .securing, &out)
        } else {
            begin(.name, .naming, &out)
        }
    }

    mutating func secured(_ result: Secured, _ c: Context, _ out: inout Effects) {
        switch result {
        case .lost: if !leaves(c, isObeyed: true, &out) { end(.failed, &out) }
        case .unrecorded: if !leaves(c, &out) { due = c.now + 2 }
        case .durable: if !leavesTail(c, &out) { begin(.name, .naming, &out) }
        }
    }

    mutating func named(_ result: Named, _ c: Context, _ out: inout Effects) {
        switch result {
        case .named, .spared: commit(c, &out)
        case .refused: if !leavesTail(c, &out) { end(.failed, &out) }
        case .takesOtherName: if !leavesTail(c, &out) { secure(c, &out) }
        case .notDurable: failUnnamed(c, &out)
        }
    }

    /// A completion is reported once it is committed, where a later process asks. Whatever the user wants, it is a
    /// fact.
    mutating func commit(_ c: Context, _ out: inout Effects) {
        if leaves(c, isObeyed: true, &out) { return }
        guard c.awaitsCommits else { return end(.completed, &out) }
        holdsSlot = false
        begin(.commit, .committing, &out)
    }

    mutating func committed(_ isDurable: Bool, _ c: Context, _ out: inout Effects) {
        if isDurable { end(.completed, &out) } else { failUnnamed(c, &out) }
    }

    /// The file has its name, which a power cut may take: the next attempt finds it.
    private mutating func failUnnamed(_ c: Context, _ out: inout Effects) {
        facts.insert(.mayBeNamed)
        if !leaves(c, isObeyed: true, &out) { end(.failed, &out) }
    }
}
