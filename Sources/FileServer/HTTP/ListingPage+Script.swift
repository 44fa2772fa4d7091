// SPDX-License-Identifier: MIT

extension ListingPage {
    /// Uploads to the page's own address with tus: creation, then one PATCH at a time, from the offset that the server
    /// confirms. A broken connection is tried again.
    static let script = """
        'use strict';
        const list = document.getElementById('uploads'), drop = document.getElementById('drop');
        const headers = { 'Tus-Resumable': '1.0.0' };
        for (const time of document.querySelectorAll('time')) {
          time.textContent = new Date(time.dateTime).toLocaleString();
        }
        function base64(text) {
          let bytes = '';
          for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
          return btoa(bytes);
        }
        function send(url, file, offset, report) {
          return new Promise((resolve, reject) => {
            const request = new XMLHttpRequest();
            request.open('PATCH', url);
            for (const name in headers) request.setRequestHeader(name, headers[name]);
            request.setRequestHeader('Content-Type', 'application/offset+octet-stream');
            request.setRequestHeader('Upload-Offset', offset);
            request.upload.onprogress = event => report(offset + event.loaded);
            request.onload = () => resolve({ status: request.status, text: request.responseText });
            request.onerror = () => reject(new Error('The connection broke.'));
            request.send(file.slice(offset));
          });
        }
        async function upload(file, report) {
          try { await file.slice(0, 1).arrayBuffer(); } catch { throw new Error('It cannot be read.'); }
          const metadata = 'filename ' + base64(file.name);
          const made = await fetch(location.pathname, { method: 'POST', headers: {
            ...headers, 'Upload-Length': file.size, 'Upload-Metadata': metadata } });
          if (made.status !== 201) throw new Error(await made.text());
          const url = made.headers.get('Location');
          let offset = 0, failures = 0;
          while (offset < file.size) {
            try {
              const answer = await send(url, file, offset, report);
              if (answer.status === 204) return;
              if (answer.status < 500 && answer.status !== 409 && answer.status !== 423 && answer.status !== 408) {
                failures = 8;
                throw new Error(answer.text);
              }
            } catch (error) {
              if (failures >= 8) throw error;
            }
            await new Promise(resolve => setTimeout(resolve, Math.min(30000, 500 * 2 ** failures)));
            failures += 1;
            try {
              const state = await fetch(url, { method: 'HEAD', headers });
              if (state.status === 404 || state.status === 410) throw new Error('The upload has ended.');
              const known = Number(state.headers.get('Upload-Offset'));
              if (state.ok && known > offset) failures = 0;
              if (state.ok) offset = known;
            } catch (error) {
              if (failures > 8) throw error;
            }
          }
        }
        async function add(files, folders = []) {
          let failed = folders.length;
          for (const folder of folders) {
            const item = document.createElement('li'), name = document.createElement('bdi');
            name.textContent = folder;
            item.append(name, 'failed: folders cannot be uploaded here');
            list.append(item);
          }
          for (const file of files) {
            const item = document.createElement('li'), name = document.createElement('bdi');
            const bar = document.createElement('progress'), text = document.createElement('span');
            name.textContent = file.name;
            bar.max = Math.max(1, file.size);
            bar.value = 0;
            bar.setAttribute('aria-label', file.name);
            item.append(name, bar, text);
            list.append(item);
            try {
              await upload(file, bytes => {
                bar.value = bytes;
                text.textContent = Math.floor(100 * bytes / bar.max) + ' %';
              });
              bar.value = bar.max;
              text.textContent = 'stored';
            } catch (error) {
              failed += 1;
              text.textContent = 'failed: ' + error.message;
            }
          }
          if (failed === 0) location.reload();
        }
        document.getElementById('choose').addEventListener('change', event => add([...event.target.files]));
        drop.addEventListener('dragover', event => { event.preventDefault(); drop.classList.add('over'); });
        drop.addEventListener('dragleave', () => drop.classList.remove('over'));
        drop.addEventListener('drop', event => {
          event.preventDefault();
          drop.classList.remove('over');
          const files = [], folders = [];
          for (const item of event.dataTransfer.items) {
            if (item.kind !== 'file') continue;
            const entry = item.webkitGetAsEntry ? item.webkitGetAsEntry() : null;
            if (entry && entry.isDirectory) folders.push(entry.name); else files.push(item.getAsFile());
          }
          add(files, folders);
        });
        """
}
