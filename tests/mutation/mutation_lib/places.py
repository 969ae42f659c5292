"""Where a source file can be changed: walks what libclang parses."""

import re
import subprocess

from clang import cindex

from . import rewriting
from .rewriting import Mutant

Kind = cindex.CursorKind
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR,
             Kind.FUNCTION_TEMPLATE, Kind.CONVERSION_FUNCTION)
COMMON_HEADERS = (rewriting.HEADER, "core/graph/graph.hpp", "core/graph/node.hpp",
                  "transformations/analysis/constants.hpp", "transformations/pass/rewriter.hpp")
STATEMENT_PARENTS = (Kind.COMPOUND_STMT, Kind.IF_STMT, Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT,
                     Kind.CASE_STMT, Kind.DEFAULT_STMT)
EXPRESSIONS = (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR,
               Kind.UNARY_OPERATOR, Kind.UNEXPOSED_EXPR)
# What these say is text for people, or a claim about Rondo itself.
SKIPPED_CALLS = ("internal_check", "reserve", "shrink_to_fit", "to_string")
SKIPPED_KINDS = (Kind.STATIC_ASSERT, Kind.CXX_THROW_EXPR, Kind.ENUM_DECL, Kind.STRING_LITERAL,
                 Kind.PARM_DECL, Kind.TEMPLATE_REF, Kind.TYPE_REF)
TEXT_TYPES = re.compile(r"(const )?(std::(__cxx11::)?basic_string|char( const)? ?[*\[])")
SMALL_NUMBER = re.compile(r"\d+(\.\d+)?[uUlLfF]*")


def resource_folder():
    return subprocess.run(["clang-14", "-print-resource-dir"], check=True, capture_output=True,
                          text=True).stdout.strip()


class Walk:
    """Collects the mutants of one file."""

    def __init__(self, unit, path, name):
        self.path = str(path)
        self.name = name
        self.source = path.read_bytes()
        self.found = {}
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.path:
                self.visit(cursor, [])

    def text(self, cursor):
        return self.between(cursor.extent.start.offset, cursor.extent.end.offset)

    def between(self, start, end):
        return self.source[start:end].decode(errors="replace")

    def add(self, extent, pair):
        if pair is None or extent.start.file is None or extent.start.file.name != self.path:
            return
        start, end = extent.start.offset, extent.end.offset
        if start < end:
            self.put(start, end, extent.start.line, pair)

    def put(self, start, end, line, pair):
        what, code = pair
        self.found[(start, end, what)] = Mutant(self.name, line, start, end, what, code)

    def visit(self, cursor, parents):
        if cursor.kind in SKIPPED_KINDS:
            return
        if is_text(cursor) or is_skipped_call(cursor) or self.is_constexpr(cursor):
            return
        self.change(cursor, parents)
        children = list(cursor.get_children())
        if cursor.kind == Kind.CASE_STMT:
            children = children[1:]
        for child in children:
            self.visit(child, [*parents, cursor])

    def is_constexpr(self, cursor):
        if cursor.kind == Kind.IF_STMT:
            return self.text(cursor).startswith("if constexpr")
        if cursor.kind not in (*FUNCTIONS, Kind.VAR_DECL):
            return False
        return re.match(r"[^({=]*\b(constexpr|consteval|constinit)\b", self.text(cursor)) is not None

    def change(self, cursor, parents):
        parent = parents[-1] if parents else None
        self.change_statement(cursor, parent)
        if cursor.kind == Kind.BINARY_OPERATOR:
            self.change_operator(cursor, parent)
        elif cursor.kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR):
            self.change_condition(cursor)
        elif cursor.kind == Kind.RETURN_STMT:
            self.change_return(cursor, parents)
        elif cursor.kind in (Kind.BREAK_STMT, Kind.CONTINUE_STMT):
            self.add(cursor.extent, rewriting.jump_removed(self.text(cursor)))
        elif cursor.kind in FUNCTIONS and cursor.result_type.kind == cindex.TypeKind.VOID:
            self.change_body(cursor)
        elif cursor.kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL):
            self.change_number(cursor, parent)
        elif cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
            self.add(cursor.extent, rewriting.other_truth(self.text(cursor)))
        elif cursor.kind == Kind.UNARY_OPERATOR and self.text(cursor).startswith("!"):
            self.add(cursor.extent, rewriting.negated(self.text(cursor)))
        elif cursor.kind == Kind.CALL_EXPR and cursor.spelling in ("operator==", "operator!="):
            self.add(cursor.extent, rewriting.negated(self.text(cursor)))

    def change_operator(self, cursor, parent):
        left, right = cursor.get_children()
        operator = self.between(left.extent.end.offset, right.extent.start.offset).strip()
        in_for = parent is not None and parent.kind == Kind.FOR_STMT
        self.add(cursor.extent, rewriting.other_operator(self.text(left), operator,
                                                         self.text(right), in_for))

    def change_condition(self, cursor):
        condition = next(cursor.get_children())
        before = self.between(cursor.extent.start.offset, condition.extent.start.offset)
        if re.fullmatch(r"((if|while)\s*\(\s*)?", before) and condition.kind.is_expression():
            self.add(condition.extent, rewriting.negated(self.text(condition)))

    def change_return(self, cursor, parents):
        value = next(cursor.get_children(), None)
        if value is None:
            return
        text = self.text(value)
        if value.type.get_canonical().spelling in ("bool", "const bool"):
            self.add(value.extent, rewriting.negated(text))
        elif result_is_object(parents) and text not in ("{}", "nullptr", "std::nullopt"):
            self.add(cursor.extent, rewriting.empty_return(self.text(cursor)))

    def change_body(self, cursor):
        body = [child for child in cursor.get_children() if child.kind == Kind.COMPOUND_STMT]
        if body and next(body[0].get_children(), None) is not None:
            start = body[0].extent.start
            if start.file and start.file.name == self.path:
                self.put(start.offset + 1, start.offset + 1, start.line, rewriting.early_return())

    def change_number(self, cursor, parent):
        text = self.text(cursor)
        if not SMALL_NUMBER.fullmatch(text):
            return
        cast = parent is not None and parent.kind == Kind.UNEXPOSED_EXPR
        type_name = parent.type.get_canonical().spelling if cast else ""
        self.add(cursor.extent, rewriting.changed_number(text, type_name))

    def change_statement(self, cursor, parent):
        if parent is None or parent.kind not in STATEMENT_PARENTS or cursor.kind not in EXPRESSIONS:
            return
        behind = self.between(cursor.extent.end.offset, cursor.extent.end.offset + 1)
        if behind == ";" and not self.is_part_of_for(cursor, parent):
            self.add(cursor.extent, rewriting.removed(self.text(cursor)))

    def is_part_of_for(self, cursor, parent):
        """Whether it is the condition or the step of a loop, not its body."""
        last = list(parent.get_children())[-1]
        return parent.kind == Kind.FOR_STMT and cursor != last


def is_text(cursor):
    return cursor.kind.is_expression() and bool(
        TEXT_TYPES.match(cursor.type.get_canonical().spelling))


def is_skipped_call(cursor):
    if cursor.kind == Kind.UNEXPOSED_EXPR:
        children = list(cursor.get_children())
        return len(children) == 1 and is_skipped_call(children[0])
    return cursor.kind == Kind.CALL_EXPR and cursor.spelling in SKIPPED_CALLS


def result_is_object(parents):
    """Whether the function around returns an object or a pointer, so that {} is none of them."""
    for cursor in reversed(parents):
        if cursor.kind == Kind.LAMBDA_EXPR:
            return True
        if cursor.kind in FUNCTIONS:
            return cursor.result_type.get_canonical().kind in (
                cindex.TypeKind.RECORD, cindex.TypeKind.POINTER, cindex.TypeKind.UNEXPOSED)
    return False


def precompile(tree, flags, to):
    """Compiles the headers that most files include; parsing a file then takes a third of the time."""
    header = to.with_suffix(".hpp")
    header.write_text("".join(f'#include "{name}"\n' for name in COMMON_HEADERS
                              if (tree / name).exists()))
    unit = cindex.Index.create().parse(str(header), ["-x", "c++-header", *flags],
                                       options=cindex.TranslationUnit.PARSE_INCOMPLETE)
    fail_if_broken(unit, header)
    unit.save(str(to))


def fail_if_broken(unit, path):
    """Fatal errors are headers that aren't there."""
    for one in unit.diagnostics:
        if one.severity == cindex.Diagnostic.Fatal:
            raise RuntimeError(f"{path}: {one.spelling}")


class Parser:
    """Parses a file of the tree, and says whether it compiles with a mutant."""

    def __init__(self, tree, name, flags):
        self.path = tree / name
        self.unit = cindex.Index.create().parse(str(self.path), flags)
        fail_if_broken(self.unit, self.path)
        self.source = self.path.read_bytes()
        self.mutants = list(Walk(self.unit, self.path, name).found.values())

    def errors(self):
        """Those in the file itself; clang 14 finds some in headers that it has precompiled."""
        return [one.spelling for one in self.unit.diagnostics
                if one.severity >= cindex.Diagnostic.Error and one.location.file
                and one.location.file.name == str(self.path)]

    def compiles(self, mutant):
        text = rewriting.with_mutants(self.source, [mutant])
        self.unit.reparse([(str(self.path), text.decode())])
        return not self.errors()
