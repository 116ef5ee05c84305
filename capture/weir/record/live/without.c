// SPDX-License-Identifier: MIT
// Without libwebsockets there is no page.
#include "capture/weir/record/live/page.h"

#include "capture/weir/common/report.h"

struct record_page *record_page_open(const char *where)
{
    return cli_fail(NULL, "--live %s: this weir was built without libwebsockets, and has no page",
                    where);
}

void record_page_start(struct record_page **page, const char *control, const char *movie,
                       bool quiet)
{
    (void)page, (void)control, (void)movie, (void)quiet;
}

void record_page_close(struct record_page **page)
{
    *page = NULL;
}

const char *record_page_url(const struct record_page *page)
{
    (void)page;
    return NULL;
}

bool record_page_is_watched(const struct record_page *page)
{
    (void)page;
    return false;
}

void record_page_show(struct record_page *page, const struct weir_preview_picture *picture)
{
    (void)page, (void)picture;
}

void record_page_report(struct record_page *page, const char *facts, size_t size)
{
    (void)page, (void)facts, (void)size;
}
