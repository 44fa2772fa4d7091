// SPDX-License-Identifier: MIT

extension ListingPage {
    /// Uploads to the page's own address with tus: creation, then one PATCH at a time, from the offset that the server
    /// confirms. A broken connection is tried again. Two files at a time.
    static let script = """
        'use strict';
        const $ = id => document.getElementById(id), main = document.querySelector('main');
        const words = JSON.parse(main.dataset.words), status = $('status'), here = location.pathname;
        // For this type, a server that wants a login sends no challenge, at which browsers would ask for a password.
        const accept = { Accept: 'text/html' }, tus = { ...accept, 'Tus-Resumable': '1.0.0' };
        const uploads = [], compare = new Intl.Collator(undefined, { numeric: true }).compare;
        let running = 0, refreshing = 0, counting = 0, order = { column: 0, sign: 1 };

        function say(word, ...values) {
          return values.reduce((text, value) => text.replace('{}', () => value), words[word]);
        }
        function short(bytes) {
          let unit = 0;
          for (; bytes >= 1000 && unit < 5; unit++) bytes /= 1024;
          return (unit && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)) + 'BKMGTP'[unit];
        }
        function span(seconds) {
          const two = number => String(Math.floor(number % 60)).padStart(2, '0');
          if (seconds < 60) return Math.ceil(seconds) + 's';
          const minutes = seconds / 60;
          return minutes < 60 ? Math.floor(minutes) + ':' + two(seconds)
            : Math.floor(minutes / 60) + ':' + two(minutes) + ':' + two(seconds);
        }
        function base64(text) {
          return btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));
        }
        function button(word, label, act) {
          const made = document.createElement('button');
          made.type = 'button';
          made.textContent = words[word];
          if (label) made.setAttribute('aria-label', words[word] + ' ' + label);
          made.addEventListener('click', act);
          return made;
        }
        function wait(milliseconds, signal) {
          return new Promise((resolve, reject) => {
            const timer = setTimeout(resolve, milliseconds);
            signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
          });
        }
        // Another attempt would fail the same way.
        class Final extends Error {}
        class Taken extends Error {}
        function check(code, text) {
          if (code === 401) throw new Final(words.logInAgain);
          if (code === 404 || code === 410) throw new Final(words.gone);
          if (code < 500 && ![408, 409, 423, 429].includes(code) || code === 507) throw new Final(text.trim() || code);
          throw new Error(text.trim() || code);
        }

        class Upload {
          constructor(file, folder) {
            Object.assign(this, { file, folder, name: file.name, offset: 0, failures: 0, copies: 1 });
            [this.item, this.title, this.bar, this.row, this.text, this.tools] =
              ['li', 'bdi', 'progress', 'div', 'span', 'div'].map(name => document.createElement(name));
            const size = document.createElement('span');
            size.textContent = short(file.size);
            this.bar.max = Math.max(1, file.size);
            this.bar.value = 0;
            this.row.append(this.text, this.tools);
            this.item.append(this.title, size, this.bar, this.row);
            $('uploads').append(this.item);
            this.enter('waiting');
          }
          get path() { return here + this.folder + encodeURIComponent(this.name); }
          // The state is a word, and a word of a button the method that it calls.
          enter(state, text, ...actions) {
            this.state = state;
            if (state === 'waiting') actions = ['cancel'];
            this.title.textContent = decodeURIComponent(this.folder) + this.name;
            this.bar.setAttribute('aria-label', this.name);
            this.bar.hidden = !['waiting', 'running', 'paused'].includes(state);
            this.text.textContent = text ?? words[state] ?? '';
            const hadFocus = this.tools.contains(document.activeElement);
            this.tools.replaceChildren(...actions.map(word => button(word, this.name, () => this[word]())));
            if (hadFocus) this.tools.querySelector('button')?.focus();
            overview();
          }
          async run() {
            this.stop = new AbortController();
            this.samples = [];
            this.enter('running', '', 'pause', 'cancel');
            const signal = this.stop.signal;
            try {
              await this.transfer(signal);
              this.bar.value = this.bar.max;
              this.enter('stored');
              refresh();
            } catch (error) {
              if (signal.aborted) return;
              if (error instanceof Taken) this.enter('taken', words.taken, 'replace', 'keepBoth', 'skip');
              else this.enter('failed', say('failed', error.message), 'again', 'cancel');
            }
          }
          async transfer(signal) {
            for (;;) {
              try {
                if (!this.url) await this.create(signal); else await this.locate(signal);
                if (this.offset < this.file.size) await this.append(signal);
                return;
              } catch (error) {
                if (error instanceof Final || error instanceof Taken || signal.aborted) throw error;
                if (++this.failures > 12) throw error;
                this.text.textContent = words.broken;
                await wait(Math.min(15000, 250 * 2 ** this.failures), signal);
              }
            }
          }
          async create(signal) {
            try { await this.file.slice(0, 1).arrayBuffer(); } catch { throw new Final(words.unreadable); }
            const headers = { ...tus, 'Upload-Length': this.file.size,
              'Upload-Metadata': 'filename ' + base64(this.name) };
            if (this.version) headers['If-Match'] = this.version;
            const made = await fetch(here + this.folder, { method: 'POST', headers, signal });
            if (made.status === 412) {
              if (!this.keepsBoth) throw new Taken();
              this.rename();
              return this.create(signal);
            }
            if (made.status !== 201) check(made.status, await made.text());
            this.url = new URL(made.headers.get('Location'), made.url).href;
          }
          async locate(signal) {
            const state = await fetch(this.url, { method: 'HEAD', headers: tus, signal });
            if (!state.ok) check(state.status, '');
            const offset = Number(state.headers.get('Upload-Offset'));
            if (offset > this.offset) this.failures = 0;
            this.offset = offset;
          }
          append(signal) {
            return new Promise((resolve, reject) => {
              const request = new XMLHttpRequest(), from = this.offset;
              request.open('PATCH', this.url);
              for (const name in tus) request.setRequestHeader(name, tus[name]);
              request.setRequestHeader('Content-Type', 'application/offset+octet-stream');
              request.setRequestHeader('Upload-Offset', from);
              request.upload.onprogress = event => this.moved(from + event.loaded);
              request.onload = () => {
                try {
                  if (request.status !== 204) check(request.status, request.responseText);
                  resolve();
                } catch (error) { reject(error); }
              };
              request.onerror = () => reject(new Error(words.broken));
              signal.addEventListener('abort', () => { request.abort(); reject(signal.reason); });
              request.send(this.file.slice(from));
            });
          }
          // The rate is that of the last five seconds.
          moved(bytes) {
            const now = performance.now();
            this.bar.value = bytes;
            this.samples = [...this.samples.filter(sample => now - sample.at < 5000), { at: now, bytes }];
            const first = this.samples[0], rate = 1000 * (bytes - first.bytes) / (now - first.at);
            const parts = [Math.floor(100 * bytes / this.bar.max) + ' %'];
            if (rate > 0) parts.push(short(rate) + '/s', say('left', span((this.file.size - bytes) / rate)));
            if (!this.stop.signal.aborted) this.text.textContent = parts.join(' · ');
          }
          rename() {
            const name = this.file.name, dot = name.lastIndexOf('.');
            const end = dot > 0 ? dot : name.length;
            this.name = `${name.slice(0, end)} (${++this.copies})${name.slice(end)}`;
            this.title.textContent = decodeURIComponent(this.folder) + this.name;
          }
          queue() { this.failures = 0; this.enter('waiting'); pump(); }
          pause() { this.stop.abort(); this.enter('paused', words.paused, 'resume', 'cancel'); }
          resume() { this.queue(); }
          again() { if (this.text.textContent.includes(words.gone)) this.url = this.offset = 0; this.queue(); }
          cancel() {
            this.stop?.abort();
            if (this.url) fetch(this.url, { method: 'DELETE', headers: tus }).catch(() => {});
            this.enter('cancelled');
          }
          skip() { this.enter('skipped'); }
          keepBoth() { this.keepsBoth = true; this.rename(); this.queue(); }
          // Only the version that is there now.
          async replace() {
            this.enter('waiting');
            this.state = 'asking';
            const found = await fetch(this.path, { method: 'HEAD', headers: accept }).catch(() => null);
            this.version = found?.ok ? found.headers.get('ETag') : null;
            if (this.state === 'asking') this.queue();
          }
        }

        function pump() {
          for (const next of uploads.filter(upload => upload.state === 'waiting').slice(0, 2 - running)) {
            running += 1;
            next.run().finally(() => { running -= 1; pump(); });
          }
        }
        // Of many changes at once, the last one.
        function overview() {
          clearTimeout(counting);
          counting = setTimeout(() => {
            const count = state => uploads.filter(upload => upload.state === state).length;
            const [stored, failed, taken] = ['stored', 'failed', 'taken'].map(count);
            const all = uploads.length - count('cancelled') - count('skipped');
            const text = say('summary', stored, all) + (failed ? ', ' + say('failures', failed) : '');
            if (uploads.length && status.textContent !== text) status.textContent = text;
            $('all').hidden = taken < 2;
            $('all').replaceChildren(say('forAll', taken), ...['replace', 'keepBoth', 'skip'].map(word =>
              button(word, '', () => {
                for (const upload of uploads.filter(upload => upload.state === 'taken')) upload[word]();
              })));
          }, 0);
        }
        function add(file, folder = '') {
          uploads.push(new Upload(file, main.dataset.folder ? folder : ''));
        }
        async function walk(entry, folder) {
          if (entry.isFile) return add(await new Promise((resolve, reject) => entry.file(resolve, reject)), folder);
          const reader = entry.createReader(), inside = folder + encodeURIComponent(entry.name) + '/';
          for (let more; (more = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length;) {
            for (const next of more) await walk(next, inside);
          }
        }

        function prepare() {
          const hidden = document.querySelectorAll('main [hidden]:not(#all):not(progress)');
          for (const element of hidden) element.hidden = false;
          for (const time of document.querySelectorAll('time')) {
            time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
          }
          document.querySelectorAll('th[data-sort]').forEach((head, column) => {
            const made = button('name', '', () => {
              order = { column, sign: order.column === column ? -order.sign : 1 };
              sort();
            });
            made.textContent = head.textContent;
            head.replaceChildren(made);
          });
          sort();
        }
        function sort() {
          const body = document.querySelector('tbody');
          if (!body) return;
          document.querySelectorAll('th[data-sort]').forEach((head, column) => head.setAttribute('aria-sort',
            column !== order.column ? 'none' : order.sign > 0 ? 'ascending' : 'descending'));
          const keys = [row => row.cells[0].textContent, row => parseInt(row.cells[1].title) || 0,
            row => row.querySelector('time').dateTime];
          const key = keys[order.column], isFile = row => row.cells[1].title !== '';
          const differ = order.column === 1 ? (one, other) => key(one) - key(other)
            : (one, other) => compare(key(one), key(other));
          body.append(...[...body.rows].sort((one, other) =>
            isFile(one) - isFile(other) || order.sign * differ(one, other)));
        }
        // Many files at once are one change.
        function refresh() {
          clearTimeout(refreshing);
          refreshing = setTimeout(async () => {
            const reply = await fetch(location.href, { headers: accept }).catch(() => null);
            if (!reply?.ok) return;
            const page = new DOMParser().parseFromString(await reply.text(), 'text/html'), list = $('list');
            const focused = list.contains(document.activeElement) && document.activeElement.getAttribute('href');
            list.replaceWith(page.getElementById('list'));
            prepare();
            if (focused) [...$('list').querySelectorAll('a')].find(a => a.getAttribute('href') === focused)?.focus();
          }, 200);
        }
        async function change(method, url) {
          try {
            const reply = await fetch(url, { method, headers: accept });
            status.textContent = reply.ok ? '' : reply.status === 401 ? words.logInAgain : await reply.text();
          } catch (error) { status.textContent = error.message; }
          refresh();
        }

        $('choose').addEventListener('change', event => {
          for (const file of event.target.files) add(file);
          event.target.value = '';
          pump();
        });
        $('choose-folder')?.addEventListener('change', event => {
          for (const file of event.target.files) {
            const names = file.webkitRelativePath.split('/').slice(0, -1);
            add(file, names.map(name => encodeURIComponent(name) + '/').join(''));
          }
          event.target.value = '';
          pump();
        });
        $('make')?.addEventListener('click', () => {
          const name = prompt(words.newFolderName)?.trim();
          if (name) change('MKCOL', here + encodeURIComponent(name) + '/');
        });
        document.addEventListener('click', event => {
          const row = event.target.closest('.delete')?.closest('tr'), link = row?.querySelector('a');
          if (!link) return;
          const question = row.cells[1].title ? 'deleteQuestion' : 'deleteFolderQuestion';
          if (confirm(say(question, link.textContent))) change('DELETE', link.href);
        });
        document.addEventListener('dragover', event => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          $('drop').classList.add('over');
        });
        document.addEventListener('dragleave', event => {
          if (!event.relatedTarget) $('drop').classList.remove('over');
        });
        document.addEventListener('drop', async event => {
          event.preventDefault();
          $('drop').classList.remove('over');
          const items = [...event.dataTransfer.items].filter(item => item.kind === 'file');
          // The items are gone after the first wait.
          const found = items.map(item => [item.webkitGetAsEntry?.(), item.getAsFile()]);
          for (const [entry, file] of found) {
            try {
              if (entry?.isDirectory) await walk(entry, ''); else if (file) add(file);
            } catch (error) { status.textContent = error.message; }
            pump();
          }
        });
        addEventListener('beforeunload', event => {
          if (uploads.some(upload => ['waiting', 'running', 'paused'].includes(upload.state))) event.preventDefault();
        });
        prepare();
        """
}
