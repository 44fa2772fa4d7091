// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The form for the token, in place of any page. It is sent to the address of that page, which a proxy may have below
/// a path of its own.
enum LoginPage {
    /// - Parameter isFromElsewhere: the reader has followed a link of another site, for which browsers leave the cookie
    ///   out. Loaded once more, the page is what it asked for if the reader has logged in.
    static func answer(
        _ status: HTTPResponse.Status, _ language: PageLanguage, because reason: PageWord?,
        isFromElsewhere: Bool = false
    ) -> Answer {
        let alert = reason.map { "<p role=\"alert\">\(language[$0])</p>" }
        var answer = Page(
            title: language[.logIn], language: language,
            body: [
                isFromElsewhere ? "<meta http-equiv=\"refresh\" content=\"0\">" : "",
                "<main class=\"narrow\"><h1>\(language[.logIn])</h1>", alert ?? "", "<form method=\"post\">",
                "<label for=\"token\">\(language[.token])</label>",
                "<input id=\"token\" name=\"token\" type=\"password\" autocomplete=\"current-password\" required "
                    + "autofocus>",
                "<button class=\"main\">\(language[.logIn])</button>", "</form></main>",
            ]
        ).answer(status, cache: "no-store")
        // Browsers would ask for a password themselves if Basic were offered.
        if status == .unauthorized { answer.headers[.wwwAuthenticate] = "Bearer realm=\"fileq\"" }
        return answer
    }
}

/// The fields of a form (application/x-www-form-urlencoded).
struct FormFields {
    static let type = "application/x-www-form-urlencoded"
    /// Longer ones are refused.
    static let mostBytes = 8192

    private var fields: [String: String] = [:]

    /// The last field of a name counts; those that are not UTF-8 are left out.
    init(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentCoding.decode(String($0.map { $0 == "+" ? " " : $0 }))
            }
            guard parts.count == 2, let name = parts[0], let value = parts[1] else { continue }
            fields[name] = value
        }
    }

    subscript(_ name: String) -> String? { fields[name] }
}
