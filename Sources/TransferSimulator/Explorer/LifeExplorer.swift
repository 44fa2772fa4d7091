// SPDX-License-Identifier: MIT

import TransferService

struct LifeViolation: Error { let invariant: String }

/// An explored value: its moves, and the invariants that must hold.
protocol Explorable {
    associatedtype Move
    associatedtype Bug

    /// Two with the same key have the same future: they differ in numbers alone.
    var key: ExplorationKey { get }
    func moves(_ bug: Bug?, _ found: inout [Move])
    mutating func make(_ move: Move, _ bug: Bug?, _ out: inout Life.Effects) throws(LifeViolation)
    /// Checks that take too long after each move.
    func checkState(_ out: inout Life.Effects) throws(LifeViolation)

    /// Faults end, and the user wants every transfer to complete.
    mutating func calm()
    var isDone: Bool { get }
    func calmMove(_ bug: Bug?) -> Move
}

/// Visits every state that a world can reach, breadth first, so that the first violation has a shortest course.
struct LifeExplorer<World: Explorable> {
    private(set) var transitions = 0
    private(set) var depth = 0
    private(set) var isClosed = true
    private(set) var violation: (invariant: String, course: [World.Move])?
    var states: Int { parents.count }

    let bug: World.Bug?
    var maximum = 8_000_000
    /// Called for each transition.
    var observe: ((World, World.Move, World) -> Void)?

    private var known = KeyTable()
    private var parents: [(parent: UInt32, move: World.Move?)] = []
    /// States from which all completes without further faults.
    private var calmed = KeyTable()
    private var out = Life.Effects()

    init(bug: World.Bug? = nil) { self.bug = bug }

    mutating func explore(_ start: World) {
        var level: [(world: World, number: UInt32)] = []
        add(start, from: 0, nil, &level)
        var moves: [World.Move] = []
        while !level.isEmpty, violation == nil {
            var next: [(world: World, number: UInt32)] = []
            for (world, number) in level {
                if let problem = problem(of: world) { return fail(problem, number, nil) }
                world.moves(bug, &moves)
                for move in moves {
                    var new = world
                    transitions += 1
                    do throws(LifeViolation) { try new.make(move, bug, &out) } catch {
                        return fail(error.invariant, number, move)
                    }
                    observe?(world, move, new)
                    add(new, from: number, move, &next)
                }
            }
            level = next
            if !level.isEmpty { depth += 1 }
        }
    }

    private mutating func add(
        _ world: World, from parent: UInt32, _ move: World.Move?, _ level: inout [(world: World, number: UInt32)]
    ) {
        guard known.insert(world.key) else { return }
        guard parents.count < maximum else { return isClosed = false }
        level.append((world, UInt32(parents.count)))
        parents.append((parent, move))
    }

    private mutating func fail(_ invariant: String, _ number: UInt32, _ last: World.Move?) {
        var (course, number) = (last.map { [$0] } ?? [], number)
        while let move = parents[Int(number)].move {
            course.append(move)
            number = parents[Int(number)].parent
        }
        violation = (invariant, course.reversed())
    }

    private mutating func problem(of world: World) -> String? {
        do throws(LifeViolation) {
            try world.checkState(&out)
            try calmDown(world)
            return nil
        } catch { return error.invariant }
    }

    /// Liveness: without faults, and with a user who wants it, every transfer completes.
    private mutating func calmDown(_ start: World) throws(LifeViolation) {
        var world = start
        world.calm()
        var path: [ExplorationKey] = []
        while !world.isDone, case let key = world.key, !calmed.contains(key) {
            path.append(key)
            guard path.count < 200 else { throw LifeViolation(invariant: "liveness: \(world)") }
            do throws(LifeViolation) { try world.make(world.calmMove(bug), bug, &out) } catch {
                throw LifeViolation(invariant: "\(error.invariant), without further faults")
            }
        }
        for key in path { calmed.insert(key) }
    }
}
