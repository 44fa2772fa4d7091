// SPDX-License-Identifier: MIT

import HTTPTypes

/// The language of a page. What servers answer to programs is English.
enum PageLanguage: String, CaseIterable {
    case english = "en"
    case japanese = "ja"

    init(of request: HTTPRequest) {
        let qualities = Page.qualities(request.headerFields[.acceptLanguage])
        func quality(_ language: PageLanguage) -> Double {
            qualities.filter { $0.key.prefix { $0 != "-" } == language.rawValue }.map(\.value).max() ?? 0
        }
        let japanese = quality(.japanese)
        self = japanese > 0 && japanese >= quality(.english) ? .japanese : .english
    }

    subscript(_ word: PageWord) -> String {
        switch self {
        case .english: word.texts.english
        case .japanese: word.texts.japanese
        }
    }
}

/// What pages say. `{}` stands for a name or a number.
enum PageWord: String, CaseIterable {
    case logIn, logOut, token, wrongToken, tooManyGuesses, logInAgain

    var texts: (english: String, japanese: String) {
        switch self {
        case .logIn: ("Log in", "ログイン")
        case .logOut: ("Log out", "ログアウト")
        case .token: ("Token", "トークン")
        case .wrongToken: ("That is not the token.", "トークンが違います。")
        case .tooManyGuesses:
            ("Too many attempts from this network. Try again later.", "試行回数が多すぎます。しばらくしてからお試しください。")
        case .logInAgain: ("Your login has ended. Load the page again.", "ログインの期限が切れました。ページを再読み込みしてください。")
        }
    }
}
