// SPDX-License-Identifier: MIT
// Objects that programs know by handles: numbers from `first_dynamic` on.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace saguaro::mpi {

// The objects of a kind. A number is used again once its object is gone; an object never moves.
template <class handle, class object>
class object_table {
public:
    // A handle for a new object.
    template <class... Arguments>
    handle add(Arguments &&...arguments) {
        auto made = std::make_unique<object>(std::forward<Arguments>(arguments)...);
        std::size_t at = objects_.size();
        if (!free_.empty()) {
            at = free_.back();
            free_.pop_back();
            objects_[at] = std::move(made);
        } else {
            objects_.push_back(std::move(made));
        }
        return static_cast<handle>(first_dynamic + at);
    }

    // Null if the number is none of a live object.
    object *find(handle which) const {
        const std::size_t at = static_cast<std::size_t>(mpi::number(which)) - first_dynamic;
        return at < objects_.size() ? objects_[at].get() : nullptr;
    }

    void remove(handle which) {
        const std::size_t at = static_cast<std::size_t>(mpi::number(which)) - first_dynamic;
        objects_[at].reset();
        free_.push_back(at);
    }

    template <class Each>
    void for_each(Each each) {
        for (const std::unique_ptr<object> &o : objects_)
            if (o != nullptr)
                each(*o);
    }

    std::size_t live() const { return objects_.size() - free_.size(); }

private:
    std::vector<std::unique_ptr<object>> objects_;
    std::vector<std::size_t> free_;
};

} // namespace saguaro::mpi
