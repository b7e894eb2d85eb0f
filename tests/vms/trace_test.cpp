// SPDX-License-Identifier: MIT
// The virtual time line as text and as a picture.
#include "saguaro/ssr.h"
#include "vms/bare.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace saguaro::vms {
namespace {

class vms_trace : public testing::Test {
protected:
    vms_trace() {
        char name[] = "/tmp/vms_trace_XXXXXX";
        directory_ = mkdtemp(name);
    }
    ~vms_trace() override { std::filesystem::remove_all(directory_); }

    std::string path(const char *name) const { return (directory_ / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(directory_), {}));
    }

    static std::string content(const std::string &file) {
        std::ifstream in(file);
        EXPECT_TRUE(in.good()) << file;
        return {std::istreambuf_iterator<char>(in), {}};
    }

    static std::size_t count(const std::string &text, const std::string &what) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
            ++found;
        return found;
    }

    // Two VPs meet once; the first one creates the second and receives from it.
    static int rendezvous(const std::string &file, unsigned cores = 1) {
        static sg_vp *first;
        const vp_code sends = [](sg_vp *me) { sg_ssr_send_from_to(nullptr, me, first); };
        const vp_code code = [&](sg_vp *me) {
            first = me;
            sg_ssr_receive_from_to(sg_ssr_create(run_code, const_cast<vp_code *>(&sends), me), me);
        };
        const sg_vms_options options = {cores, 1, 0, file.empty() ? nullptr : file.c_str()};
        return sg_ssr_run(&options, run_code, const_cast<vp_code *>(&code));
    }

private:
    std::filesystem::path directory_;
};

TEST_F(vms_trace, text_has_all_steps_and_ties) {
    ASSERT_EQ(0, rendezvous(path("a.txt")));
    EXPECT_EQ("# virtual time line of ssr on 1 cores\n"
              "# time     VP  core  step\n"
              "     1      1        created\n"
              "     2      1        ready\n"
              "     3      1     0  animated\n"
              "     4      1        sent: creates a VP\n"
              "     5      2        created, tied to VP 1 at 4\n"
              "     6      2        ready, tied to VP 1 at 4\n"
              "     7      1        blocked: receives from VP 2\n"
              "     8      2     0  animated\n"
              "     9      2        blocked: sends to VP 1\n"
              "    10      1        ready, tied to VP 2 at 9\n"
              "    11      2        ready\n"
              "    12      1     0  animated\n"
              "    13      1        blocked: returns\n"
              "    14      1        dissipated\n"
              "    15      2     0  animated\n"
              "    16      2        blocked: returns\n"
              "    17      2        dissipated\n",
              content(path("a.txt")));
}

TEST_F(vms_trace, picture_has_rows_segments_ordering_points_and_ties) {
    ASSERT_EQ(0, rendezvous(path("a.svg")));
    const std::string svg = content(path("a.svg"));
    EXPECT_EQ(0U, svg.find("<svg "));
    EXPECT_EQ("</svg>\n", svg.substr(svg.size() - 7));
    EXPECT_EQ(2U, count(svg, "<text x=\"10\" y=") - 2) << "beside title and time: VPs";
    EXPECT_EQ(4U, count(svg, "<title>trace segment "));
    EXPECT_EQ(4U, count(svg, "<title>ordering point "));
    EXPECT_EQ(3U, count(svg, " tied to VP ")); // creation, the second's readiness, the rendezvous
    EXPECT_EQ(1U, count(svg, "<title>VP 1 at 4: creates a VP</title>"));
    EXPECT_EQ(1U, count(svg, "<title>ordering point 1.1: receives from VP 2</title>"));
    EXPECT_EQ(1U, count(svg, "<title>VP 2 at 9 tied to VP 1</title>"));
}

TEST_F(vms_trace, words_of_the_plugin_are_escaped) {
    trace_record seen{"a<b>&\"c\"", 1, {}};
    seen.events.push_back({1, 1, trace_step::blocked, 0, 0, 0, "<&>\n"});
    const std::string file = path("a.svg");
    std::FILE *const to = std::fopen(file.c_str(), "w");
    write_svg(to, seen);
    std::fclose(to);
    const std::string svg = content(file);
    EXPECT_EQ(1U, count(svg, "a&lt;b&gt;&amp;&quot;c&quot;"));
    EXPECT_EQ(1U, count(svg, ": &lt;&amp;&gt; </title>"));
}

TEST_F(vms_trace, long_runs_fit_into_a_picture) {
    trace_record seen{"long", 2, {}};
    for (std::uint64_t t = 1; t <= 20'000; ++t)
        seen.events.push_back({t, 1 + t / 2 % 3,
                               t % 2 == 0 ? trace_step::animated : trace_step::blocked,
                               static_cast<unsigned>(t % 2), 0, 0, "x"});
    const std::string file = path("a.svg");
    std::FILE *const to = std::fopen(file.c_str(), "w");
    write_svg(to, seen);
    std::fclose(to);
    EXPECT_EQ(0U, content(file).find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"32020\""));
}

TEST_F(vms_trace, deadlock_is_in_the_trace) {
    const vp_code waits = [](sg_vp *me) { sg_ssr_receive_of_type(1, me); };
    const std::string file = path("a.txt");
    const sg_vms_options options = {2, 1, 0, file.c_str()};
    testing::internal::CaptureStderr();
    EXPECT_EQ(EDEADLK, sg_ssr_run(&options, run_code, const_cast<vp_code *>(&waits)));
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(1U, count(content(file), "     4      1        blocked: receives type 1\n"));
}

TEST_F(vms_trace, instances_of_a_process_have_files_of_their_own) {
    setenv("SAGUARO_VMS_TRACE", path("all.txt").c_str(), 1);
    EXPECT_EQ(0, rendezvous(""));
    EXPECT_EQ(0, rendezvous("", 2));
    unsetenv("SAGUARO_VMS_TRACE");
    EXPECT_EQ(2U, files());
    EXPECT_EQ(0, rendezvous(""));
    EXPECT_EQ(2U, files());
}

TEST_F(vms_trace, file_that_cannot_be_written_is_refused) {
    const auto refusal = [&](const std::string &file) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(EINVAL, rendezvous(file));
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ("saguaro: ssr: cannot write the trace into /no/such.svg: No such file or directory\n",
              refusal("/no/such.svg"));
    EXPECT_EQ("saguaro: ssr: SAGUARO_VMS_TRACE=a.png is not accepted: one of none, FILE.txt, "
              "FILE.svg\n",
              refusal("a.png"));
}

} // namespace
} // namespace saguaro::vms
