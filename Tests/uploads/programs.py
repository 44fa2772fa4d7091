# SPDX-License-Identifier: MIT
"""Servers with a configuration of their own: reverse proxies, and stores of plain PUT."""
import os
import shutil
import subprocess

from relay import HOST, Server

APACHE_MODULES = "/usr/lib/apache2/modules"
# Apache refuses to serve as root; its name for root has no other powers.
AS_ANOTHER = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]


def program(name):
    """Where it is; ``None`` where it is not installed."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")


def is_usable(kind):
    """Of a ``Program``."""
    if not program(kind.split()[0]):
        return False
    if kind != "apache2" or os.geteuid() != 0:
        return True
    return bool(program("unshare")) and subprocess.run([*AS_ANOTHER, "true"], stderr=subprocess.DEVNULL).returncode == 0


class Program(Server):
    """Of the kind ``nginx``, ``haproxy`` or ``caddy`` forwards requests to the port ``target`` as they come; of the kind ``nginx dav`` or
    ``apache2`` stores files in the folder ``target``. Its own files are in ``folder``."""

    def __init__(self, kind, folder, target, log):
        folder.mkdir()
        self.folder, file = folder, folder / "configuration"
        configuration = getattr(self, kind.replace(" ", "_"))
        super().__init__(
            self.words(kind, str(file)), log, {"HOME": str(folder)},
            configure=lambda port: file.write_text(configuration(port, target)))

    def words(self, kind, file):
        words = [program(kind.split()[0])]
        if kind == "caddy":
            return words + ["run", "--adapter", "caddyfile", "--config", file]
        if kind == "haproxy":
            return words + ["-f", file]
        if kind == "apache2":
            # In one process, which may be killed.
            return (AS_ANOTHER if os.geteuid() == 0 else []) + words + ["-X", "-f", file]
        return words + ["-c", file, "-p", str(self.folder)]

    def nginx(self, port, target):
        return self.nginx_with(
            port, f"proxy_pass http://{HOST}:{target};\nproxy_http_version 1.1;\nproxy_request_buffering off;\n"
            "proxy_set_header Host $http_host;\n")

    def nginx_dav(self, port, target):
        return self.nginx_with(port, f"root {target};\ndav_methods PUT;\ncreate_full_put_path on;\n")

    def nginx_with(self, port, location):
        folders = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        return (
            f"{user}daemon off;\nmaster_process off;\nerror_log stderr;\npid {self.folder}/pid;\nevents {{}}\nhttp {{\n"
            f"access_log off;\n{folders}client_max_body_size 0;\nserver {{\nlisten {HOST}:{port};\nlocation / {{\n"
            f"{location}}}\n}}\n}}\n")

    def haproxy(self, port, target):
        return (
            "defaults\n mode http\n timeout connect 5s\n timeout client 60s\n timeout server 60s\n"
            f"frontend front\n bind {HOST}:{port}\n default_backend back\nbackend back\n server one {HOST}:{target}\n")

    def caddy(self, port, target):
        return (
            f"{{\nadmin off\nauto_https off\nstorage file_system {self.folder}/storage\n}}\n"
            f"http://{HOST}:{port} {{\nreverse_proxy {HOST}:{target}\n}}\n")

    def apache2(self, port, target):
        modules = "".join(
            f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so\n" for name in ("mpm_event", "authz_core", "dav", "dav_fs"))
        return (
            f"ServerRoot {self.folder}\nServerName {HOST}\nListen {HOST}:{port}\nPidFile pid\nDefaultRuntimeDir {self.folder}\n"
            f"ErrorLog /dev/stderr\n{modules}DavLockDB {self.folder}/locks\nDocumentRoot {target}\n"
            f"<Directory {target}>\nDav On\nRequire all granted\n</Directory>\n")
