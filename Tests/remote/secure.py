# SPDX-License-Identifier: MIT
"""Clients of fileq's remote control over TLS: secure.py URL SECRET CERTIFICATE.

The certificate, for 127.0.0.1 and localhost, is the only one that they trust.
"""

import base64
import http.client
import json
import os
import socket
import ssl
import sys
import warnings
from urllib.parse import urlsplit

URL, SECRET, CERTIFICATE = sys.argv[1:4]
PARTS = urlsplit(URL)
ADDRESS = (PARTS.hostname, PARTS.port)
CALL = json.dumps({"id": 1, "method": "aria2.getVersion", "params": ["token:" + SECRET]})


def trusting():
    return ssl.create_default_context(cafile=CERTIFICATE)


def post(context):
    connection = http.client.HTTPSConnection(*ADDRESS, context=context, timeout=30)
    connection.request("POST", PARTS.path, CALL, {"Content-Type": "application/json"})
    response = connection.getresponse()
    assert response.status == 200 and json.load(response)["result"]["version"] == "1.37.0"
    return connection.sock


def refused(context, name, error):
    try:
        with socket.create_connection(ADDRESS, 30) as plain, context.wrap_socket(plain, server_hostname=name) as secure:
            raise SystemExit(f"{secure.version()} with the name {name} was accepted")
    except error:
        pass


def handshake():
    assert PARTS.scheme == "https", URL
    context = trusting()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(ADDRESS, 30) as plain, context.wrap_socket(plain, server_hostname=ADDRESS[0]) as secure:
        assert secure.version() == "TLSv1.3" and secure.selected_alpn_protocol() == "http/1.1", secure.version()
    older = trusting()
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    post(trusting())
    post(older)
    refused(ssl.create_default_context(), ADDRESS[0], ssl.SSLCertVerificationError)
    refused(trusting(), "other.example.org", ssl.SSLCertVerificationError)
    warnings.simplefilter("ignore", DeprecationWarning)
    oldest = trusting()
    oldest.set_ciphers("DEFAULT@SECLEVEL=0")
    oldest.minimum_version = oldest.maximum_version = ssl.TLSVersion.TLSv1_1
    refused(oldest, ADDRESS[0], (ssl.SSLError, ConnectionError))
    print("handshake ok")


def without():
    """No request is read that is not encrypted."""
    with socket.create_connection(ADDRESS, 30) as plain:
        plain.sendall(f"POST {PARTS.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(CALL)}\r\n\r\n{CALL}".encode())
        received = b""
        try:
            while piece := plain.recv(4096):
                received += piece
        except ConnectionError:
            pass
    assert b"HTTP/" not in received and b"version" not in received, received
    print("plain ok")


def web_socket():
    with socket.create_connection(ADDRESS, 30) as plain, trusting().wrap_socket(plain, server_hostname="localhost") as secure:
        key = base64.b64encode(os.urandom(16)).decode()
        secure.sendall(
            f"GET {PARTS.path} HTTP/1.1\r\nHost: localhost:{PARTS.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        received = b""
        while b"\r\n\r\n" not in received:
            received += secure.recv(4096)
        assert received.startswith(b"HTTP/1.1 101 "), received
        # One frame, masked with zeros.
        secure.sendall(bytes([0x81, 0x80 | 126]) + len(CALL).to_bytes(2, "big") + bytes(4) + CALL.encode())
        while b"1.37.0" not in received:
            piece = secure.recv(4096)
            assert piece, received
            received += piece
    print("websocket ok")


handshake()
without()
web_socket()
