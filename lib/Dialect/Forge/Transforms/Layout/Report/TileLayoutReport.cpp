//===- TileLayoutReport.cpp - sizes of values in tiles --------------------===//
//
// The device stores the two trailing axes of a tensor in tiles of 32 x 32 elements. The report says for each value how
// many tiles and bytes that takes and how much of them is padding, and for each slice how many tiles it moves.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Transforms/Layout/Report/TileLayoutReport.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"
#include "forge/IterDomain/Predicates.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

#define GEN_PASS_DEF_FORGETILELAYOUTREPORTPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Rounds to a multiple of 1 / `steps`, so that the JSON of equal reports is equal.
static double rounded(double value, double steps) { return std::round(value * steps) / steps; }

// The numbers of tiles that slices move, on three kinds of backends (SliceTraffic.h).
static void writeTraffic(llvm::json::OStream &json, const itd::SliceTraffic &traffic) {
  json.attribute("traffic_ttnn", traffic.ttnn);
  json.attribute("traffic_windowed", traffic.windowed);
  json.attribute("traffic_view", traffic.view);
}

namespace {
/// The layout of values of one type.
struct TypeLayout {
  std::optional<itd::LayoutReport> report; ///< none if a number of elements or bytes is above 2^63
  std::string format;
  int64_t logicalBytes = 0;
  std::string predicates; ///< the bounds checks that tell elements from padding (Predicates.h); "none" without padding
  int64_t minimalCount = 0, naiveCount = 0; ///< the numbers of minimalPredicates() and naivePredicates()

  /// Writes the JSON attributes of a value of `type`.
  void print(llvm::json::OStream &json, RankedTensorType type) const {
    json.attribute("format", format);
    json.attribute("shape", llvm::json::Array(type.getShape()));
    if (!report)
      return;
    json.attribute("padded", llvm::json::Array(report->padded));
    json.attribute("tiles", report->tiles);
    json.attribute("bytes", report->bytes);
    json.attribute("bytes_logical", logicalBytes);
    json.attribute("padding", report->padding);
    // An empty tensor has neither: 0 of 0.
    json.attribute("padding_pct",
                   report->allocated ? rounded(report->paddingPercent, 100) : llvm::json::Value(nullptr));
    json.attribute("ratio", report->logical ? rounded(report->ratio, 10000) : llvm::json::Value(nullptr));
    json.attribute("predicates", predicates);
    json.attribute("predicates_minimal", minimalCount);
    json.attribute("predicates_naive", naiveCount);
  }
};

/// The layout of a slice.
struct SliceLayout {
  itd::SliceClass sliceClass;
  itd::SliceTraffic traffic;
};

/// Sums over all values and slices.
struct Totals {
  int64_t values = 0, tooLarge = 0;               ///< all values, and those without a report, which count in no sum
  int64_t tiles = 0, bytes = 0, logicalBytes = 0; ///< `bytes` are those of the tiles, `logicalBytes` of the elements
  int64_t allocatedElements = 0, logicalElements = 0; ///< with and without padding
  int64_t minimalPredicates = 0, naivePredicates = 0; ///< numbers of bounds checks (Predicates.h)
  itd::SliceTraffic traffic;
  std::map<std::string, int64_t> classes; ///< the number of slices of each itd::SliceClass

  void add(const TypeLayout &facts) {
    ++values;
    if (!facts.report) {
      ++tooLarge;
      return;
    }
    for (auto [sum, count] :
         {std::pair(&tiles, facts.report->tiles), std::pair(&bytes, facts.report->bytes),
          std::pair(&logicalBytes, facts.logicalBytes), std::pair(&allocatedElements, facts.report->allocated),
          std::pair(&logicalElements, facts.report->logical), std::pair(&minimalPredicates, facts.minimalCount),
          std::pair(&naivePredicates, facts.naiveCount)})
      *sum = addCounts(*sum, count);
  }

  void add(const SliceLayout &slice) {
    ++classes[itd::name(slice.sliceClass).str()];
    traffic = {addCounts(traffic.ttnn, slice.traffic.ttnn), addCounts(traffic.windowed, slice.traffic.windowed),
               addCounts(traffic.view, slice.traffic.view)};
  }

  double ratio() const { return logicalBytes == 0 ? 0 : double(bytes) / double(logicalBytes); }

  void print(llvm::json::OStream &json) const {
    json.attribute("values", values);
    json.attribute("values_too_large", tooLarge);
    json.attribute("tiles", tiles);
    json.attribute("bytes", bytes);
    json.attribute("bytes_logical", logicalBytes);
    json.attribute("padding", allocatedElements - logicalElements);
    double allocated = allocatedElements, logical = logicalElements;
    double percent = allocated == 0 ? 0 : 100.0 * (allocated - logical) / allocated;
    json.attribute("padding_pct", rounded(percent, 100));
    json.attribute("ratio", rounded(ratio(), 10000));
    json.attribute("predicates_minimal", minimalPredicates);
    json.attribute("predicates_naive", naivePredicates);
    writeTraffic(json, traffic);
    json.attributeObject("slice_classes", [&] {
      for (const auto &[name, count] : classes)
        json.attribute(name, count);
    });
  }

  std::string str() const {
    std::string slices = classes.empty() ? " none" : "";
    for (const auto &[name, count] : classes)
      slices += (" " + llvm::Twine(count) + "x" + name).str();
    return llvm::formatv("{0} values, {1} bytes for {2} (ratio {3:f4}), slices:{4}, tile traffic: {5} ttnn, "
                         "{6} windowed, {7} view",
                         values, bytes, logicalBytes, ratio(), slices, traffic.ttnn, traffic.windowed, traffic.view);
  }
};

/// Writes the values of functions to `json` and as remarks, as far as they are wanted, and adds them to `totals`.
class Reporter {
public:
  Reporter(DeviceLayout layout, const TargetProfile &target, bool remarks, llvm::json::OStream *json)
      : layout(layout), target(target), remarks(remarks), json(json) {}

  /// Reports the arguments and results that the device stores. Functions of the CPU have none.
  void report(func::FuncOp func) {
    if (isHostFunction(func))
      return;
    function = llvm::json::fixUTF8(func.getSymName());
    if (json && !func.isExternal()) // Remarks do not have the contents of the padding.
      padding = predictPadding(func, target);
    for (BlockArgument argument : func.getArguments())
      report(argument);
    if (func.isExternal())
      return;
    // Not by the analysis manager, because the Python bindings write the report without a pass.
    ComputedWeights weights(func.front());
    func.walk([&](Operation *op) {
      // Ops that are evaluated for the weights file move nothing on the device. Their results count as weights.
      bool isComputed = weights.contains(op);
      if ((isComputed || isa<ParameterOp, ConstantOp>(op)) && !weights.isStored(op))
        return;
      for (Value result : op->getResults())
        report(result, /*mayBeSlice=*/!isComputed);
    });
  }

  Totals totals;

private:
  /// Adds `value` to the totals, and writes it and its remark. With `mayBeSlice`, the class of a slice is reported too.
  void report(Value value, bool mayBeSlice = true) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return;
    const TypeLayout &facts = layoutOf(type);
    totals.add(facts);
    std::optional<AxisSlice> range = mayBeSlice ? AxisSlice::of(value) : std::nullopt;
    std::optional<SliceLayout> slice = range ? layoutOf(*range) : std::nullopt;
    if (slice)
      totals.add(*slice);
    if (json)
      json->object([&] { writeValue(value, type, facts, slice); });
    if (remarks)
      remark(value, facts, slice);
  }

  /// Writes the attributes of one object of the list "values".
  void writeValue(Value value, RankedTensorType type, const TypeLayout &facts,
                  const std::optional<SliceLayout> &slice) {
    Operation *op = value.getDefiningOp();
    json->attribute("function", function);
    json->attribute("op", op ? op->getName().getStringRef() : "argument");
    json->attribute("node", llvm::json::fixUTF8(nodeName(value.getLoc())));
    json->attribute("number", op ? cast<OpResult>(value).getResultNumber() : cast<BlockArgument>(value).getArgNumber());
    facts.print(*json, type);
    if (slice) {
      json->attribute("slice_class", itd::name(slice->sliceClass));
      writeTraffic(*json, slice->traffic);
    }
    if (auto state = padding.find(value); state != padding.end()) {
      json->attribute("padding_rows", state->second.rows.str());
      json->attribute("padding_cols", state->second.cols.str());
      json->attribute("padding_corner", state->second.corner.str());
    }
  }

  void remark(Value value, const TypeLayout &facts, const std::optional<SliceLayout> &slice) {
    Operation *op = value.getDefiningOp();
    InFlightDiagnostic diagnostic = emitRemark(value.getLoc());
    diagnostic << (op ? op->getName().getStringRef() : "argument");
    if (llvm::StringRef name = nodeName(value.getLoc()); !name.empty())
      diagnostic << " '" << escaped(name) << "'";
    diagnostic << " " << value.getType() << ": ";
    if (!facts.report) {
      diagnostic << "too large for tiles";
      return;
    }
    const itd::LayoutReport &report = *facts.report;
    diagnostic << llvm::formatv("padded {0:$[x]}, {1} tiles, {2} bytes, padding {3:f2}%, predicates {4}",
                                llvm::make_range(report.padded.begin(), report.padded.end()), report.tiles,
                                report.bytes, report.allocated ? report.paddingPercent : 0, facts.predicates)
                      .str();
    if (slice)
      diagnostic << ", " << itd::name(slice->sliceClass);
  }

  /// The layout of values of this type, which is computed once.
  const TypeLayout &layoutOf(RankedTensorType type) {
    auto [entry, inserted] = layouts.try_emplace(type);
    TypeLayout &facts = entry->second;
    if (!inserted)
      return facts;
    itd::ElementFormat format = layout.format(type.getElementType());
    facts.format = format.name.str();
    facts.report = layout.report(type);
    if (facts.report)
      measure(type, format, facts);
    return facts;
  }

  /// Computes the bytes of a tensor of `type` without padding, and the predicates that tell elements from padding.
  static void measure(RankedTensorType type, const itd::ElementFormat &format, TypeLayout &facts) {
    // A block float stores one exponent byte per block.
    int64_t bits = format.bits * format.blockSize + (format.isBlockFloat() ? 8 : 0);
    int64_t blocks = llvm::divideCeil(facts.report->logical, format.blockSize);
    facts.logicalBytes = multiplyCounts(blocks, bits) / 8;
    SmallVector<int64_t> shape(type.getShape());
    if (shape.empty())
      shape.push_back(1);
    itd::TensorDomain domain =
        llvm::cantFail(itd::TensorDomain::tiled(SmallVector<itd::Extent>(shape.begin(), shape.end())),
                       "the report has built the same domain");
    SmallVector<itd::Predicate> predicates = itd::minimalPredicates(domain);
    facts.minimalCount = predicates.size();
    facts.naiveCount = itd::naivePredicates(domain).size();
    facts.predicates = itd::predicateString(domain, predicates);
  }

  /// The class and the traffic of a slice; none if the layout is too large.
  std::optional<SliceLayout> layoutOf(const AxisSlice &slice) const {
    std::optional<itd::SliceClass> sliceClass = layout.classOf(slice);
    std::optional<itd::SliceTraffic> traffic = layout.traffic(slice);
    return sliceClass && traffic ? std::optional(SliceLayout{*sliceClass, *traffic}) : std::nullopt;
  }

  DeviceLayout layout;
  const TargetProfile &target;
  bool remarks;
  llvm::json::OStream *json;
  std::string function; ///< the name of the current function
  llvm::DenseMap<Type, TypeLayout> layouts;
  llvm::DenseMap<Value, itd::PaddingState> padding; ///< the states of the values of the current function
};
} // namespace

LogicalResult forge::reportLayout(ModuleOp module, const LayoutReportOptions &options, llvm::raw_ostream *out) {
  FailureOr<DeviceLayout> layout = DeviceLayout::parse(module, options.format);
  FailureOr<const TargetProfile *> target = TargetProfile::parse(module, options.target);
  if (failed(layout) || failed(target))
    return failure();
  std::optional<llvm::json::OStream> json;
  if (out)
    json.emplace(*out);
  Reporter reporter(*layout, **target, options.remarks, json ? &*json : nullptr);
  auto reportAll = [&] {
    for (auto func : module.getOps<func::FuncOp>())
      reporter.report(func);
  };
  if (json) {
    json->object([&] {
      json->attributeArray("values", reportAll);
      json->attributeObject("totals", [&] { reporter.totals.print(*json); });
    });
    *out << "\n";
  } else {
    reportAll();
  }
  if (options.remarks)
    emitRemark(module.getLoc()) << reporter.totals.str();
  return success();
}

namespace {
struct ForgeTileLayoutReportPass : forge::impl::ForgeTileLayoutReportPassBase<ForgeTileLayoutReportPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    LayoutReportOptions options{format, remarks, target};
    std::string text;
    llvm::raw_string_ostream buffer(text);
    if (failed(reportLayout(getOperation(), options, json.empty() ? nullptr : &buffer)))
      return signalPassFailure();
    if (json.empty())
      return;
    std::error_code error;
    llvm::raw_fd_ostream file(json, error); // "-" is stdout
    if (!error) {
      file << text;
      file.flush();
      error = file.error();
      file.clear_error(); // A stream ends the process if it still has an error when it is destroyed.
    }
    if (error) {
      emitError(getOperation(), Code::LayoutUnknown) << "cannot write the layout report: " << error.message();
      signalPassFailure();
    }
  }
};
} // namespace
