// SPDX-License-Identifier: MIT
// Collective steps that one rank makes for all.
#pragma once

#include "mpi/core/collectives/collective.hpp"

#include <cstddef>
#include <vector>

namespace saguaro::mpi {

// The first rank gets the values of all, makes `answer(values)` of them, which says something to
// each rank, and sends it. So nobody goes on before all have come and the first rank has answered.
template <class T, class Answer>
auto answer_of_first(collective &all, const T &mine, Answer answer) {
    using said = typename decltype(answer(std::vector<T>()))::value_type;
    if (all.me() != 0) {
        said heard{};
        all.send(0, bytes_at(&mine, sizeof(T)));
        all.receive(0, bytes_at(&heard, sizeof(said)));
        return heard;
    }
    std::vector<T> values(static_cast<std::size_t>(all.size()), mine);
    for (int r = 1; r < all.size(); ++r)
        all.receive(r, bytes_at(&values[static_cast<std::size_t>(r)], sizeof(T)));
    const std::vector<said> answers = answer(values);
    for (int r = 1; r < all.size(); ++r)
        all.send(r, bytes_at(&answers[static_cast<std::size_t>(r)], sizeof(said)));
    return answers.front();
}

// What one rank is to do when all have called, if none has found an error and all say the same: its
// error class is everybody's. err_not_same if they differ. A rank's own error is its own result.
template <class T>
struct agreed_call {
    int error;
    T value;
};

template <class T>
int common_error(const std::vector<agreed_call<T>> &calls) {
    for (const agreed_call<T> &each : calls)
        if (each.error != abi::success)
            return each.error;
    for (const agreed_call<T> &each : calls)
        if (!(each.value == calls.front().value))
            return abi::err_not_same;
    return abi::success;
}

template <class T, class Step>
int once_for_all(collective &all, int error, const T &value, Step step) {
    const int common = answer_of_first(
        all, agreed_call<T>{error, value}, [&](const std::vector<agreed_call<T>> &calls) {
            const int found = common_error(calls);
            return std::vector<int>(calls.size(), found == abi::success ? step() : found);
        });
    return error != 0 ? error : common;
}

} // namespace saguaro::mpi
