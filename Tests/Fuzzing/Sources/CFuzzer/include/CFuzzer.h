// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's loop (https://llvm.org/docs/LibFuzzer.html): calls `run` with one input after the other until one ends
// the process.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
