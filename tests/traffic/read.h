// For tests: parts of recipes, read from text.
#pragma once
#include <gtest/gtest.h>

#include "../packet/reported.h"
#include "base/yaml.h"

namespace perfpact::traffic::test {

using perfpact::test::Folder;
using perfpact::test::reported;

class Reading : public ::testing::Test {
 protected:
  Reading() : diagnostics(sources) {}

  Yaml yaml(const std::string& text) { return *parse_yaml(sources.add("recipe.yaml", text), diagnostics); }

  SourceManager sources;
  Diagnostics diagnostics;
};

}  // namespace perfpact::traffic::test
