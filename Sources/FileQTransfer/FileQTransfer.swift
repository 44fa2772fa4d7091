// SPDX-License-Identifier: MIT

// What a program that uses the library writes requests and reads answers with.
@_exported public import HTTPTypes
@_exported public import NetworkPath
@_exported public import SessionCore
@_exported public import TransferModel
