// The tree as text: a node a line, `kind line:column details`, children indented below. What built-in files
// declare is only counted.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "p4/syntax/ast_text.h"
#include "p4/syntax/parser.h"

namespace perfpact::p4 {
namespace {

using namespace ast;

// In the order of NodeKind.
constexpr std::array kKindNames = std::to_array<std::string_view>({"integer",
                                                                   "bool",
                                                                   "string",
                                                                   "name",
                                                                   "member",
                                                                   "index",
                                                                   "slice",
                                                                   "plus_slice",
                                                                   "unary",
                                                                   "binary",
                                                                   "conditional",
                                                                   "cast",
                                                                   "call",
                                                                   "constructor_call",
                                                                   "list",
                                                                   "struct_literal",
                                                                   "invalid_header",
                                                                   "dots",
                                                                   "this",
                                                                   "type_name",
                                                                   "mask",
                                                                   "range",
                                                                   "default",
                                                                   "tuple_key",
                                                                   "bit_type",
                                                                   "varbit_type",
                                                                   "int_type",
                                                                   "bool_type",
                                                                   "error_type",
                                                                   "match_kind_type",
                                                                   "string_type",
                                                                   "void_type",
                                                                   "dont_care_type",
                                                                   "named_type",
                                                                   "specialized_type",
                                                                   "array_type",
                                                                   "tuple_type",
                                                                   "list_type",
                                                                   "assign",
                                                                   "call_statement",
                                                                   "if",
                                                                   "block",
                                                                   "empty",
                                                                   "return",
                                                                   "exit",
                                                                   "break",
                                                                   "continue",
                                                                   "switch",
                                                                   "for",
                                                                   "for_in",
                                                                   "declare",
                                                                   "constant",
                                                                   "variable",
                                                                   "instance",
                                                                   "value_set",
                                                                   "extern",
                                                                   "method",
                                                                   "function",
                                                                   "action",
                                                                   "parser",
                                                                   "parser_type",
                                                                   "control",
                                                                   "control_type",
                                                                   "package",
                                                                   "struct",
                                                                   "enum",
                                                                   "error",
                                                                   "match_kind",
                                                                   "typedef",
                                                                   "newtype",
                                                                   "table",
                                                                   "state",
                                                                   "parameter",
                                                                   "type_parameter",
                                                                   "enum_member",
                                                                   "field",
                                                                   "annotation",
                                                                   "select_case",
                                                                   "switch_case",
                                                                   "key",
                                                                   "action_ref",
                                                                   "entry",
                                                                   "property"});

class Dumper {
 public:
  explicit Dumper(const SourceManager& sources) : sources_(sources) {}

  std::string run(const Ast& tree) {
    FileId file = FileId::None;
    for (std::size_t i = 0; i < tree.declarations.size();) {
      const Declaration* declaration = tree.declarations[i];
      if (declaration->span.file != file) {
        file = declaration->span.file;
        std::size_t count = 1;
        while (i + count < tree.declarations.size() && tree.declarations[i + count]->span.file == file)
          ++count;
        out_ += fmt::format("file {}: {} declarations\n", sources_.name(file), count);
        if (sources_.name(file).starts_with('<')) {
          i += count;
          continue;
        }
      }
      declare(*declaration);
      ++i;
    }
    return std::move(out_);
  }

 private:
  /// Writes the line of a node; its children follow while the result lives.
  class Children {
   public:
    explicit Children(int& depth) : depth_(depth) { ++depth_; }
    ~Children() { --depth_; }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

   private:
    int& depth_;
  };
  [[nodiscard]] Children line(const Node& node, std::string_view details = "") {
    fmt::format_to(std::back_inserter(out_), "{:{}}{} {}:{}{}{}\n", "", depth_ * 2,
                   kKindNames.at(static_cast<std::size_t>(node.kind)), node.span.begin.line,
                   node.span.begin.column, details.empty() ? "" : " ", details);
    return Children(depth_);
  }

  /// A heading without a place, for a part of a node; children follow.
  [[nodiscard]] Children part(std::string_view name) {
    fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", depth_ * 2, name);
    return Children(depth_);
  }

  void annotate(const Annotations& annotations) {
    for (const Annotation* annotation : annotations) {
      std::string details = annotation->name.text;
      if (!annotation->body.empty()) details += fmt::format("({})", annotation->body);
      if (annotation->structured) {
        std::string values =
            join_text(annotation->expressions, [](const Expression* e) { return to_source(*e); });
        std::string entries = join_text(annotation->entries, [](const auto& entry) {
          return fmt::format("{} = {}", entry.first.text, to_source(*entry.second));
        });
        details += fmt::format("[{}{}]", values, entries);
      }
      Children children = line(*annotation, details);
    }
  }

  void expression(std::string_view name, const Expression* value) {
    if (value != nullptr)
      fmt::format_to(std::back_inserter(out_), "{:{}}{} {}:{} {}\n", "", depth_ * 2, name,
                     value->span.begin.line, value->span.begin.column, to_source(*value));
  }

  void statement(const Statement* node) {
    if (node == nullptr) return;
    if (const auto* declared = dyn_cast<DeclarationStatement>(node)) return declare(*declared->declaration);
    if (const auto* assign = dyn_cast<Assign>(node)) {
      Children children =
          line(*node, fmt::format("{} {}= {}", to_source(*assign->left),
                                  assign->op ? ast::spelling(*assign->op) : "", to_source(*assign->right)));
      return;
    }
    if (const auto* call = dyn_cast<CallStatement>(node)) {
      Children children = line(*node, to_source(*call->call));
      return;
    }
    Children children = line(*node, head(*node));
    compound(*node);
  }

  static std::string head(const Statement& node) {
    if (const auto* branch = dyn_cast<If>(&node)) return to_source(*branch->condition);
    if (const auto* choice = dyn_cast<Switch>(&node)) return to_source(*choice->subject);
    if (const auto* loop = dyn_cast<For>(&node)) return to_source(*loop->condition);
    if (const auto* loop = dyn_cast<ForIn>(&node))
      return fmt::format("{} {} in {}", to_source(*loop->variable->type), loop->variable->name.text,
                         to_source(*loop->collection));
    if (const auto* back = dyn_cast<Return>(&node); back != nullptr && back->value != nullptr)
      return to_source(*back->value);
    return "";
  }

  void compound(const Statement& node) {
    if (const auto* block = dyn_cast<Block>(&node)) {
      annotate(block->annotations);
      for (const Statement* each : block->statements) statement(each);
    } else if (const auto* branch = dyn_cast<If>(&node)) {
      statement(branch->then_branch);
      if (branch->else_branch == nullptr) return;
      Children otherwise = part("else");
      statement(branch->else_branch);
    } else if (const auto* choice = dyn_cast<Switch>(&node)) {
      for (const SwitchCase* each : choice->cases) {
        Children children = line(*each, to_source(*each->label));
        statement(each->body);
      }
    } else if (const auto* loop = dyn_cast<For>(&node)) {
      annotate(loop->annotations);
      {
        Children init = part("init");
        for (const Statement* each : loop->init) statement(each);
      }
      {
        Children update = part("update");
        for (const Statement* each : loop->update) statement(each);
      }
      statement(loop->body);
    } else if (const auto* walk = dyn_cast<ForIn>(&node)) {
      annotate(walk->annotations);
      statement(walk->body);
    }
  }

  template <class Node>
  void signature(const Node& node) {
    if constexpr (requires { node.type_parameters; })
      for (const TypeParameter* each : node.type_parameters) declare(*each);
    if constexpr (requires { node.parameters; })
      for (const Parameter* each : node.parameters) declare(*each);
    if constexpr (requires { node.constructor_parameters; }) {
      if (node.constructor_parameters.empty()) return;
      Children children = part("constructor");
      for (const Parameter* each : node.constructor_parameters) declare(*each);
    }
  }

  void declare(const Declaration& node) {
    Children children = line(node, details(node));
    annotate(node.annotations);
    switch (node.kind) {
      case NodeKind::Instance:
        for (const Declaration* each : cast<Instance>(&node)->block) declare(*each);
        return;
      case NodeKind::Extern:
        signature(*cast<Extern>(&node));
        for (const Method* each : cast<Extern>(&node)->methods) declare(*each);
        return;
      case NodeKind::Method:
        return signature(*cast<Method>(&node));
      case NodeKind::Function:
        signature(*cast<Function>(&node));
        return statement(cast<Function>(&node)->body);
      case NodeKind::Action:
        signature(*cast<Action>(&node));
        return statement(cast<Action>(&node)->body);
      case NodeKind::ParserType:
        return signature(*cast<ParserType>(&node));
      case NodeKind::ControlType:
        return signature(*cast<ControlType>(&node));
      case NodeKind::Package:
        return signature(*cast<Package>(&node));
      case NodeKind::Parser:
        signature(*cast<Parser>(&node));
        for (const Declaration* each : cast<Parser>(&node)->locals) declare(*each);
        for (const State* each : cast<Parser>(&node)->states) declare(*each);
        return;
      case NodeKind::Control:
        signature(*cast<Control>(&node));
        for (const Declaration* each : cast<Control>(&node)->locals) declare(*each);
        return statement(cast<Control>(&node)->body);
      case NodeKind::Struct:
        signature(*cast<Struct>(&node));
        for (const Field* each : cast<Struct>(&node)->fields) declare(*each);
        return;
      case NodeKind::Typedef:
        if (const Declaration* declared = cast<Typedef>(&node)->declared) declare(*declared);
        return;
      case NodeKind::Table:
        return table(*cast<Table>(&node));
      case NodeKind::State:
        return state(*cast<State>(&node));
      case NodeKind::Enum:
        return members(cast<Enum>(&node)->members);
      case NodeKind::ErrorDeclaration:
        return members(cast<ErrorDeclaration>(&node)->members);
      case NodeKind::MatchKindDeclaration:
        return members(cast<MatchKindDeclaration>(&node)->members);
      default:
        return;
    }
  }

  void members(const std::vector<EnumMember*>& all) {
    for (const EnumMember* each : all) declare(*each);
  }

  static std::string with_value(const Expression* value) {
    return value == nullptr ? "" : " = " + to_source(*value);
  }
  static std::string_view direction(Direction direction) {
    switch (direction) {
      case Direction::In:
        return "in ";
      case Direction::Out:
        return "out ";
      case Direction::InOut:
        return "inout ";
      case Direction::None:
        break;
    }
    return "";
  }

  /// Name, type and value of a declaration.
  static std::string details(const Declaration& node) {
    std::string name = node.name.text;
    auto typed = [&](const Type* type) {
      return type == nullptr ? name : fmt::format("{} {}", to_source(*type), name);
    };
    switch (node.kind) {
      case NodeKind::Constant:
        return typed(cast<Constant>(&node)->type) + with_value(cast<Constant>(&node)->value);
      case NodeKind::Variable:
        return typed(cast<Variable>(&node)->type) + with_value(cast<Variable>(&node)->initializer);
      case NodeKind::Instance: {
        auto argument = [](const Argument& a) {
          return fmt::format("{}{}", a.name ? a.name->text + " = " : "",
                             a.value == nullptr ? "_" : to_source(*a.value));
        };
        return fmt::format("{}({})", typed(cast<Instance>(&node)->type),
                           join_text(cast<Instance>(&node)->arguments, argument));
      }
      case NodeKind::ValueSet:
        return fmt::format("{} size {}", typed(cast<ValueSet>(&node)->element),
                           to_source(*cast<ValueSet>(&node)->size));
      case NodeKind::Extern:
        return name + (cast<Extern>(&node)->is_forward ? " forward" : "");
      case NodeKind::Method:
        return (cast<Method>(&node)->is_abstract ? "abstract " : "") +
               typed(cast<Method>(&node)->return_type);
      case NodeKind::Function:
        return (cast<Function>(&node)->is_extern() ? "extern " : "") +
               typed(cast<Function>(&node)->return_type);
      case NodeKind::Parameter: {
        const auto& parameter = *cast<Parameter>(&node);
        return fmt::format("{}{}{}", direction(parameter.direction), typed(parameter.type),
                           with_value(parameter.default_value));
      }
      case NodeKind::Field:
        return typed(cast<Field>(&node)->type);
      case NodeKind::Typedef:
        return typed(cast<Typedef>(&node)->type);
      case NodeKind::Newtype:
        return typed(cast<Newtype>(&node)->type);
      case NodeKind::Enum:
        return typed(cast<Enum>(&node)->underlying);
      case NodeKind::EnumMember:
        return name + with_value(cast<EnumMember>(&node)->value);
      case NodeKind::Struct: {
        static constexpr std::array<std::string_view, 3> kKinds = {"struct", "header", "header_union"};
        return fmt::format("{} {}", kKinds.at(static_cast<std::size_t>(cast<Struct>(&node)->struct_kind)),
                           name);
      }
      default:
        return name;
    }
  }

  static std::string action_text(const ActionElement& action) {
    std::string result = to_source(*action.action);
    if (!action.has_arguments) return result;
    auto argument = [](const Argument& a) {
      return fmt::format("{}{}", a.name ? a.name->text + " = " : "",
                         a.value == nullptr ? "_" : to_source(*a.value));
    };
    return fmt::format("{}({})", result, join_text(action.arguments, argument));
  }

  void table(const Table& node) {
    for (const KeyElement* key : node.keys) {
      Children children =
          line(*key, fmt::format("{}: {}", to_source(*key->expression), key->match_kind.text));
      annotate(key->annotations);
    }
    for (const ActionElement* action : node.actions) {
      Children children = line(*action, action_text(*action));
      annotate(action->annotations);
    }
    for (const TableEntry* entry : node.entries) {
      std::string priority =
          entry->priority == nullptr ? "" : fmt::format("priority {}: ", to_source(*entry->priority));
      Children children =
          line(*entry, fmt::format("{}{}{}: {}", node.entries_are_const || entry->is_const ? "const " : "",
                                   priority, to_source(*entry->keyset), action_text(*entry->action)));
      annotate(entry->annotations);
    }
    for (const TableProperty* property : node.properties) {
      Children children = line(*property, fmt::format("{}{} = {}", property->is_const ? "const " : "",
                                                      property->name.text, to_source(*property->value)));
      annotate(property->annotations);
    }
  }

  void state(const State& node) {
    for (const Statement* each : node.statements) statement(each);
    if (!node.has_transition) return;
    if (!node.is_select) {
      Children children = part("transition " + node.next_state.text);
      return;
    }
    Children select = part("select");
    for (const Expression* each : node.select_arguments) expression("on", each);
    for (const SelectCase* each : node.cases) {
      Children children = line(*each, fmt::format("{}: {}", to_source(*each->keyset), each->state.text));
    }
  }

  const SourceManager& sources_;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string dump(const Ast& ast, const SourceManager& sources) {
  return Dumper(sources).run(ast);
}

}  // namespace perfpact::p4
