// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
@testable import TransferService

@Suite struct SessionDelegateTests {
    /// The session looks none of them up: it would not call the methods of another family.
    @Test func theSessionKnowsEveryFamilyOfTheCoordinator() {
        let coordinator = EngineActor.sync {
            Coordinator(
                configuration: .init(), policy: .local, scheduler: SystemScheduler(), pathMonitor: nil,
                store: NullStore(), checkpoints: [:], crashes: nil)
        }
        let found = Audience(coordinator as any TransferSessionDelegate)
        let known = Audience(known: coordinator)
        #expect(known.interests == found.interests)
        #expect(known.task === found.task && known.task === coordinator)
        #expect(known.data === found.data && known.data === coordinator)
        #expect(known.download === found.download && known.download === coordinator)
        #expect(known.session === coordinator)
    }
}
