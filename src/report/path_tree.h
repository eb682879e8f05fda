// Explored paths as a picture: DOT text for Graphviz. What paths do alike from the start on is drawn once.
//
//   digraph paths {
//     n0 [label="router.p4", shape=circle];
//     n1 [label="parser start"]; n0 -> n1;
//     ...
//     n4 [label="sent(1)\n2 paths", shape=oval]; n3 -> n4;
//   }
//
// Ends with the same verdict behind the same steps, which only branches tell apart, are one with their
// number. Tested by tests/golden/paths/picture.golden.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/trace.h"

namespace perfpact::report {

class PathTree {
 public:
  /// The trace of a witness of the path, and the path's verdict.
  void add(const program::Trace& trace, const std::string& verdict, bool with_ranks);
  /// `title` is the root.
  [[nodiscard]] std::string to_dot(std::string_view title) const;

 private:
  struct Node {
    std::string text;
    std::size_t parent = 0;
    std::size_t ends = 0;  // paths that end here; then `text` is a verdict
    std::map<std::string, std::size_t> children;
  };
  std::size_t child(std::size_t node, const std::string& text);

  std::vector<Node> nodes_{Node()};
};

}  // namespace perfpact::report
