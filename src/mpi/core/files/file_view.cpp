// SPDX-License-Identifier: MIT
// Making a view, checking its file type, and converting positions to places.
#include "mpi/core/files/file_view.hpp"

#include "mpi/core/process/process.hpp"
#include "mpi/datatypes/predefined.hpp"

namespace saguaro::mpi {

file_view::file_view()
    : etype_(predefined_object(datatype::byte)), filetype_(etype_), etype_in_file_(etype_),
      filetype_in_file_(etype_), how_(process::mine->representations.find("native")) {}

int file_view::make(std::int64_t displacement, const type_pointer &etype,
                    const type_pointer &filetype, const representation &how, bool writes,
                    file_view *out) {
    file_view made;
    made.displacement_ = displacement;
    made.etype_ = etype;
    made.filetype_ = filetype;
    made.how_ = &how;
    int error = file_form(how, etype, &made.etype_in_file_);
    if (error == 0)
        error = file_form(how, filetype, &made.filetype_in_file_);
    if (error == 0)
        error = made.check(writes);
    if (error == 0)
        *out = std::move(made);
    return error;
}

// A file type consists of etypes, whose places do not go back; in a file that is written, no two of
// them overlap. The classes of errors are MPICH's.
int file_view::check(bool writes) const {
    const datatype_object &type = *filetype_in_file_;
    if (etype_size() == 0 ? type.size() != 0 : type.size() % etype_size() != 0)
        return abi::err_arg;
    if (type.size() == 0)
        return abi::success;
    // Elements of the file type may overlap each other, as they do in types that HDF5 makes: such a
    // program accesses one of them only.
    if (type.true_lower_bound() < 0 || type.extent() < 0)
        return abi::err_io;
    std::int64_t least = 0;
    const bool rises = mpi::each_run(type, 0, type.size(), [&](std::int64_t at, std::int64_t n) {
        const bool is_behind = at >= least;
        least = writes ? at + n : at;
        return is_behind;
    });
    return rises ? abi::success : abi::err_io;
}

std::int64_t file_view::place_of(std::int64_t offset) const {
    std::int64_t found = displacement_;
    if (filetype_in_file_->size() != 0)
        each_run(offset, 1, [&](std::int64_t at, std::int64_t) {
            found = at;
            return false;
        });
    return found;
}

std::int64_t file_view::etypes_before(std::int64_t size) const {
    if (filetype_in_file_->size() == 0 || place_of(0) >= size)
        return 0;
    // Places rise, and each etype takes one byte at least.
    std::int64_t begins = 0;
    std::int64_t begins_not = size - displacement_ + 1;
    if (filetype_in_file_->extent() == 0)
        begins_not = filetype_in_file_->size() / etype_size();
    while (begins_not - begins > 1) {
        const std::int64_t middle = begins + (begins_not - begins) / 2;
        (place_of(middle * etype_size()) < size ? begins : begins_not) = middle;
    }
    return begins + 1;
}

} // namespace saguaro::mpi
