// SPDX-License-Identifier: MIT
// The shapes of which all pictures are made, written as SVG: readable on light and dark pages.
#pragma once

#include "drawing/palette.hpp"

#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>

namespace saguaro::drawing {

// Where a picture may go. Anything will do that has `put`, which is printf's twin and takes up to
// 1023 bytes at a time.
class file_sink {
public:
    explicit file_sink(std::FILE *to) : to_(to) {}

    [[gnu::format(printf, 2, 3)]] void put(const char *format, ...) {
        std::va_list arguments;
        va_start(arguments, format);
        std::vfprintf(to_, format, arguments);
        va_end(arguments);
    }

private:
    std::FILE *to_;
};

class string_sink {
public:
    [[gnu::format(printf, 2, 3)]] void put(const char *format, ...) {
        char some[1024];
        std::va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(some, sizeof some, format, arguments);
        va_end(arguments);
        text_ += some;
    }
    void append(const std::string &more) { text_ += more; }
    const std::string &text() const { return text_; }

private:
    std::string text_;
};

// Writes shapes in the order of the calls, and keeps nothing: it works where there is no heap.
// Numbers are pixels. `more` is further attributes, each with a space before it.
template <class Sink>
class svg {
public:
    struct words {
        double size = 11;
        const char *fill = nullptr; // null: ink
        const char *more = "";
    };

    explicit svg(Sink &to) : to_(to) {}

    void open(double width, double height) {
        to_.put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"Inter, 'Helvetica Neue', Helvetica, "
                "Arial, 'DejaVu Sans', sans-serif\" font-size=\"11\" fill=\"%s\">\n"
                "<style>@media (prefers-color-scheme:dark){\n",
                width, height, width, height, ink);
        for (const char *const rule : dark_rules)
            to_.put("%s", rule);
        to_.put("}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", paper);
    }
    void close() { to_.put("</svg>\n"); }

    void rect(double x, double y, double width, double height, const char *fill,
              const char *more = "") {
        start_rect(x, y, width, height, fill, more);
        to_.put("/>\n");
    }
    void line(double x1, double y1, double x2, double y2, const char *stroke,
              const char *more = "") {
        start_line(x1, y1, x2, y2, stroke, more);
        to_.put("/>\n");
    }
    void circle(double x, double y, double radius, const char *fill, const char *more = "") {
        start_circle(x, y, radius, fill, more);
        to_.put("/>\n");
    }

    // A shape with a title, which viewers show beside the pointer: what is put from here to
    // `end("rect")` is the title.
    void begin_rect(double x, double y, double width, double height, const char *fill,
                    const char *more = "") {
        start_rect(x, y, width, height, fill, more);
        to_.put("><title>");
    }
    void begin_line(double x1, double y1, double x2, double y2, const char *stroke,
                    const char *more = "") {
        start_line(x1, y1, x2, y2, stroke, more);
        to_.put("><title>");
    }
    void begin_circle(double x, double y, double radius, const char *fill, const char *more = "") {
        start_circle(x, y, radius, fill, more);
        to_.put("><title>");
    }
    void end(const char *shape) { to_.put("</title></%s>\n", shape); }

    void text(double x, double y, std::string_view what, const words &look = {}) {
        begin_text(x, y, look);
        put(what);
        end_text();
    }
    // What is put in between is the text.
    void begin_text(double x, double y, const words &look = {}) {
        to_.put("<text x=\"%.6g\" y=\"%.6g\"", rounded(x), rounded(y));
        if (look.size != words{}.size)
            to_.put(" font-size=\"%.6g\"", rounded(look.size));
        if (look.fill != nullptr)
            to_.put(" fill=\"%s\"", look.fill);
        to_.put("%s>", look.more);
    }
    void end_text() { to_.put("</text>\n"); }

    // Shapes that belong together, with a title.
    void begin_group(const char *kind, std::string_view title) {
        to_.put("<g class=\"%s\"><title>", kind);
        put(title);
        to_.put("</title>\n");
    }
    void end_group() { to_.put("</g>\n"); }

    // Text that may hold what XML has a use for. Control characters become blanks.
    void put(std::string_view text) {
        for (const char c : text)
            switch (c) {
            case '<':
                to_.put("&lt;");
                break;
            case '>':
                to_.put("&gt;");
                break;
            case '&':
                to_.put("&amp;");
                break;
            case '"':
                to_.put("&quot;");
                break;
            default:
                to_.put("%c", static_cast<unsigned char>(c) < ' ' ? ' ' : c);
            }
    }

private:
    // To a hundredth of a pixel, which keeps the numbers short.
    // Not by std::round: a program in C that links the archive would need libm for it.
    static double rounded(double pixels) {
        const double hundredths = pixels * 100;
        return static_cast<double>(
                   static_cast<long long>(hundredths + (hundredths < 0 ? -0.5 : 0.5))) /
               100;
    }

    void start_rect(double x, double y, double width, double height, const char *fill,
                    const char *more) {
        to_.put("<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"%s\"%s",
                rounded(x), rounded(y), rounded(width), rounded(height), fill, more);
    }
    void start_line(double x1, double y1, double x2, double y2, const char *stroke,
                    const char *more) {
        to_.put("<line x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\" stroke=\"%s\"%s",
                rounded(x1), rounded(y1), rounded(x2), rounded(y2), stroke, more);
    }
    void start_circle(double x, double y, double radius, const char *fill, const char *more) {
        to_.put("<circle cx=\"%.6g\" cy=\"%.6g\" r=\"%.6g\" fill=\"%s\"%s", rounded(x), rounded(y),
                rounded(radius), fill, more);
    }

    Sink &to_;
};

} // namespace saguaro::drawing
