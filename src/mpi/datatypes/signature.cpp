// SPDX-License-Identifier: MIT
// Building signatures by repeating and joining, and counting elements in a run of bytes.
#include "mpi/datatypes/signature.hpp"

#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace saguaro::mpi {
namespace {

bool same_basic(const signature &one, const signature &other) {
    return one.what == signature::shape::basic && other.what == signature::shape::basic &&
           one.kind == other.kind && one.kind_external_size == other.kind_external_size;
}

signature_pointer with_count(const signature &of, std::int64_t count) {
    signature made = of;
    made.size = of.size / of.count * count;
    made.external_size = of.external_size / of.count * count;
    made.elements = of.elements / of.count * count;
    made.count = count;
    return std::make_shared<const signature>(std::move(made));
}

// Appends a part. If it is of the kind of the last one, that one gets longer.
void append(std::vector<signature_pointer> &parts, const signature_pointer &next) {
    if (!next || next->elements == 0)
        return;
    if (!parts.empty() && same_basic(*parts.back(), *next))
        parts.back() = with_count(*next, parts.back()->count + next->count);
    else
        parts.push_back(next);
}

} // namespace

signature_pointer basic_signature(basic_kind kind, std::int64_t external_size) {
    signature made;
    made.what = signature::shape::basic;
    made.size = made.kind_size = size_of(kind);
    made.external_size = made.kind_external_size = external_size;
    made.elements = made.count = 1;
    made.kind = kind;
    return std::make_shared<const signature>(std::move(made));
}

signature_pointer repeated_signature(const signature_pointer &of, std::int64_t count) {
    if (!of || count == 0)
        return nullptr;
    if (count == 1)
        return of;
    if (of->what != signature::shape::joined)
        return with_count(*of, of->count * count);
    signature made;
    made.what = signature::shape::repeated;
    made.size = of->size * count;
    made.external_size = of->external_size * count;
    made.elements = of->elements * count;
    made.count = count;
    made.parts = {of};
    return std::make_shared<const signature>(std::move(made));
}

signature_pointer joined_signature(const std::vector<signature_pointer> &parts) {
    signature made;
    for (const signature_pointer &part : parts)
        append(made.parts, part);
    if (made.parts.empty())
        return nullptr;
    if (made.parts.size() == 1)
        return made.parts.front();
    made.count = 1;
    for (const signature_pointer &part : made.parts) {
        made.bytes_before.push_back(made.size);
        made.elements_before.push_back(made.elements);
        made.size += part->size;
        made.external_size += part->external_size;
        made.elements += part->elements;
    }
    return std::make_shared<const signature>(std::move(made));
}

std::int64_t signature::elements_in(std::int64_t bytes) const {
    if (what == shape::basic)
        return bytes % kind_size == 0 ? bytes / kind_size : -1;
    if (what == shape::repeated) {
        const signature &part = *parts.front();
        std::int64_t rest = part.elements_in(bytes % part.size);
        return rest < 0 ? -1 : bytes / part.size * part.elements + rest;
    }
    auto after = std::upper_bound(bytes_before.begin(), bytes_before.end(), bytes);
    auto place = static_cast<std::size_t>(after - bytes_before.begin()) - 1;
    std::int64_t rest = parts[place]->elements_in(bytes - bytes_before[place]);
    return rest < 0 ? -1 : elements_before[place] + rest;
}

std::int64_t signature::bytes_of(std::int64_t some) const {
    if (what == shape::basic)
        return some * kind_size;
    if (what == shape::repeated) {
        const signature &part = *parts.front();
        return some / part.elements * part.size + part.bytes_of(some % part.elements);
    }
    auto after = std::upper_bound(elements_before.begin(), elements_before.end(), some);
    auto place = static_cast<std::size_t>(after - elements_before.begin()) - 1;
    return bytes_before[place] + parts[place]->bytes_of(some - elements_before[place]);
}

} // namespace saguaro::mpi
