// SPDX-License-Identifier: MIT

extension Page {
    /// Of all pages.
    static let style = """
        :root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif }
        body { max-width: 60rem; margin: 1rem auto; padding: 0 1rem }
        header { display: flex; gap: 1rem; align-items: center; justify-content: space-between }
        h1 { font-size: 1.2rem; overflow-wrap: anywhere }
        .narrow { max-width: 40rem; margin: auto }
        .narrow form { display: grid; gap: .5rem; max-width: 20rem }
        button, input, .main { font: inherit; padding: .4rem .8rem }
        .main { display: inline-block; border: 2px solid; border-radius: .5rem; font-weight: 600 }
        dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem }
        dd { margin: 0 }
        #drop { border: 2px dashed; border-radius: .5rem; padding: 1.5rem; text-align: center }
        #drop.over { background: Highlight; color: HighlightText }
        ul { list-style: none; padding: 0 }
        li { display: flex; gap: 1rem; align-items: center; flex-wrap: wrap }
        li bdi { flex: 1; overflow-wrap: anywhere }
        table { width: 100%; border-collapse: collapse }
        th, td { text-align: start; padding: .2rem .6rem .2rem 0 }
        td:first-child { overflow-wrap: anywhere }
        td:nth-child(2) { text-align: end; white-space: nowrap }
        td:nth-child(3) { white-space: nowrap }
        """
}
