// SPDX-License-Identifier: MIT

extension Page {
    /// Of all pages.
    static let style = """
        :root { color-scheme: light dark; font: 1rem/1.45 system-ui, sans-serif; --accent: #0a58ca; --line: #8886 }
        @media (prefers-color-scheme: dark) { :root { --accent: #7db3ff } }
        body { max-width: 60rem; margin: 1rem auto; padding: 0 1rem }
        [hidden] { display: none !important }
        a { color: var(--accent) }
        h1 { font-size: 1.25rem; margin: .5rem 0; overflow-wrap: anywhere }
        header { display: flex; gap: 1rem; align-items: center; justify-content: space-between }
        button, .main, input { font: inherit; padding: .3rem .8rem }
        button, .main, input { border: 1px solid var(--line); border-radius: .4rem }
        button, .main { background: none; color: inherit; cursor: pointer; display: inline-block }
        .main { border-color: var(--accent); color: var(--accent); font-weight: 600; text-decoration: none }
        :focus-visible, .main:focus-within { outline: 3px solid var(--accent); outline-offset: 2px }
        .main input, .unseen { position: absolute; opacity: 0; width: 1px; height: 1px; padding: 0; overflow: hidden }
        .narrow { max-width: 30rem; margin: 2rem auto }
        .narrow form { display: grid; gap: .6rem; justify-items: start }
        .narrow form input { width: 100%; box-sizing: border-box }
        [role=alert] { border-inline-start: 4px solid; padding-inline-start: .6rem }
        dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem }
        dd { margin: 0; overflow-wrap: anywhere }
        #drop { border: 2px dashed var(--line); border-radius: .6rem; padding: 0 1rem; text-align: center }
        #drop .main { margin: .15rem }
        #drop.over { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent) }
        .tools, #all, li div { display: flex; gap: .5rem 1rem; align-items: center; flex-wrap: wrap }
        .tools { justify-content: space-between }
        ul { list-style: none; padding: 0 }
        li { display: grid; grid-template-columns: 1fr auto; gap: .2rem 1rem; padding: .4rem 0 }
        li + li { border-top: 1px solid var(--line) }
        li bdi, td bdi { overflow-wrap: anywhere }
        li progress, li > div { grid-column: 1 / -1; width: 100%; accent-color: var(--accent) }
        li div span { flex: 1; min-width: 12rem; font-variant-numeric: tabular-nums }
        table { width: 100%; border-collapse: collapse }
        th, td { text-align: start; padding: .35rem .5rem; border-bottom: 1px solid var(--line) }
        th button { padding: 0; border: 0; font-weight: 600 }
        [aria-sort=ascending] button::after { content: " ▲" }
        [aria-sort=descending] button::after { content: " ▼" }
        th:first-child { width: 60% }
        tr > :nth-child(2), td:nth-child(4) { text-align: end; white-space: nowrap }
        .delete { padding: .1rem .5rem }
        @media (max-width: 40rem) { th, td { padding: .35rem .25rem } td:nth-child(3) { font-size: .8rem } }
        """
}
