// SPDX-License-Identifier: MIT
// Casts of all kinds; with FILEQ_CHECK_CONFORMANCES each look into the table is compared with the runtime's own search.
import FoundationEssentials

protocol Named { static var name: String { get } }
protocol Plain {}
protocol Unused {}
struct Small: Named, Codable, Hashable { var number = 1; static var name: String { "small" } }
struct Generic<Value> { var value: Value }
extension Generic: Plain {}
extension Generic: Named where Value: Named { static var name: String { "generic " + Value.name } }
enum Choice: String, CaseIterable, Named, Error { case one, two; static var name: String { "choice" } }
class Base: Named { class var name: String { "base" } }
final class Derived: Base {}
struct Nested { struct Inner<A, B>: Plain { var pair: (A, B) } }

func names(_ value: Any) -> String {
    var found: [String] = []
    if let named = value as? any Named { found.append(type(of: named).name) }
    if value is any Plain { found.append("plain") }
    if value is any Unused { found.append("unused") }
    if value is any Error { found.append("error") }
    if value is any Encodable { found.append("encodable") }
    if value is any Hashable { found.append("hashable") }
    if value is any Collection { found.append("collection") }
    if value is any BinaryInteger { found.append("integer") }
    return found.joined(separator: ",")
}

let values: [(Any, String)] = [
    (Small(), "small,encodable,hashable"),
    (Optional(Small()) as Any, "small,encodable,hashable"),
    (Generic(value: Small()), "generic small,plain"),
    (Generic(value: 1), "plain"),
    (Generic(value: Generic(value: Choice.one)), "generic generic choice,plain"),
    (Choice.two, "choice,error,hashable"),
    (Derived(), "base"),
    (Nested.Inner(pair: (1, "a")), "plain"),
    ([Small()], "encodable,hashable,collection"),
    ([Generic(value: 1)], "collection"),
    (["a": 1], "encodable,hashable,collection"),
    (7 as UInt16, "encodable,hashable,integer"),
    ((1, 2), ""),
    (Data([1]), "encodable,hashable,collection"),
    ({ () -> Void in }, ""),
    (Small.self, ""),
]
for _ in 1...2 {
    for (value, expected) in values {
        let found = names(value)
        guard found == expected else { fatalError("\(type(of: value)): \(found), expected \(expected)") }
    }
}
let decoded = try JSONDecoder().decode([String: [Small]].self, from: Data(#"{"a":[{"number":2}]}"#.utf8))
guard decoded["a"] == [Small(number: 2)] else { fatalError("\(decoded)") }
print("conformances: \(values.count) types as expected")
