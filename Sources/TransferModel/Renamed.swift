// SPDX-License-Identifier: MIT

public typealias TransferDescription = Spec
public typealias DownloadDescription = Download
public typealias UploadDescription = Upload
