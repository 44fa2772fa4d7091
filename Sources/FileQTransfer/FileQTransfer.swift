// SPDX-License-Identifier: MIT

// The types for requests and responses.
@_exported public import HTTPTypes
@_exported public import NetworkPath
@_exported public import SessionCore
@_exported public import TransferModel
