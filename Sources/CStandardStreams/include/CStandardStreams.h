// SPDX-License-Identifier: MIT
// Nothing to call: a program with this target begins with descriptors 0, 1 and 2 in use (CStandardStreams.c), or ends where it can make no
// threads (Threads.c).
#ifndef FILEQ_CSTANDARDSTREAMS_H
#define FILEQ_CSTANDARDSTREAMS_H
#endif
