// SPDX-License-Identifier: MIT
// QR codes by libqrencode, which is loaded when the first one is wanted, and may be missing.
#ifndef FILEQ_CQRCODE_H
#define FILEQ_CQRCODE_H

/// The modules of a QR code, row by row, 1 for a dark one; `width` of them make a row. For free(3). Null without the library, and for a text
/// that is too long.
unsigned char *clinux_qr_code(const char *text, int *width);

#endif
