# SPDX-License-Identifier: MIT
"""A server of files: /small has 100,000 bytes, /slow a byte and the others once it is let go, /none is not there."""

import http.server
import threading

SIZE = 100_000


class Files(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.startswith("/none"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(SIZE))
        self.send_header("ETag", '"1"')
        self.end_headers()
        if self.path.startswith("/slow"):
            self.wfile.write(bytes(1))
            self.wfile.flush()
            self.server.held.wait(60)
            self.wfile.write(bytes(SIZE - 1))
            return
        self.wfile.write(bytes(SIZE))

    do_HEAD = do_GET

    def log_message(self, *words):
        pass


def serve():
    """The server and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    server.held = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"
