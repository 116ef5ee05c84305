// SPDX-License-Identifier: MIT
// Frame rates of a command line: the fraction that was written, or the nearest of all that a movie
// can have, by a search over every denominator; and nothing but rates.
#include "capture/weir/common/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/seeded.h"
#include "texts.h"

enum { NUM_DECIMALS = 60, NUM_FRACTIONS = 2000 };

static void expect(bool condition, const char *text, const struct weir_ratio *rate,
                   const char *what)
{
    test_expect(condition, "\"%s\": %u/%u: %s", text, rate->num, rate->den, what);
}

static void check_known(void)
{
    static const struct {
        const char *text;
        struct weir_ratio rate;
    } known[] = TEST_LIST(
        {"60", {60, 1}}, {"12.347", {12347, 1000}}, {"30.", {30, 1}}, {".5", {1, 2}},
        {"0025.00", {25, 1}}, {"1000", {1000, 1}}, {"1000.000", {1000, 1}}, {"50000/1000", {50, 1}},
        {"60000000/1001000", {60000, 1001}},
        // What people and programs write of n * 1000 / 1001.
        {"23.976", {24000, 1001}}, {"23.98", {24000, 1001}}, {"23.976023976023976", {24000, 1001}},
        {"29.97", {30000, 1001}}, {"29.970", {30000, 1001}}, {"29.97003", {30000, 1001}},
        {"47.952", {48000, 1001}}, {"47.95", {48000, 1001}}, {"59.94", {60000, 1001}},
        {"59.9400599", {60000, 1001}}, {"119.88", {120000, 1001}}, {"239.76", {240000, 1001}},
        // What is near them and something else.
        {"23.9", {239, 10}}, {"24", {24, 1}}, {"24.00", {24, 1}}, {"29.9", {299, 10}},
        {"29.975", {1199, 40}}, {"59.93", {5993, 100}}, {"11.988", {2997, 250}},
        // Nearest fractions of small parts.
        {"16.666666666666", {50, 3}}, {"3.141592653589793", {833719, 265381}},
        {"0.000001", {1, 1000000}}, {"999.9999999", {1000, 1}});
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct weir_ratio rate = {0, 0};
        const struct weir_ratio *wanted = &known[i].rate;
        expect(cli_rate_parse(known[i].text, &rate) && rate.num == wanted->num &&
                   rate.den == wanted->den,
               known[i].text, &rate, "another rate, or refused");
    }
    const char *refused = "0.0000001||.|0|0/5|5/0|/5|5/|29.97/1|1.5.2|1000.0000001|1001|30.E15|"
                          "1e3|1E1|inf|infinity|nan|0x10|0x1p4|-5|+5| 5|5 |5fps|"
                          "18446744073709551616|18446744073709551617/18446744073709551616|"
                          "99999999999999999999999999999999999999999999.5|";
    for (char text[TEXTS_SIZE]; texts_next(&refused, text);) {
        struct weir_ratio rate = {0, 0};
        expect(!cli_rate_parse(text, &rate), text, &rate, "taken");
    }
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

static void expect_fraction(const char *text, const struct weir_ratio *rate)
{
    expect(rate->num >= 1 && rate->num <= CLI_MAX_RATE_PART && rate->den >= 1 &&
               rate->den <= CLI_MAX_RATE_PART && rate->num <= CLI_MAX_RATE * (uint64_t)rate->den,
           text, rate, "out of bounds");
    expect(divisor(rate->num, rate->den) == 1, text, rate, "not in lowest terms");
}

// The least distance of a fraction with small parts from a value.
static long double least_error(long double value)
{
    long double least = value;
    for (uint32_t den = 1; den <= CLI_MAX_RATE_PART; den++) {
        const long double num = roundl(value * den);
        if (num <= CLI_MAX_RATE_PART) {
            least = fminl(least, fabsl(num / den - value));
        }
    }
    return least;
}

// Decimals of any length, against the nearest fraction of all.
static void check_decimals(void)
{
    for (int i = 0; i < NUM_DECIMALS; i++) {
        char text[32];
        const int decimals = 3 + seeded_below(10); // as many as count
        int length = snprintf(text, sizeof(text), "%d.", seeded_below(i % 3 == 0 ? 2 : 999));
        for (int k = 0; k < decimals; k++) {
            text[length++] = (char)('0' + seeded_below(10));
        }
        text[length] = 0;
        const long double value = strtold(text, NULL);
        struct weir_ratio rate = {0, 0};
        if (!cli_rate_parse(text, &rate)) {
            expect(value < 1e-6L, text, &rate, "refused");
            continue;
        }
        expect_fraction(text, &rate);
        const long double error = fabsl((long double)rate.num / rate.den - value);
        expect(rate.den == 1001 || error <= least_error(value) + 1e-15L, text, &rate,
               "another fraction is nearer");
    }
}

static void check_fractions(void)
{
    for (int i = 0; i < NUM_FRACTIONS; i++) {
        const uint32_t den = 1 + (uint32_t)seeded_below(CLI_MAX_RATE_PART);
        const uint32_t num = 1 + (uint32_t)seeded_below(CLI_MAX_RATE_PART);
        char text[32];
        snprintf(text, sizeof(text), "%u/%u", num, den);
        struct weir_ratio rate = {0, 0};
        const bool is_rate = cli_rate_parse(text, &rate);
        expect(is_rate == (num <= CLI_MAX_RATE * (uint64_t)den), text, &rate, "the bound");
        if (is_rate) {
            expect_fraction(text, &rate);
            expect((uint64_t)rate.num * den == (uint64_t)num * rate.den, text, &rate, "not equal");
        }
    }
}

int main(void)
{
    seeded_start();
    check_known();
    check_decimals();
    check_fractions();
    return test_finish();
}
