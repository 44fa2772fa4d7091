// SPDX-License-Identifier: MIT

/// `Content-Type` by file extension. Others are `application/octet-stream`.
package enum MediaType {
    package static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return table[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }

    private static let table = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "avi": "video/x-msvideo", "bmp": "image/bmp",
        "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "epub": "application/epub+zip",
        "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "htm": "text/html; charset=utf-8", "html": "text/html; charset=utf-8", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8", "json": "application/json",
        "m4a": "audio/mp4", "md": "text/markdown; charset=utf-8", "mkv": "video/x-matroska", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tiff": "image/tiff", "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp",
        "xml": "application/xml", "xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",
    ]
}
