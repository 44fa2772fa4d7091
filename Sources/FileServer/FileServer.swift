// SPDX-License-Identifier: MIT
import HummingbirdCore
