// SPDX-License-Identifier: MIT
// Construction of a datatype's description, and counting elements in a number of bytes.
#include "mpi/datatypes/datatype.hpp"

#include "mpi/datatypes/composition.hpp"
#include "mpi/datatypes/layout.hpp"
#include "mpi/datatypes/signature.hpp"

#include <utility>

namespace saguaro::mpi {
namespace {

basic_kind only_kind(const signature_pointer &of) {
    return of && of->what == signature::shape::basic ? of->kind : basic_kind::none;
}

} // namespace

datatype_object::datatype_object(composition &&of, contents &&made_from, basic_group group)
    : size_(of.layout.size), bounds_(of.range), kind_(only_kind(of.basics)), group_(group),
      predefined_(datatype::null),
      layout_(std::make_unique<const layouts::placed>(std::move(of.layout))),
      signature_(std::move(of.basics)), made_from_(std::move(made_from)) {
    contiguous_ = !layout_->shape && size_ == extent();
}

datatype_object::datatype_object(composition &&of, datatype predefined, basic_kind kind,
                                 basic_group group)
    : datatype_object(std::move(of), contents{}, group) {
    predefined_ = predefined;
    kind_ = kind;
}

datatype_object::~datatype_object() = default;

std::int64_t datatype_object::elements() const {
    return signature_ ? signature_->elements : 0;
}

std::int64_t datatype_object::elements_in(std::int64_t bytes) const {
    if (size_ == 0)
        return bytes == 0 ? 0 : -1;
    std::int64_t rest = signature_->elements_in(bytes % size_);
    return rest < 0 ? -1 : bytes / size_ * elements() + rest;
}

bool datatype_object::has_bytes_of(std::int64_t some) const {
    return size_ == 0 || some / elements() < INT64_MAX / size_;
}

std::int64_t datatype_object::bytes_of(std::int64_t some) const {
    if (size_ == 0)
        return 0;
    return some / elements() * size_ + signature_->bytes_of(some % elements());
}

std::int64_t datatype_object::count_in(std::int64_t bytes) const {
    if (size_ == 0)
        return bytes == 0 ? 0 : -1;
    return bytes % size_ == 0 ? bytes / size_ : -1;
}

} // namespace saguaro::mpi
