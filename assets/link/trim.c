// SPDX-License-Identifier: MIT
// Links as ld.lld does, after it has taken from the objects what makes programs of Swift large:
//
// - Swift marks each public function as used (SHF_GNU_RETAIN), so that --gc-sections keeps every public function of every module and of
//   Swift's static libraries. Sections of code lose that mark. Metadata, which the runtime finds by other ways than references, keeps it.
// - Unwind tables (.eh_frame) serve C++ exceptions alone, which are thrown, passed on and caught within CTOML and libstdc++. Those keep
//   their tables; all other objects of the build, and Swift's static libraries, lose them. Swift needs none: it walks frame pointers.
//
// Changes copies in a folder beside the program, never the objects themselves. LLD, from the Makefile, is the linker's path.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;
static char **words;
static size_t count;

static void fail(const char *what, const char *subject) {
    fprintf(stderr, "trim: %s: %s: %s\n", subject, what, strerror(errno));
    exit(1);
}

static char *text(const char *format, ...) {
    char *result;
    va_list list;
    va_start(list, format);
    if (vasprintf(&result, format, list) < 0) fail("memory", "text");
    va_end(list);
    return result;
}

static void add(char *word) {
    if (!(words = realloc(words, (count + 2) * sizeof *words))) fail("memory", word);
    words[count++] = word;
    words[count] = NULL;
}

static char *contents(const char *path, size_t *size) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) fail("cannot be opened", path);
    char *bytes = malloc((size_t)status.st_size + 1);
    if (!bytes) fail("memory", path);
    for (*size = 0; *size < (size_t)status.st_size;) {
        ssize_t got = read(file, bytes + *size, (size_t)status.st_size - *size);
        if (got <= 0) fail("cannot be read", path);
        *size += (size_t)got;
    }
    bytes[*size] = 0;
    close(file);
    return bytes;
}

// MARK: - Objects

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

// An object of 64 bits, in place; anything else is left alone.
static void trim(char *bytes, size_t size) {
    Elf64_Ehdr *head = (Elf64_Ehdr *)bytes;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64) return;
    if (head->e_shoff == 0 || head->e_shoff > size - sizeof(Elf64_Shdr) || head->e_shentsize != sizeof(Elf64_Shdr)) return;
    Elf64_Shdr *sections = (Elf64_Shdr *)(bytes + head->e_shoff);
    size_t number = head->e_shnum ? head->e_shnum : sections[0].sh_size;
    size_t names = head->e_shstrndx != SHN_XINDEX ? head->e_shstrndx : sections[0].sh_link;
    if (number > (size - head->e_shoff) / sizeof(Elf64_Shdr) || names >= number) return;
    if (sections[names].sh_offset >= size || sections[names].sh_size > size - sections[names].sh_offset) return;
    for (size_t index = 0; index < number; index++) {
        if (sections[index].sh_name >= sections[names].sh_size) continue;
        const char *name = bytes + sections[names].sh_offset + sections[index].sh_name;
        if (begins(name, ".text.")) sections[index].sh_flags &= ~(Elf64_Xword)SHF_GNU_RETAIN;
        if (strcmp(name, ".eh_frame") == 0 || strcmp(name, ".rela.eh_frame") == 0) sections[index].sh_flags |= SHF_EXCLUDE;
    }
}

// Members of an archive stand at even offsets behind heads of 60 bytes, with their size in decimal at 48.
static void trim_all(char *bytes, size_t size) {
    if (size < 8 || memcmp(bytes, "!<arch>\n", 8) != 0) return trim(bytes, size);
    for (size_t at = 8; at + 60 <= size;) {
        char digits[11] = {0};
        memcpy(digits, bytes + at + 48, 10);
        size_t length = strtoul(digits, NULL, 10);
        at += 60;
        if (length > size - at) return;
        // Some members are at addresses that are no multiple of eight.
        char *member = malloc(length + 1);
        if (!member) fail("memory", "archive");
        memcpy(member, bytes + at, length);
        trim(member, length);
        memcpy(bytes + at, member, length);
        free(member);
        at += length + (length & 1);
    }
}

static char *trimmed(const char *path, char *copy) {
    size_t size;
    char *bytes = contents(path, &size);
    trim_all(bytes, size);
    FILE *file = fopen(copy, "we");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) fail("cannot be written", copy);
    free(bytes);
    return copy;
}

// MARK: - Arguments

static void read_arguments(const char *path) {
    size_t size;
    char *from = contents(path, &size);
    while (*from) {
        if (strchr(" \t\n", *from)) {
            from++;
            continue;
        }
        char *word = malloc(strlen(from) + 1), *to = word, quote = 0;
        if (!word) fail("memory", path);
        for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
            if (*from == '\\' && quote != '\'' && from[1]) *to++ = *++from;
            else if (quote ? *from == quote : *from == '"' || *from == '\'') quote = quote ? 0 : *from;
            else *to++ = *from;
        }
        *to = 0;
        add(word);
    }
}

static void write_arguments(const char *path) {
    FILE *file = fopen(path, "we");
    if (!file) fail("cannot be written", path);
    for (size_t index = 0; index < count; index++) {
        fputc('"', file);
        for (const char *at = words[index]; *at; at++) {
            if (*at == '"' || *at == '\\') fputc('\\', file);
            fputc(*at, file);
        }
        fputs("\"\n", file);
    }
    if (fclose(file) != 0) fail("cannot be written", path);
}

static bool is_of_build(const char *word) {
    size_t length = strlen(word);
    return length > 2 && strcmp(word + length - 2, ".o") == 0 && strstr(word, ".build/") && !strstr(word, "/CTOML.build/");
}

// The library's copy is found before the library.
static void trim_library(const char *name) {
    char *copy = text("%s/lib%s.a", folder, name);
    for (size_t index = 0; access(copy, F_OK) != 0 && index < count; index++) {
        if (!begins(words[index], "-L") || !strstr(words[index], "/swift_static/")) continue;
        char *path = text("%s/lib%s.a", words[index] + 2, name);
        if (access(path, R_OK) == 0) trimmed(path, copy);
    }
}

static int run(const char *program, char *const arguments[]) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execvp(program, arguments);
        fail("cannot be started", program);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) fail("cannot be started", program);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// What an interrupted link has left is removed, too.
static void remove_folder(void) {
    if (run("rm", (char *[]){"rm", "-rf", "--", folder, NULL}) != 0) fail("cannot be removed", folder);
}

int main(int argc, char *argv[]) {
    add("ld.lld");
    for (int index = 1; index < argc; index++) {
        if (argv[index][0] == '@') read_arguments(argv[index] + 1);
        else add(argv[index]);
    }
    for (size_t index = 1; index + 1 < count; index++) {
        if (strcmp(words[index], "-o") == 0) folder = text("%s.trimmed", words[index + 1]);
    }
    if (!folder) return run(LLD, words);
    remove_folder();
    if (mkdir(folder, 0700) != 0) fail("cannot be created", folder);
    for (size_t index = 1; index < count; index++) {
        if (is_of_build(words[index])) words[index] = trimmed(words[index], text("%s/%zu.o", folder, index));
        else if (begins(words[index], "-l")) trim_library(words[index] + 2);
    }
    words[0] = text("-L%s", folder);
    char *arguments = text("%s/arguments", folder);
    write_arguments(arguments);
    int status = run(LLD, (char *[]){"ld.lld", text("@%s", arguments), NULL});
    remove_folder();
    return status;
}
