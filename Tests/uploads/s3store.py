#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A store of S3's multipart uploads that survives kill -9 and power cuts: s3store.py FOLDER PORT, at loopback.

It needs Python's standard library alone, and has what an upload in parts takes; a key begins with the bucket. Requests must be
signed with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment. A part is synced, and has its name, before it is
acknowledged:

    open/UPLOAD/key               of the object; an upload without it was never acknowledged
    open/UPLOAD/00001-MD5-SHA256  a part; 1.NUMBER.tmp while it arrives
    complete/UPLOAD/key           of the upload that was renamed to here, in one step, when it was completed
    complete/UPLOAD/object        its bytes; answer: its entity tag and checksum

What has no name yet is dropped at the start, as a power cut would do. An object that is uploaded again is a second folder.
"""
import base64
import hashlib
import hmac
import http.server
import itertools
import os
import pathlib
import re
import secrets
import shutil
import sys
import threading
import urllib.parse

ACCESS, SECRET = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
SMALLEST_PART = 5 << 20
PAGE = 4  # parts of one page of a list
PIECE = 1 << 18
root = pathlib.Path(sys.argv[1])
opened, complete = root / "open", root / "complete"
lock = threading.Lock()  # of the names in both folders
numbers = itertools.count()


def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def recover():
    for folder in (opened, complete):
        folder.mkdir(parents=True, exist_ok=True)
        for upload in folder.iterdir():
            if not (upload / "key").exists():
                shutil.rmtree(upload)
                continue
            for path in upload.iterdir():
                is_rest = folder is complete and Part.is_name(path.name) or folder is opened and path.name == "object"
                if is_rest or path.suffix == ".tmp":
                    path.unlink()
    sync(root)


class Failure(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class Part:
    """One that is stored."""

    def __init__(self, path):
        number, md5, sha256 = path.name.split("-")
        self.path, self.number, self.size = path, int(number), path.stat().st_size
        self.md5, self.sha256 = bytes.fromhex(md5), bytes.fromhex(sha256)
        self.tag = f'"{md5}"'

    @staticmethod
    def is_name(name):
        return re.fullmatch("[0-9]{5}-[0-9a-f]{32}-[0-9a-f]{64}", name) is not None


def parts_of(upload):
    """In their order. Of two with the same number, the second replaces the first."""
    paths = [path for path in upload.iterdir() if Part.is_name(path.name)]
    found = {}
    for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns):
        part = Part(path)
        found[part.number] = part
    return [found[number] for number in sorted(found)]


def whole(parts):
    """Entity tag and checksum of an object of these parts."""
    tag = hashlib.md5(b"".join(part.md5 for part in parts)).hexdigest()
    digest = hashlib.sha256(b"".join(part.sha256 for part in parts)).digest()
    return f'"{tag}-{len(parts)}"', f"{base64.b64encode(digest).decode()}-{len(parts)}"


def signature(method, target, fields, names, date, scope):
    """AWS Signature Version 4."""
    path, _, query = target.partition("?")
    pairs = sorted(
        (urllib.parse.quote(name, safe=""), urllib.parse.quote(value, safe=""))
        for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True))
    lines = [method, urllib.parse.quote(urllib.parse.unquote(path)), "&".join(f"{name}={value}" for name, value in pairs)]
    lines += [f"{name}:{' '.join(fields[name].split())}" for name in names]
    lines += ["", ";".join(names), fields["x-amz-content-sha256"]]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    key = ("AWS4" + SECRET).encode()
    for word in scope.split("/"):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, digest])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rest = 0  # bytes of content that were not read

    def log_message(self, form, *words):
        print(form % words, file=sys.stderr, flush=True)

    def answer(self, status, fields=(), body=b"", length=None):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if self.rest:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def pieces(self):
        while self.rest:
            piece = self.rfile.read(min(self.rest, PIECE))
            if not piece:
                self.close_connection = True
                raise ConnectionError("the content broke off")
            self.rest -= len(piece)
            yield piece

    def handle_any(self):
        self.rest = int(self.headers.get("Content-Length") or 0)
        try:
            try:
                self.check_signature()
                address = urllib.parse.urlsplit(self.path)
                self.key = urllib.parse.unquote(address.path).lstrip("/")
                self.query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
                self.handle_signed()
            except FileNotFoundError:
                # Completed or aborted meanwhile.
                self.refuse(Failure(404, "NoSuchUpload"))
            except Failure as failure:
                self.refuse(failure)
        except ConnectionError:
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any

    def check_signature(self):
        fields = {name.lower(): value for name, value in self.headers.items()}
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})",
            fields.get("authorization", ""))
        if not found or found[1] != ACCESS:
            raise Failure(403, "InvalidAccessKeyId")
        names = found[3].split(";")
        required = {"host", "x-amz-content-sha256", "x-amz-date"} | {name for name in fields if name.startswith("x-amz-")}
        if not required <= set(names) or not required | set(names) <= set(fields):
            raise Failure(403, "AccessDenied")
        if found[4] != signature(self.command, self.path, fields, names, fields["x-amz-date"], found[2]):
            raise Failure(403, "SignatureDoesNotMatch")

    def handle_signed(self):
        match self.command:
            case "POST" if "uploads" in self.query:
                self.create()
            case "PUT" if "partNumber" in self.query:
                self.receive(self.upload(), int(self.query["partNumber"]))
            case "GET" if "uploadId" in self.query:
                self.list(self.upload())
            case "POST" if "uploadId" in self.query:
                self.complete(self.upload())
            case "DELETE" if "uploadId" in self.query:
                self.abort(self.upload())
            case "HEAD" if not self.query:
                self.look()
            case _:
                raise Failure(501, "NotImplemented")

    def upload(self):
        folder = opened / self.query["uploadId"]
        if not re.fullmatch("[0-9a-f]{32}", folder.name) or not folder.is_dir() or (folder / "key").read_text() != self.key:
            raise Failure(404, "NoSuchUpload")
        return folder

    def content(self):
        body = b"".join(self.pieces())
        if hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]:
            raise Failure(400, "XAmzContentSHA256Mismatch")
        return body

    # Requests

    def create(self):
        self.content()
        folder = opened / secrets.token_hex(16)
        folder.mkdir()
        write(folder / "key.tmp", self.key.encode())
        os.rename(folder / "key.tmp", folder / "key")
        sync(folder)
        sync(opened)
        self.answer_text(
            f"<InitiateMultipartUploadResult><UploadId>{folder.name}</UploadId></InitiateMultipartUploadResult>")

    def receive(self, folder, number):
        temporary = folder / f"{number}.{next(numbers)}.tmp"
        sha256, md5 = hashlib.sha256(), hashlib.md5()
        try:
            with open(temporary, "wb") as file:
                for piece in self.pieces():
                    sha256.update(piece)
                    md5.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            checksum = base64.b64encode(sha256.digest()).decode()
            if sha256.hexdigest() != self.headers["x-amz-content-sha256"]:
                raise Failure(400, "XAmzContentSHA256Mismatch")
            if self.headers.get("x-amz-checksum-sha256", checksum) != checksum:
                raise Failure(400, "BadDigest")
            with lock:
                os.rename(temporary, folder / f"{number:05}-{md5.hexdigest()}-{sha256.hexdigest()}")
                sync(folder)
        finally:
            temporary.unlink(missing_ok=True)
        self.answer(200, [("ETag", f'"{md5.hexdigest()}"'), ("x-amz-checksum-sha256", checksum)])

    def list(self, folder):
        after = int(self.query.get("part-number-marker", "0"))
        with lock:
            rest = [part for part in parts_of(folder) if part.number > after]
        page = rest[:PAGE]
        text = f"<IsTruncated>{'true' if len(rest) > PAGE else 'false'}</IsTruncated>"
        if page:
            text += f"<NextPartNumberMarker>{page[-1].number}</NextPartNumberMarker>"
        for part in page:
            text += (
                f"<Part><PartNumber>{part.number}</PartNumber><ETag>{part.tag}</ETag><Size>{part.size}</Size>"
                f"<ChecksumSHA256>{base64.b64encode(part.sha256).decode()}</ChecksumSHA256></Part>")
        self.answer_text(f"<ListPartsResult>{text}</ListPartsResult>")

    def complete(self, folder):
        wanted = [
            (int(re.search("<PartNumber>(.+?)</PartNumber>", part)[1]),
             re.search("<ETag>(.+?)</ETag>", part)[1].replace("&quot;", '"'))
            for part in re.findall("<Part>(.+?)</Part>", self.content().decode())]
        with lock:
            if not folder.is_dir():
                raise Failure(404, "NoSuchUpload")
            parts = parts_of(folder)
            if not wanted or wanted != [(part.number, part.tag) for part in parts]:
                raise Failure(400, "InvalidPart")
            if any(part.size < SMALLEST_PART for part in parts[:-1]):
                raise Failure(400, "EntityTooSmall")
            tag, checksum = whole(parts)
            with open(folder / "object", "wb") as file:
                for part in parts:
                    with open(part.path, "rb") as source:
                        shutil.copyfileobj(source, file, PIECE)
                file.flush()
                os.fsync(file.fileno())
            write(folder / "answer", f"{tag} {checksum}".encode())
            sync(folder)
            place = complete / folder.name
            os.rename(folder, place)
            sync(complete)
            sync(opened)
            for path in place.iterdir():
                if Part.is_name(path.name):
                    path.unlink()
        self.answer_text(
            f"<CompleteMultipartUploadResult><ETag>{tag}</ETag><ChecksumSHA256>{checksum}</ChecksumSHA256>"
            "</CompleteMultipartUploadResult>")

    def abort(self, folder):
        with lock:
            shutil.rmtree(folder, ignore_errors=True)
        self.answer(204)

    def look(self):
        with lock:
            found = [folder for folder in complete.iterdir() if (folder / "key").read_text() == self.key]
        if not found:
            return self.answer(404)
        newest = max(found, key=lambda folder: folder.stat().st_mtime)
        tag, checksum = (newest / "answer").read_text().split()
        self.answer(
            200, [("ETag", tag), ("x-amz-checksum-sha256", checksum)], length=(newest / "object").stat().st_size)

    def answer_text(self, text, status=200):
        self.answer(status, [("Content-Type", "application/xml")], text.encode())

    def refuse(self, failure):
        text = f"<Error><Code>{failure.code}</Code><Message>of the store of the tests</Message></Error>"
        self.answer_text(text, failure.status)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64


recover()
Server(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
