# SPDX-License-Identifier: MIT
"""nginx and `fileq serve` over the same files, plain and with TLS, on free ports of this machine."""

import os
import re
import socket
import time

from processes import Failure

NGINX = """\
daemon off;
master_process off;
worker_processes 1;
pid "{work}/nginx/pid";
error_log "{work}/nginx/error.log" warn;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  client_body_temp_path "{work}/nginx/body";
  proxy_temp_path "{work}/nginx/proxy";
  fastcgi_temp_path "{work}/nginx/fastcgi";
  uwsgi_temp_path "{work}/nginx/uwsgi";
  scgi_temp_path "{work}/nginx/scgi";
  server {{
    listen 127.0.0.1:{plain};
    listen 127.0.0.1:{tls} ssl;
    ssl_certificate "{work}/cert.pem";
    ssl_certificate_key "{work}/key.pem";
    root "{root}";
    location / {{ dav_methods PUT; }}
  }}
}}
"""


class Servers:
    """After `start`: `sites[server][scheme]` is the server's address, and its folder."""

    def __init__(self, processes, tools, material):
        self.processes, self.tools, self.material = processes, tools, material
        self.sites = {"nginx": {}, "fileq serve": {}}
        # Of the processes, in the same order.
        self.pids = {"nginx": {}, "fileq serve": {}}
        self.certificate = material.path("cert.pem")
        self.key = material.path("key.pem")

    def start(self):
        self.start_nginx()
        self.start_serve("http")
        self.start_serve("https", ["--tls-cert", self.certificate, "--tls-key", self.key])

    def start_nginx(self):
        self._make_certificate()
        self._start_nginx()

    def _make_certificate(self):
        self.processes.output([
            self.tools["openssl"], "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", self.key, "-out", self.certificate])

    def _start_nginx(self):
        os.mkdir(self.material.path("nginx"))
        root = self.material.create_root("nginx-root")
        configuration = self.material.path("nginx", "nginx.conf")
        argv = [self.tools["nginx"], "-p", self.material.path("nginx"), "-c", configuration]
        # nginx cannot pick a port itself; another process may take a free one first, so there are several attempts.
        for _ in range(5):
            plain, tls = free_ports(2)
            with open(configuration, "w", encoding="utf-8") as file:
                file.write(NGINX.format(work=self.material.work, root=root, plain=plain, tls=tls))
            pid = self.processes.start(argv)
            if self._wait(pid, lambda: accepts(plain) and accepts(tls)):
                self.sites["nginx"] = {"http": (f"http://127.0.0.1:{plain}", root),
                                       "https": (f"https://127.0.0.1:{tls}", root)}
                self.pids["nginx"] = {"http": pid, "https": pid}
                return
        raise Failure(f"nginx does not start: {self.processes.complaint(argv)}")

    def start_serve(self, scheme, options=()):
        """Of another `scheme`, a further server without other uses: its folder must not exist yet."""
        root = self.material.create_root(f"serve-{scheme}-root")
        first_line = self.material.path(f"serve-{scheme}")
        argv = [self.tools["fileq"], "serve", root, "--port", "0", *options]
        pid = self.processes.start(argv, output=first_line)
        self.pids["fileq serve"][scheme] = pid

        def listening():
            if not os.path.exists(first_line):
                return False
            with open(first_line, encoding="utf-8") as file:
                found = re.match(r"listening on (\S+)\n", file.read())
            if found:
                self.sites["fileq serve"][scheme] = (found.group(1), root)
            return bool(found)

        if not self._wait(pid, listening):
            raise Failure(f"fileq serve does not start: {self.processes.complaint(argv)}")

    def _wait(self, pid, ready):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.processes.has_ended(pid):
                return False
            if ready():
                return True
            time.sleep(0.02)
        return False


def free_ports(count):
    listeners = [socket.socket() for _ in range(count)]
    for listener in listeners:
        listener.bind(("127.0.0.1", 0))
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
