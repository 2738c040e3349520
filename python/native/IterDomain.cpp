//===- IterDomain.cpp - the iteration domain library for Python -----------===//
//
// Functions on basic types, from which forge_mlir.iterdomain makes classes.
//
//===----------------------------------------------------------------------===//

#include "IterDomain.h"

#include "CommandInterpreter.h"
#include "forge/IterDomain/BulkAccess.h"
#include "forge/IterDomain/Equivalence.h"
#include "forge/IterDomain/PaddingState.h"
#include "forge/IterDomain/PositionCursor.h"
#include "forge/IterDomain/Predicates.h"
#include "forge/IterDomain/TileLayout.h"
#include "llvm/ADT/STLExtras.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace forge::itd;

namespace {

/// An error of the library, which is ItdError in Python.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(llvm::Error error) {
  if (error)
    throw Refused(llvm::toString(std::move(error)));
}

template <typename T>
T check(llvm::Expected<T> value) {
  check(value.takeError());
  return std::move(*value);
}

/// A size, or nullopt with the largest known divisor of an unknown one.
using PyExtent = std::pair<std::optional<int64_t>, int64_t>;
using Sizes = std::vector<int64_t>;

std::vector<Extent> toExtents(const std::vector<PyExtent> &shape) {
  std::vector<Extent> extents;
  for (auto [value, divisor] : shape) {
    if (value == Extent::kDynamic || divisor < 1)
      throw Refused("expected an extent that is not negative and a positive divisor");
    extents.push_back(value ? Extent(*value) : Extent::dynamic(divisor));
  }
  return extents;
}

std::vector<PyExtent> fromExtents(llvm::ArrayRef<Extent> extents) {
  std::vector<PyExtent> shape;
  for (Extent extent : extents)
    shape.emplace_back(extent.isStatic() ? std::optional(extent.value) : std::nullopt, extent.divisor);
  return shape;
}

template <typename Range>
Sizes toVector(const Range &range) {
  return Sizes(range.begin(), range.end());
}

ElementFormat formatNamed(const std::string &name) {
  if (std::optional<ElementFormat> format = elementFormat(name))
    return *format;
  std::string known;
  for (const ElementFormat &format : elementFormats())
    known += " " + format.name.str();
  throw Refused("expected a dtype out of" + known);
}

std::optional<bool> fromTri(Tri answer) {
  return answer == Tri::Unknown ? std::nullopt : std::optional(answer == Tri::Yes);
}

std::vector<std::string> predicateStrings(const TensorDomain &domain, llvm::ArrayRef<Predicate> predicates) {
  std::vector<std::string> strings;
  for (const Predicate &predicate : predicates)
    strings.push_back(predicateString(domain, predicate));
  return strings;
}

std::optional<std::pair<Sizes, Sizes>> fromBox(const std::optional<Box> &box) {
  return box ? std::optional(std::pair(toVector(box->lo), toVector(box->hi))) : std::nullopt;
}

nb::tuple fromVerdict(const BulkVerdict &verdict) {
  static constexpr const char *kNames[] = {"illegal", "legal-with-tail", "legal"};
  return nb::make_tuple(kNames[verdict.kind], verdict.firstBadBox, verdict.crossingElement);
}

void bindPadding(nb::module_ &m) {
  nb::class_<PaddingValue>(m, "PaddingValue")
      .def_static("none", &PaddingValue::none)
      .def_static("of", &PaddingValue::of)
      .def_static("finite", &PaddingValue::finite)
      .def_static("undef", &PaddingValue::undef)
      .def("contains", &PaddingValue::contains)
      .def("implies", &PaddingValue::implies)
      .def("join", [](const PaddingValue &self, const PaddingValue &other) { return join(self, other); })
      .def("__eq__", [](const PaddingValue &self, const PaddingValue &other) { return self == other; })
      .def("__repr__", &PaddingValue::str);
  nb::class_<PaddingState>(m, "PaddingState")
      .def("__init__", [](PaddingState *self, const PaddingValue &rows, const PaddingValue &cols,
                          const PaddingValue &corner) { new (self) PaddingState{rows, cols, corner}; })
      .def_static("all", [](const PaddingValue &value, const Sizes &shape) { return PaddingState::all(value, shape); })
      .def_ro("rows", &PaddingState::rows)
      .def_ro("cols", &PaddingState::cols)
      .def_ro("corner", &PaddingState::corner)
      .def("transpose", &transposePadding)
      .def("softmax", &softmaxPadding)
      .def("matmul", &matmulPadding)
      .def("matmul_safe", &isMatmulPaddingSafe)
      .def("map",
           [](const PaddingState &self, const std::function<double(double)> &function, bool keepsFinite) {
             return mapPadding(self, [&](llvm::ArrayRef<double> x) { return function(x[0]); }, keepsFinite);
           })
      .def("map",
           [](const PaddingState &self, const PaddingState &other,
              const std::function<double(double, double)> &function, bool keepsFinite) {
             return mapPadding(
                 {self, other}, [&](llvm::ArrayRef<double> x) { return function(x[0], x[1]); }, keepsFinite);
           })
      .def("__eq__", [](const PaddingState &self, const PaddingState &other) { return self == other; })
      .def("__repr__", &PaddingState::str);
}

/// Binds the methods that build schedules.
void bindSchedule(nb::class_<TensorDomain> &domain) {
  domain
      .def("__init__",
           [](TensorDomain *self, const std::vector<PyExtent> &shape) {
             new (self) TensorDomain(check(TensorDomain::create(toExtents(shape))));
           })
      .def_static("tiled",
                  [](const std::vector<PyExtent> &shape, std::pair<int64_t, int64_t> tile, bool collapse) {
                    return check(TensorDomain::tiled(toExtents(shape), {tile.first, tile.second},
                                                     collapse ? PadConvention::CollapseThenPad
                                                              : PadConvention::PadThenCollapse));
                  })
      .def("split",
           [](TensorDomain &self, size_t leaf, int64_t factor, bool inner) {
             check(self.split(leaf, factor, inner));
             return std::pair(self.allocation[leaf], self.allocation[leaf + 1]);
           })
      .def("merge",
           [](TensorDomain &self, size_t leaf) {
             check(self.merge(leaf));
             return self.allocation[leaf];
           })
      .def("resize",
           [](TensorDomain &self, size_t leaf, int64_t left, int64_t right) {
             check(self.resize(leaf, left, right));
             return self.allocation[leaf];
           })
      .def("swizzle",
           [](TensorDomain &self, size_t x, size_t y, const std::string &kind) {
             std::optional<SwizzleKind> known = swizzleKind(kind);
             if (!known)
               throw Refused("expected a swizzle xor, zshape or cyclic");
             check(self.swizzle(x, y, *known));
             const auto &made = std::get<Swizzle>(self.graph.exprs().back());
             return std::pair(made.outX, made.outY);
           })
      .def("reorder", [](TensorDomain &self, const std::vector<size_t> &order) { check(self.reorder(order)); });
}

/// Binds queries about schedules.
void bindScheduleQuestions(nb::class_<TensorDomain> &domain) {
  domain.def("copy", [](const TensorDomain &self) { return TensorDomain(self); })
      .def("extents", [](const TensorDomain &self) { return fromExtents(self.extents(self.allocation)); })
      .def("shape", [](const TensorDomain &self) { return fromExtents(self.extents(self.root)); })
      .def("leaves", [](const TensorDomain &self) { return toVector(self.allocation); })
      .def("allocation_size", [](const TensorDomain &self) { return check(allocationSize(self)); })
      .def("logical_size", [](const TensorDomain &self) { return check(logicalSize(self)); })
      .def("padding_count", [](const TensorDomain &self) { return check(paddingCount(self)); })
      .def("over_allocation", [](const TensorDomain &self) { return check(overAllocation(self)); })
      .def("is_padding_free", [](const TensorDomain &self) { return fromTri(isPaddingFree(self)); })
      .def("divisible",
           [](const TensorDomain &self) {
             std::vector<std::optional<bool>> answers;
             for (const Expr &expr : self.graph.exprs())
               if (const auto *split = std::get_if<Split>(&expr))
                 answers.push_back(fromTri(isDivisible(self.graph, *split)));
             return answers;
           })
      .def("minimal_predicates",
           [](const TensorDomain &self) { return predicateStrings(self, minimalPredicates(self)); })
      .def("naive_predicates", [](const TensorDomain &self) { return predicateStrings(self, naivePredicates(self)); })
      .def("buffer_map", [](const TensorDomain &self) { return check(bufferMap(self)); })
      .def("can_bulk_access", [](const TensorDomain &self, IdRef leaf, int64_t width, const Sizes &strides) {
        return fromVerdict(check(canBulkAccess(self, leaf, width, strides)));
      });
}

/// Binds queries about tiles, slices and divisibility of shapes.
void bindShapeQuestions(nb::module_ &m) {
  m.def("itd_layout_report", [](const Sizes &shape, const std::string &dtype, std::pair<int64_t, int64_t> tile) {
    LayoutReport report = check(layoutReport(shape, formatNamed(dtype), {tile.first, tile.second}));
    return nb::make_tuple(toVector(report.padded), report.tiles, report.bytes, report.allocated, report.logical,
                          report.padding, report.paddingPercent, report.ratio);
  });
  m.def("itd_classify_slice",
        [](const Sizes &shape, int64_t axis, int64_t begin, int64_t end, int64_t step, const std::string &dtype) {
          SliceReport report = check(classifySlice(shape, axis, {begin, end, step}, formatNamed(dtype)));
          return nb::make_tuple(name(report.sliceClass).str(), toVector(report.shape), report.padding);
        });
  m.def("itd_interval_as_box", [](const Sizes &shape, int64_t begin, int64_t end) {
    return fromBox(check(intervalAsBox(shape, begin, end)));
  });
  m.def("itd_slice_through_reshape",
        [](const Sizes &source, int64_t axis, int64_t begin, int64_t end, const Sizes &target) {
          return fromBox(check(sliceThroughReshape(source, axis, {begin, end}, target)));
        });
  m.def("itd_onnx_split_sizes", [](int64_t dim, int64_t parts) { return toVector(check(onnxSplitSizes(dim, parts))); });
  m.def("itd_head_alignment", [](int64_t size) {
    HeadAlignment heads = check(headAlignment(size));
    return nb::make_tuple(heads.alignedEvery, heads.padTo, heads.overhead);
  });
}

} // namespace

void bindIterDomain(nb::module_ &m) {
  nb::object error = nb::module_::import_("forge_mlir.errors").attr("ItdError");
  m.attr("ItdError") = error; // Keeps it alive for the translator.
  nb::register_exception_translator(
      [](const std::exception_ptr &thrown, void *type) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Refused &refused) {
          PyErr_SetString(static_cast<PyObject *>(type), refused.what());
        }
      },
      error.ptr());
  bindPadding(m);
  nb::class_<TensorDomain> domain(m, "TensorDomain");
  bindSchedule(domain);
  bindScheduleQuestions(domain);
  bindShapeQuestions(m);

  m.def("itd_run_program", [](nb::bytes program) {
    std::string answers;
    llvm::raw_string_ostream os(answers);
    runCommands(llvm::StringRef(static_cast<const char *>(program.data()), program.size()), os);
    return answers;
  });
  m.def("itd_equivalent", [](const TensorDomain &a, const TensorDomain &b) {
    static constexpr const char *kNames[] = {"no", "modulo-padding", "yes", "unknown"};
    EquivResult result = equivalent(a, b);
    return nb::make_tuple(kNames[static_cast<int>(result.kind)], result.position, result.reason);
  });
  m.def("itd_can_bulk_access", [](const Sizes &extents, const Sizes &strides, int64_t width) {
    return fromVerdict(check(canBulkAccess(extents, strides, width)));
  });
  m.def("itd_required_fill", [](const std::string &op, const std::string &dtype) {
    std::optional<Consumer> reader = consumer(op);
    if (!reader)
      throw Refused("expected a consumer such as sum or softmax");
    FillRequirement fill = requiredFill(*reader, formatNamed(dtype));
    bool constant = fill.kind == FillRequirement::Fill || fill.kind == FillRequirement::FillOrReplicate;
    return nb::make_tuple(constant ? "constant" : fill.str(), fill.want, fill.kind == FillRequirement::FillOrReplicate,
                          fill.logicalCount, fill.refill);
  });
}
