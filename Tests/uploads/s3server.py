# SPDX-License-Identifier: MIT
"""moto, a store of S3's protocol from PyPI: s3server.py FOLDER PORT serves a bucket of the name "bucket", in memory.

In front of moto is what it leaves out: requests must be signed, as botocore does it, and content must have the SHA-256 that
was signed. GET /-/report has the objects, the uploads that were not completed, and the parts that were sent again by a
client that had seen them listed.
"""
import datetime
import hashlib
import io
import json
import os
import re
import sys
import threading
import urllib.parse
import urllib.request

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

ACCESS, SECRET, REGION = "AKIDOFATEST", "planted+secret/key", "eu-test-1"
port = int(sys.argv[2])


def signature(environ, fields, target):
    """What botocore makes of the same request."""
    stated = dict(part.split("=", 1) for part in fields["authorization"].split(" ", 1)[1].split(", "))
    names = stated["SignedHeaders"].split(";")
    request = AWSRequest(
        method=environ["REQUEST_METHOD"], url=f"http://{fields['host']}{target}",
        headers={name: fields[name] for name in names if name != "host"})
    request.context["timestamp"] = fields["x-amz-date"]
    signer = S3SigV4Auth(Credentials(ACCESS, SECRET), "s3", REGION)
    made = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
    now = datetime.datetime.now(datetime.timezone.utc)
    then = datetime.datetime.strptime(fields["x-amz-date"], "%Y%m%dT%H%M%S%z")
    required = {"host", "x-amz-content-sha256", "x-amz-date"} | {name for name in fields if name.startswith("x-amz-")}
    return made == stated["Signature"] and required <= set(names) and abs((now - then).total_seconds()) < 900


class Gate:
    def __init__(self, application):
        self.application = application
        self.lock = threading.Lock()
        self.listed, self.twice, self.requests = set(), [], []

    def __call__(self, environ, start):
        target = environ.get("RAW_URI") or environ["REQUEST_URI"]
        fields = {
            name[5:].lower().replace("_", "-"): value.encode("latin-1").decode("utf-8", "replace")
            for name, value in environ.items() if name.startswith("HTTP_")}
        if environ.get("CONTENT_TYPE"):
            fields["content-type"] = environ["CONTENT_TYPE"]
        query = dict(urllib.parse.parse_qsl(target.partition("?")[2], keep_blank_values=True))
        # Before the content: that of a client that was killed comes late, and parts were listed meanwhile.
        with self.lock:
            known = (query.get("uploadId"), query.get("partNumber")) in self.listed
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length)
        if len(body) != length:
            return self.refuse(start, "400 Bad Request", "IncompleteBody")
        if target == "/-/report":
            return self.report(start)
        if "authorization" not in fields or not signature(environ, fields, target):
            return self.refuse(start, "403 Forbidden", "SignatureDoesNotMatch")
        if hashlib.sha256(body).hexdigest() != fields["x-amz-content-sha256"]:
            return self.refuse(start, "400 Bad Request", "XAmzContentSHA256Mismatch")
        environ["wsgi.input"] = io.BytesIO(body)
        seen = []

        def begin(status, headers, *more):
            seen.append(status)
            return start(status, headers, *more)

        answer = b"".join(self.application(environ, begin))
        with self.lock:
            self.requests.append(f"{environ['REQUEST_METHOD']} {target} {seen[0]}")
            if environ["REQUEST_METHOD"] == "GET" and "uploadId" in query:
                numbers = re.findall(rb"<PartNumber>(\d+)</PartNumber>", answer)
                self.listed |= {(query["uploadId"], number.decode()) for number in numbers}
            if environ["REQUEST_METHOD"] == "PUT" and "partNumber" in query and seen[0].startswith("200"):
                if known:
                    self.twice.append(query["partNumber"])
        return [answer]

    @staticmethod
    def refuse(start, status, code):
        body = f"<Error><Code>{code}</Code><Message>said the gate</Message></Error>".encode()
        start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body]

    def report(self, start):
        from moto.s3.models import s3_backends

        bucket = s3_backends["123456789012"]["aws"].buckets["bucket"]
        objects = {
            name: {"sha256": hashlib.sha256(key.value).hexdigest(), "etag": key.etag} for name, key in bucket.keys.items()}
        with self.lock:
            body = json.dumps({
                "objects": objects, "unfinished": len(bucket.multiparts), "twice": self.twice,
                "requests": self.requests}).encode()
        start("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]


os.environ.setdefault("MOTO_S3_CUSTOM_ENDPOINTS", f"http://127.0.0.1:{port}")
WSGIRequestHandler.protocol_version = "HTTP/1.1"
application = DomainDispatcherApplication(create_backend_app)
server = make_server("127.0.0.1", port, Gate(application), threaded=True)


def make_bucket():
    from moto.s3.models import s3_backends

    s3_backends["123456789012"]["aws"].create_bucket("bucket", REGION)


make_bucket()
server.serve_forever()
