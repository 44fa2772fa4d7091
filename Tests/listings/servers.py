# SPDX-License-Identifier: MIT
"""Servers that list folders, and a tree of odd names for them."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "uploads"))
from programs import APACHE_MODULES, AS_ANOTHER, program  # noqa: E402
from relay import HOST, Server  # noqa: E402

# 2024-05-06 07:08:09 UTC.
MODIFIED = 1714979289
FILES = [
    "plain.txt", "two words.txt", "写真 夏.jpg", "100%.txt", "%41.txt", "a&b.txt", "a&amp;b.txt", "<b>.html", 'quo"te.txt',
    "apo'strophe.txt", "hash#tag.txt", "que?ry.txt", "plus+sign.txt", "semi;colon.txt", "colon:name.txt", "star*.txt",
    "back\\slash.txt", "[bracket].txt", "{brace}.txt", "tilde~.txt", "at@sign.txt", "eq=ual,comma.txt", "caret^.txt",
    "é-composed.txt", "e\u0301-decomposed.txt", "😀.png", "file2.txt", "file10.txt", "$dollar.txt", "(paren)!.txt", "a|b`c.txt",
    "-dash.txt", "long-" + "x" * 195 + ".bin", "日" * 70 + ".txt", "..dots", "...", "C=N;O=D.txt", "README.txt", "HEADER.txt",
]
HIDDEN = [".hidden"]
FOLDERS = ["folder", "写真", "a b&c", "100%", "colon:folder"]
SIZES = [0, 1, 999, 1024, 10_000, 123_456]


def make_tree(root, with_hidden=True):
    """The files and folders below ``root``, as paths from it with their sizes; ``None`` for a folder."""
    root = pathlib.Path(root)
    root.mkdir(parents=True, exist_ok=True)
    tree = {}

    def add(folder, names):
        for number, name in enumerate(names):
            size = SIZES[number % len(SIZES)]
            path = folder / name
            path.write_bytes(b"x" * size)
            os.utime(path, (MODIFIED, MODIFIED))
            tree[str(path.relative_to(root))] = size

    add(root, FILES + (HIDDEN if with_hidden else []))
    for name in FOLDERS:
        (root / name).mkdir()
        tree[name + "/"] = None
        add(root / name, ["plain.txt", "写真 夏.jpg", "100%.txt"])
        inner = root / name / "in & out"
        inner.mkdir()
        tree[f"{name}/in & out/"] = None
        add(inner, ["deep.txt"])
    (root / "empty").mkdir()
    tree["empty/"] = None
    for folder, _, _ in os.walk(root, topdown=False):
        os.utime(folder, (MODIFIED, MODIFIED))
    return tree


class Listed:
    """A server of a folder: ``kind`` is the name of a method, and what its configuration depends on."""

    def __init__(self, kind, served, work, log, tools):
        """``work``: a folder of its own; ``tools``: ``fileq``, and the folder of a Python environment by the name of
        what it has."""
        self.kind, self.served, self.work, self.tools = kind, served, pathlib.Path(work), tools
        self.work.mkdir(parents=True, exist_ok=True)
        self.path = "/"
        self.configuration = self.work / "configuration.json"
        make = getattr(self, kind.split()[0])
        words, text = make(*kind.split()[1:])
        configure = (lambda port: self.configuration.write_text(text.replace("PORT", str(port)))) if text else None
        self.server = Server(words, log, {"HOME": str(self.work), "TZ": "UTC"}, configure)

    @property
    def url(self):
        return f"http://{HOST}:{self.server.port}{self.path}"

    def stop(self):
        self.server.stop()

    def nginx(self, *style):
        lines = {
            (): "autoindex on;", ("rounded",): "autoindex on;\nautoindex_exact_size off;",
            ("json",): "autoindex on;\nautoindex_format json;",
            ("dav",): "dav_methods PUT;\ndav_ext_methods PROPFIND OPTIONS;",
        }[style]
        module = "load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;\n" if style == ("dav",) else ""
        temporary = "".join(
            f"{kind}_temp_path {self.work}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        return [program("nginx"), "-c", str(self.configuration), "-p", str(self.work)], (
            f"{module}{user}daemon off;\nmaster_process off;\nerror_log stderr;\npid {self.work}/pid;\nevents {{}}\nhttp {{\n"
            f"access_log off;\n{temporary}charset utf-8;\nserver {{\nlisten {HOST}:PORT;\nlocation / {{\nroot {self.served};\n"
            f"index none;\n{lines}\n}}\n}}\n}}\n")

    def apache2(self, style):
        names = ["mpm_event", "authz_core", "dir"] + (["dav", "dav_fs"] if style == "dav" else ["autoindex"])
        modules = "".join(f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so\n" for name in names)
        options = {
            "list": "", "fancy": "IndexOptions FancyIndexing",
            "table": "IndexOptions FancyIndexing HTMLTable NameWidth=*",
            "dav": "Dav On",
        }[style]
        text = (
            f"ServerRoot {self.work}\nServerName {HOST}\nListen {HOST}:PORT\nPidFile pid\nDefaultRuntimeDir {self.work}\n"
            f"ErrorLog /dev/stderr\n{modules}DocumentRoot {self.served}\n"
            + (f"DavLockDB {self.work}/locks\n" if style == "dav" else "")
            + f"<Directory {self.served}>\nOptions Indexes\nDirectoryIndex disabled\n"
            + ("" if style == "dav" else "IndexOptions Charset=UTF-8\n")
            + f"{options}\nRequire all granted\n</Directory>\n")
        return (AS_ANOTHER if os.geteuid() == 0 else []) + [program("apache2"), "-X", "-f", str(self.configuration)], text

    def lighttpd(self):
        return [program("lighttpd"), "-D", "-f", str(self.configuration)], (
            f'server.document-root = "{self.served}"\nserver.bind = "{HOST}"\nserver.port = PORT\n'
            'server.modules = ("mod_dirlisting")\ndir-listing.activate = "enable"\ndir-listing.encoding = "utf-8"\n'
            'dir-listing.hide-dotfiles = "disable"\n')

    def caddy(self):
        return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(self.configuration)], (
            f"{{\nadmin off\nauto_https off\nstorage file_system {self.work}/storage\n}}\n"
            f"http://{HOST}:PORT {{\nroot * {self.served}\nfile_server browse\n}}\n")

    def python(self):
        return [sys.executable, "-m", "http.server", "PORT", "--bind", HOST, "--directory", str(self.served)], None

    def h2o(self):
        return [program("h2o"), "-c", str(self.configuration)], (
            f'user: {"root" if os.geteuid() == 0 else os.environ.get("USER", "nobody")}\nlisten:\n  host: {HOST}\n  port: PORT\n'
            f'hosts:\n  default:\n    paths:\n      /:\n        file.dir: {self.served}\n        file.dirlisting: ON\n')

    def fileq(self):
        return [self.tools["fileq"], "serve", str(self.served), "--port", "PORT", "--hidden"], None

    def copyparty(self):
        return [
            f"{self.tools['places']}/bin/copyparty", "-i", HOST, "-p", "PORT", "-v", f"{self.served}::r", "--no-thumb",
            "--no-crt", "-ed", "--hist", str(self.work)], None

    def wsgidav(self, style="pages"):
        text = json.dumps({
            "host": HOST, "port": "PORT", "server": "cheroot", "provider_mapping": {"/": str(self.served)},
            "simple_dc": {"user_mapping": {"*": True}}, "dir_browser": {"enable": style == "pages"},
            "logging": {"enable": False}})
        return [f"{self.tools['places']}/bin/wsgidav", "--config", str(self.configuration)], text.replace('"PORT"', "PORT")

    def rclone(self, kind):
        return [f"{self.tools['places']}/bin/rclone", "serve", kind, str(self.served), "--addr", f"{HOST}:PORT"], None
