// SPDX-License-Identifier: MIT
// Nothing to call: release builds of fileq find protocol conformances with this target. See CConformances.c.
#pragma once
