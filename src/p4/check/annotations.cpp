// Annotations that have a meaning, and structured ones, whose values are typed (specification, section 18).
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

/// String literals joined by `++` and nothing else.
bool is_string(const ast::Annotation& annotation) {
  std::size_t joints = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < annotation.body.size(); ++i) {
    const char c = annotation.body[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && c == '+') {
      ++joints;
    } else if (!in_string && c != ' ') {
      return false;
    }
  }
  return !annotation.strings.empty() && joints == 2 * (annotation.strings.size() - 1);
}

/// `"URI", bit<N>`, `"URI", string`, `"URI", N`.
bool is_translation(std::string_view body) {
  auto skip = [&](std::string_view text) {
    while (body.starts_with(' ')) body.remove_prefix(1);
    if (!body.starts_with(text)) return false;
    body.remove_prefix(text.size());
    while (body.starts_with(' ')) body.remove_prefix(1);
    return true;
  };
  auto skip_number = [&] {
    const std::size_t digits = std::min(body.find_first_not_of("0123456789"), body.size());
    body.remove_prefix(digits);
    return digits > 0;
  };
  if (!skip("\"")) return false;
  const std::size_t end = body.find('"');
  if (end == std::string_view::npos) return false;
  body.remove_prefix(end + 1);
  if (!skip(",")) return false;
  if (skip("string")) return body.empty();
  const bool is_bits = skip("bit");
  if (is_bits && !skip("<")) return false;
  return skip_number() && (!is_bits || skip(">")) && body.empty();
}

}  // namespace

void Checker::check_annotations(const ast::Annotations& annotations) {
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const ast::Annotation& annotation = *annotations[i];
    for (std::size_t j = 0; j < i; ++j) {
      const ast::Annotation& earlier = *annotations[j];
      if (earlier.name.text != annotation.name.text || (!earlier.structured && !annotation.structured))
        continue;
      diagnostics_.report(diag::kBadAnnotation, annotation.span,
                          fmt::format("annotation '@{}' stands twice", annotation.name.text));
      diagnostics_.note(earlier.span, "the first one");
      break;
    }
    if (annotation.structured) {
      check_structured_annotation(annotation);
    } else {
      check_unstructured_annotation(annotation);
    }
  }
}

void Checker::check_structured_annotation(const ast::Annotation& annotation) {
  auto check_value = [&](const ast::Expression& value) {
    const Type* type = check_expression(value);
    if (type->is(TypeKind::Unknown)) return;
    if (!type->is(TypeKind::InfInt) && !type->is(TypeKind::String) && !type->is(TypeKind::Bool)) {
      diagnostics_.report(
          diag::kBadAnnotation, value.span,
          fmt::format("a value in an annotation is an int, a bool or a string, not '{}'", to_string(type)));
    } else if (!known_value(value)) {
      diagnostics_.report(diag::kNotKnown, value.span, "a value in an annotation");
    }
  };
  for (const ast::Expression* value : annotation.expressions) check_value(*value);
  for (const auto& [key, value] : annotation.entries) check_value(*value);
}

void Checker::check_unstructured_annotation(const ast::Annotation& annotation) {
  const std::string& name = annotation.name.text;
  if (name == "name" || name == "deprecated" || name == "noWarn") {
    if (!is_string(annotation)) {
      diagnostics_.report(diag::kBadAnnotation, annotation.span, fmt::format("'@{}' takes a string", name));
    }
  } else if (name == "p4runtime_translation") {
    if (!is_translation(annotation.body)) {
      diagnostics_.report(
          diag::kBadAnnotation, annotation.span,
          "'@p4runtime_translation' takes a URI and one of: bit<N>, string, a number of bits");
    }
  } else if (name == "match") {
    if (match_kinds_.contains(annotation.body)) return;
    std::vector<std::string> known;
    for (const auto& [kind, member] : match_kinds_) known.emplace_back(kind);
    std::ranges::sort(known);
    diagnostics_.report(diag::kUnknownMatchKind, annotation.span, annotation.body,
                        did_you_mean(annotation.body, known));
  } else if (name == "pkginfo" && annotation.body.empty()) {
    diagnostics_.report(diag::kBadAnnotation, annotation.span,
                        "'@pkginfo' takes a list: @pkginfo[key = value]");
  }
}

}  // namespace perfpact::p4
