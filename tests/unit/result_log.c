// SPDX-License-Identifier: MIT
// Results, the version and the ready-made log: every name is right, and a message is one line on
// stderr.
#include <weir/log.h>
#include <weir/result.h>
#include <weir/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int num_failures;

static void expect_text(const char *what, const char *got, const char *want)
{
    if (!got || strcmp(got, want) != 0) {
        printf("%s: got \"%s\", want \"%s\"\n", what, got ? got : "NULL", want);
        num_failures++;
    }
}

static void test_names(void)
{
    // The values are part of the contract: programs store them.
    static const struct {
        int value;
        const char *name;
    } results[] = {
        {0, "WEIR_OK"},
        {1, "WEIR_NOT_READY"},
        {2, "WEIR_DROPPED"},
        {-1, "WEIR_ERROR_INVALID"},
        {-2, "WEIR_ERROR_OUT_OF_MEMORY"},
        {-3, "WEIR_ERROR_UNSUPPORTED"},
        {-4, "WEIR_ERROR_DEVICE_LOST"},
        {-5, "WEIR_ERROR_VULKAN"},
        {-6, "WEIR_ERROR_IO"},
        {-7, "WEIR_ERROR_DISK_FULL"},
        {-8, "WEIR_ERROR_DATA"},
    };
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        expect_text("weir_result_name", weir_result_name((enum weir_result)results[i].value),
                    results[i].name);
    }
    expect_text("weir_result_name", weir_result_name((enum weir_result) - 1000),
                "unknown weir_result");
}

static void test_version(void)
{
    char want[64];
    snprintf(want, sizeof(want), "%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
             WEIR_VERSION_PATCH);
    expect_text("weir_version", weir_version(), want);
    expect_text("WEIR_VERSION_STRING", WEIR_VERSION_STRING, want);
}

// Check the line that weir_log_print_stderr() writes for a message. A file takes the place of
// stderr.
static void expect_line(enum weir_log_severity severity, enum weir_log_code code, const char *want)
{
    FILE *file = tmpfile();
    const int saved = dup(STDERR_FILENO);
    if (!file || saved < 0 || dup2(fileno(file), STDERR_FILENO) < 0) {
        perror("cannot replace stderr");
        exit(1);
    }
    weir_log_print_stderr(
        NULL, &(struct weir_log_message){.severity = severity, .code = code, .text = "a reason"});
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    char got[256];
    rewind(file);
    const size_t size = fread(got, 1, sizeof(got) - 1, file);
    got[size] = '\0';
    fclose(file);
    expect_text("weir_log_print_stderr", got, want);
}

static void expect_escaped(const char *text, const char *want)
{
    char line[256], again[256];
    weir_log_escape(text, line, sizeof(line));
    expect_text("weir_log_escape", line, want);
    weir_log_escape(line, again, sizeof(again));
    expect_text("weir_log_escape of what is escaped", again, line);
}

static void test_escape(void)
{
    expect_escaped("", "");
    expect_escaped(NULL, "");
    expect_escaped("shot 1~.png", "shot 1~.png");
    expect_escaped("a\nb\tc\rd\x1b[31m\x7f\x01", "a\\x0ab\\x09c\\x0dd\\x1b[31m\\x7f\\x01");
    // UTF-8 of two, three and four bytes; its ends.
    expect_escaped("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xac",
                   "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xac");
    expect_escaped("\xc2\xa0\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
                   "\xc2\xa0\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf");
    expect_escaped("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
    // Control characters of two bytes, which a terminal obeys too.
    expect_escaped("\xc2\x9b"
                   "31m\xc2\x80",
                   "\\xc2\\x9b31m\\xc2\\x80");
    // Cut short, too long, a surrogate, beyond Unicode, Latin 1.
    expect_escaped("\xc3", "\\xc3");
    expect_escaped("\xe2\x82", "\\xe2\\x82");
    expect_escaped("\xe2\x82x", "\\xe2\\x82x");
    expect_escaped("\xc0\xaf\xe0\x9f\xbf\xf0\x8f\xbf\xbf",
                   "\\xc0\\xaf\\xe0\\x9f\\xbf\\xf0\\x8f\\xbf\\xbf");
    expect_escaped("\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
    expect_escaped("caf\xe9 \xff\x80", "caf\\xe9 \\xff\\x80");

    // No character and no escape is cut in two.
    char line[8];
    weir_log_escape("abcd\xf0\x9f\x8e\xac", line, 8);
    expect_text("weir_log_escape, cut", line, "abcd");
    weir_log_escape("abcd\n", line, 8);
    expect_text("weir_log_escape, cut", line, "abcd");
    weir_log_escape("abc\n", line, 8);
    expect_text("weir_log_escape, full", line, "abc\\x0a");
    weir_log_escape("abc", line, 1);
    expect_text("weir_log_escape, no room", line, "");
    weir_log_escape("abc", line, 0);
    weir_log_escape("abc", NULL, 8);
    expect_text("weir_log_escape, nothing", line, "");
}

static void keep(void *user, const struct weir_log_message *message)
{
    snprintf(user, 64, "%s", message->text);
}

static enum weir_result try_two(enum weir_result first, enum weir_result second, int *num_tried)
{
    *num_tried = 1;
    WEIR_TRY(first);
    *num_tried = 2;
    WEIR_TRY(second);
    *num_tried = 3;
    return WEIR_OK;
}

static void test_try(void)
{
    int num = 0;
    expect_text("a try", weir_result_name(try_two(WEIR_OK, WEIR_OK, &num)), "WEIR_OK");
    num_failures += num != 3;
    expect_text("a try", weir_result_name(try_two(WEIR_OK, WEIR_NOT_READY, &num)),
                "WEIR_NOT_READY");
    num_failures += num != 2;
    expect_text("a try", weir_result_name(try_two(WEIR_ERROR_IO, WEIR_OK, &num)), "WEIR_ERROR_IO");
    num_failures += num != 1;
}

int main(void)
{
    test_names();
    test_version();
    test_escape();
    test_try();
    char kept[64];
    const struct weir_log log = {.print = keep, .user = kept};
    weir_log_printf(&log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NONE, "cannot write '%s'",
                    "a\n\x1b[0m.mov");
    expect_text("weir_log_printf", kept, "cannot write 'a\\x0a\\x1b[0m.mov'");
    expect_line(WEIR_LOG_ERROR, WEIR_LOG_CODE_OPEN_FAILED, "weir: error 400: a reason\n");
    expect_line(WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "weir: warning 116: a reason\n");
    expect_line(WEIR_LOG_INFO, WEIR_LOG_CODE_FRAME_DROPPED, "weir: info 300: a reason\n");
    return num_failures != 0;
}
