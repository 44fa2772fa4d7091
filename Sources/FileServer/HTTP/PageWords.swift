// SPDX-License-Identifier: MIT

import FoundationEssentials
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

/// The words of the pages. `{}` stands for a name or a number.
enum PageWord: String, CaseIterable {
    case logIn, logOut, token, wrongToken, tooManyGuesses, logInAgain
    case top, uploads, folder, name, size, modified, actions, empty, more, truncated
    case drop, chooseFiles, chooseFolder, needsScript, newFolder, newFolderName, zip, zipOf, delete, deleteQuestion
    case deleteFolderQuestion, waiting, stored, failed, paused, cancelled, skipped, taken, broken, left, unreadable
    case gone, pause, resume, cancel, again, replace, keepBoth, skip, forAll, summary, failures
    case sharedFile, password, wrongPassword, open, kind, zippedFolder, until, downloadsLeft, download, deleteLink
    case linkDeleted

    var texts: (english: String, japanese: String) {
        switch self {
        case .logIn: ("Log in", "ログイン")
        case .logOut: ("Log out", "ログアウト")
        case .token: ("Token", "トークン")
        case .wrongToken: ("That is not the token.", "トークンが違います。")
        case .tooManyGuesses:
            ("Too many attempts from this network. Try again later.", "試行回数が多すぎます。しばらくしてからお試しください。")
        case .logInAgain: ("Your login has ended. Load the page again.", "ログインの期限が切れました。ページを再読み込みしてください。")
        case .top: ("Files", "ファイル")
        case .uploads: ("Uploads", "アップロード")
        case .folder: ("Folder", "フォルダー")
        case .name: ("Name", "名前")
        case .size: ("Size", "サイズ")
        case .modified: ("Modified", "更新日")
        case .actions: ("Actions", "操作")
        case .empty: ("Nothing is here yet.", "まだ何もありません。")
        case .more: ("More", "次へ")
        case .truncated: ("There are more than {} entries.", "{} 件を超えています。")
        case .drop: ("Drop files or folders anywhere on this page, or", "ファイルやフォルダーをここにドロップするか、選択してください")
        case .chooseFiles: ("Choose files", "ファイルを選択")
        case .chooseFolder: ("Choose a folder", "フォルダーを選択")
        case .needsScript:
            ("Uploads from this page need JavaScript; downloads do not.", "アップロードには JavaScript が必要です。ダウンロードには不要です。")
        case .newFolder: ("New folder", "新しいフォルダー")
        case .newFolderName: ("Name of the new folder", "新しいフォルダーの名前")
        case .zip: ("Download all as .zip", "すべてを .zip でダウンロード")
        case .zipOf: ("Download {} as .zip", "{} を .zip でダウンロード")
        case .delete: ("Delete {}", "{} を削除")
        case .deleteQuestion: ("Delete {}? This cannot be undone.", "{} を削除しますか? 元に戻せません。")
        case .deleteFolderQuestion:
            ("Delete {} with all that is in it? This cannot be undone.", "{} を中身ごと削除しますか? 元に戻せません。")
        case .waiting: ("waiting", "待機中")
        case .stored: ("stored", "保存しました")
        case .failed: ("failed: {}", "失敗: {}")
        case .paused: ("paused", "一時停止中")
        case .cancelled: ("cancelled", "取り消しました")
        case .skipped: ("skipped", "スキップしました")
        case .taken: ("A file of this name exists.", "同じ名前のファイルがあります。")
        case .broken: ("The connection broke; trying again", "接続が切れました。再試行しています")
        case .left: ("{} left", "残り {}")
        case .unreadable: ("it cannot be read", "読み取れません")
        case .gone: ("the server no longer has the upload", "サーバーにアップロードがありません")
        case .pause: ("Pause", "一時停止")
        case .resume: ("Resume", "再開")
        case .cancel: ("Cancel", "取り消す")
        case .again: ("Try again", "再試行")
        case .replace: ("Replace", "置き換える")
        case .keepBoth: ("Keep both", "両方残す")
        case .skip: ("Skip", "スキップ")
        case .forAll: ("All {} files whose names exist:", "同名の {} 件すべて:")
        case .summary: ("{} of {} stored", "{} / {} 件を保存しました")
        case .failures: ("{} failed", "{} 件失敗")
        case .sharedFile: ("Shared file", "共有ファイル")
        case .password: ("Password", "パスワード")
        case .wrongPassword: ("That is not the password.", "パスワードが違います。")
        case .open: ("Open", "開く")
        case .kind: ("Kind", "種類")
        case .zippedFolder: ("Folder, as .zip", "フォルダー (.zip)")
        case .until: ("Until", "有効期限")
        case .downloadsLeft: ("Downloads left", "残りダウンロード回数")
        case .download: ("Download", "ダウンロード")
        case .deleteLink: ("Delete this link", "このリンクを削除")
        case .linkDeleted: ("The link has been deleted.", "リンクを削除しました。")
        }
    }
}

extension PageLanguage {
    /// For a page's script: an attribute with all words as JSON.
    var wordsAttribute: String { Self.wordsAttributes[self] ?? "" }

    private static let wordsAttributes = Dictionary(
        uniqueKeysWithValues: allCases.map { language in
            let words = Dictionary(uniqueKeysWithValues: PageWord.allCases.map { ($0.rawValue, language[$0]) })
            let json = (try? JSONEncoder().encode(words)) ?? Data("{}".utf8)
            return (language, " data-words=\"\(Page.escape(String(decoding: json, as: UTF8.self)))\"")
        })
}
