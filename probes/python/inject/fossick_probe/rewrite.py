"""Puts sites into a syntax tree, so that the code does what it did and tells what it decides.

Nothing gets a name: a site stands in the tree as a constant that no program contains, and is put
in its place when the code is loaded. Where a site has nothing more to measure, its flag `on` leads
to the plain expression; a large one is there only once and the site itself looks at the flag.
"""

import ast

MARK = b"\0fossick\0"
# The context variable, wherever it is needed.
EXIT = MARK + b"exit"
# An expression of more nodes than this is not put into the code twice.
LARGEST_TWICE = 40
LONGEST_LABEL = 80

WORDS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
ORDERED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
CASELESS = ("lower", "upper", "casefold", "strip")
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
SILENT = (ast.Global, ast.Nonlocal)
AFTERWARDS = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)
# What may not be wrapped: the compiler knows it by its name.
MAGIC = {"super", "locals", "globals", "vars", "dir", "eval", "exec"}


def rewrite(source, path, names):
    """The code object of a module with marks in it, and what stands behind each mark.

    The names are those of methods that are worth a look.
    """
    tree = ast.parse(source, path)
    rewriter = Rewriter(source, names, tree)
    rewriter.module(tree)
    return compile(tree, path, "exec", dont_inherit=True), rewriter.specs


class Rewriter(ast.NodeTransformer):
    def __init__(self, source, names, tree):
        self.names = names
        self.lines = ast_lines(source)
        self.specs = []
        self.ordinals = {}
        self.line_sites = {}
        self.own_names = defined_names(tree)
        # Whether the statement that is being visited may be the last of its function.
        self.is_last = False

    # Marks.

    def site(self, word, *fields):
        self.specs.append((word,) + fields)
        return len(self.specs) - 1

    def ordinal(self, line, kind):
        """Tells apart several of a kind on one line."""
        found = self.ordinals.get((line, kind), 0)
        self.ordinals[line, kind] = found + 1
        return found

    def label(self, node):
        """The beginning of the node's source."""
        try:
            line = self.lines[node.lineno - 1].encode()
            end = node.end_col_offset if node.end_lineno == node.lineno else None
            words = line[node.col_offset : end].decode("utf-8", "ignore").strip()
        except (IndexError, AttributeError):
            return ""
        return words[:LONGEST_LABEL]

    # Blocks of statements.

    def module(self, tree):
        tree.body = self.block(tree.body, is_top=True)

    def block(self, statements, is_top=False, is_last=False):
        """A list of statements with lines among them; the last one may be the end of a function."""
        out = []
        head = leading(statements) if is_top else 0
        for at, statement in enumerate(statements):
            if at < head or is_mute(statement):
                out.append(statement)
            else:
                out += self.statement(statement, is_last and at == len(statements) - 1)
        return out

    def statement(self, statement, is_last):
        at = statement
        site = self.line_site(statement)
        has_call = self.specs[site][3] is not None and self.is_entered(statement)
        mark = at_place(attribute(constant(site), "on"), at)
        hit = ast.If(test=mark, body=[call_statement(site, "hit", at)], orelse=[])
        before, after = [at_place(hit, at)], []
        if isinstance(statement, ast.Return) or (is_last and is_simple(statement)):
            before.append(self.exit(site, at))
        if has_call and isinstance(statement, AFTERWARDS):
            whole = ast.If(test=mark, body=[call_statement(site, "whole", at)], orelse=[])
            after.append(at_place(whole, at))
        self.is_last = is_last
        statement = self.visit(statement)
        if has_call and isinstance(statement, ast.Return):
            statement.value = self.returned(site, statement.value)
        return before + [statement] + after

    def line_site(self, statement):
        """One for each line, and one more for each further call on it."""
        line = statement.lineno
        call = None
        if self.is_entered(statement):
            call = self.ordinal(line, "call")
        found = self.line_sites.get(line)
        if found is None or call is not None:
            found = self.site("line", line, self.label(statement), call)
            self.line_sites.setdefault(line, found)
        return found

    def is_entered(self, statement):
        """Whether a simple statement contains a call."""
        simple = AFTERWARDS + (ast.Return,)
        value = statement.value if isinstance(statement, simple) else None
        return value is not None and any(isinstance(one, ast.Call) for one in inside(value))

    def exit(self, site, at):
        """Whoever leaves the function has been here last."""
        current = ast.Call(func=attribute(constant(EXIT), "get"), args=[], keywords=[])
        target = ast.Attribute(value=current, attr="last", ctx=ast.Store())
        return at_place(ast.Assign(targets=[target], value=constant(site)), at)

    def returned(self, site, value):
        """The value, and after it is there the note that the calls have returned."""
        note = ast.BoolOp(
            op=ast.And(),
            values=[attribute(constant(site), "on"), call(site, "whole", [])],
        )
        both = ast.Tuple(elts=[value, note], ctx=ast.Load())
        return at_place(
            ast.Subscript(value=both, slice=ast.Constant(value=0), ctx=ast.Load()), value
        )

    # Statements that hold others.

    def visit_FunctionDef(self, node):
        self.outside(node)
        head = leading(node.body)
        if all(is_mute(one) or isinstance(one, ast.Pass) for one in node.body[head:]):
            return node
        body = self.block(node.body[head:], is_last=True)
        site = self.site("function", node.lineno)
        at = node.body[head]
        leave = [call_statement(site, "left", at), at_place(ast.Raise(exc=None, cause=None), at)]
        kind = attribute(constant(site), "any")
        handler = ast.ExceptHandler(type=kind, name=None, body=leave)
        guard = ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
        node.body = node.body[:head] + [at_place(guard, at)]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def outside(self, node):
        """What of a function runs when it is defined, without its annotations."""
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        self.defaults(node.args)

    def defaults(self, arguments):
        arguments.defaults = [self.visit(one) for one in arguments.defaults]
        arguments.kw_defaults = [one and self.visit(one) for one in arguments.kw_defaults]

    def visit_Lambda(self, node):
        self.defaults(node.args)
        node.body = self.visit(node.body)
        return node

    def visit_ClassDef(self, node):
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        node.bases = [self.visit(one) for one in node.bases]
        node.keywords = [self.visit(one) for one in node.keywords]
        head = leading(node.body)
        node.body = node.body[:head] + self.block(node.body[head:])
        return node

    def blocks(self, node, *fields):
        is_last = self.is_last
        for field in fields:
            statements = getattr(node, field)
            if statements:
                setattr(node, field, self.block(statements, is_last=is_last))

    def visit_If(self, node):
        is_last = self.is_last
        node.test = self.condition(node.test)
        self.is_last = is_last
        self.blocks(node, "body", "orelse")
        return node

    visit_While = visit_If

    def visit_For(self, node):
        is_last = self.is_last
        node.iter = self.visit(node.iter)
        self.is_last = is_last
        self.blocks(node, "body", "orelse")
        return node

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        is_last = self.is_last
        for item in node.items:
            item.context_expr = self.visit(item.context_expr)
        self.is_last = is_last
        self.blocks(node, "body")
        return node

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        is_last = self.is_last
        self.blocks(node, "body")
        for handler in node.handlers:
            self.is_last = is_last
            self.blocks(handler, "body")
        self.is_last = is_last
        self.blocks(node, "orelse", "finalbody")
        return node

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        is_last = self.is_last
        cases = [self.case(case) for case in node.cases]
        site = self.site("match", tuple(cases))
        node.subject = at_place(call(site, "subject", [self.visit(node.subject)]), node.subject)
        for at, case in enumerate(node.cases):
            if case.guard is not None:
                case.guard = self.condition(case.guard)
            self.is_last = is_last
            self.blocks(case, "body")
            case.body.insert(0, self.took(site, at, case.body[0]))
        if not is_irrefutable(node.cases[-1]):
            node.cases.append(self.no_case(site, len(node.cases), node))
        return node

    def case(self, case):
        line = case.pattern.lineno
        return (
            line,
            self.ordinal(line, "branch"),
            "case " + self.label(case.pattern),
            literals(case.pattern),
        )

    def took(self, site, at, place):
        return at_place(ast.Expr(value=call(site, "took", [ast.Constant(value=at)])), place)

    def no_case(self, site, count, node):
        pattern = ast.MatchAs(pattern=None, name=None)
        body = [self.took(site, count, node)]
        return at_place(ast.match_case(pattern=pattern, guard=None, body=body), node)

    def visit_Assert(self, node):
        if not isinstance(node.test, ast.Tuple):
            node.test = self.condition(node.test)
        if node.msg is not None:
            node.msg = self.visit(node.msg)
        return node

    # Statements whose parts must stay as they are.

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node):
        node.value = self.visit(node.value)
        return node

    visit_AugAssign = visit_Assign

    def unchanged(self, node):
        return node

    visit_Delete = visit_TypeAlias = visit_Import = visit_ImportFrom = unchanged

    # Conditions.

    def condition(self, node):
        """An expression of which only the truth matters."""
        if is_constant(node):
            return node
        inner, negations = stripped(node)
        if not isinstance(inner, ast.BoolOp):
            measured, bare, site = self.atom(inner, negations % 2 == 1)
            return negated(negations, self.choice(site, measured, bare), node)
        fields = node.lineno, self.ordinal(node.lineno, "branch"), self.label(node)
        measured, bare, tree = self.parts(node)
        site = self.site("whole", *fields, tree)
        measured = at_place(call(site, "judge", [measured]), node)
        return self.choice(site, measured, bare)

    def parts(self, node):
        """A condition measured, as it was, and as a tree of its parts."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner, negations = stripped(node)
            if not isinstance(inner, ast.BoolOp):
                measured, bare, site = self.atom(inner, negations % 2 == 1)
                tree = ("not", site) if negations % 2 else site
                return negated(negations, measured, node), negated(negations, bare, node), tree
            measured, bare, tree = self.parts(node.operand)
            return negated(1, measured, node), negated(1, bare, node), ("not", tree)
        if not isinstance(node, ast.BoolOp):
            return self.atom(node, False)
        made = [self.parts(value) for value in node.values]
        word = "and" if isinstance(node.op, ast.And) else "or"
        measured = ast.BoolOp(op=node.op, values=[one[0] for one in made])
        bare = ast.BoolOp(op=node.op, values=[one[1] for one in made])
        tree = (word,) + tuple(one[2] for one in made)
        return ast.copy_location(measured, node), ast.copy_location(bare, node), tree

    def atom(self, node, inverted):
        """A condition without `and`, `or` and `not`: measured, as it was, and its site."""
        fields = node.lineno, self.ordinal(node.lineno, "branch"), self.label(node), inverted
        if isinstance(node, ast.Compare) and self.can_compare(node):
            return self.comparison("branch", fields, node, "compare")
        bare = self.visit(node)
        site = self.site("branch", *fields, None, False, self.inner_site(bare))
        return at_place(call(site, "truth", [bare]), node), bare, site

    def inner_site(self, node):
        """The site of a call that alone makes the condition."""
        if isinstance(node, ast.NamedExpr):
            node = node.value
        found = getattr(node, "func", None)
        return getattr(found, "fossick_site", None)

    def can_compare(self, node):
        return len(node.ops) == 1 or all(isinstance(op, ORDERED) for op in node.ops)

    def comparison(self, kind, fields, node, method):
        operands = [self.visit(one) for one in [node.left] + node.comparators]
        bare = ast.Compare(left=operands[0], ops=node.ops, comparators=operands[1:])
        operator = WORDS[type(node.ops[0])] if len(node.ops) == 1 else None
        hint = len(node.ops) == 1 and is_special(node)
        rest = (None,) if kind == "branch" else ()
        site = self.site(kind, *fields, operator, hint, *rest)
        if operator is not None:
            measured = call(site, method, operands)
        else:
            measured = self.chain(site, node, operands)
        return at_place(measured, node), at_place(bare, node), site

    def chain(self, site, node, operands):
        """Operands that compare themselves, in the order and as far as they did."""
        names = ["first"] + ["middle"] * (len(operands) - 2) + ["final"]
        wrapped = [
            at_place(call(site, name, [operand]), operand) for name, operand in zip(names, operands)
        ]
        return ast.Compare(left=wrapped[0], ops=node.ops, comparators=wrapped[1:])

    def choice(self, site, measured, bare):
        """The plain expression once there is nothing more to measure."""
        if size(bare) > LARGEST_TWICE:
            return measured
        test = at_place(attribute(constant(site), "on"), bare)
        return at_place(ast.IfExp(test=test, body=measured, orelse=bare), bare)

    # Expressions whose value matters.

    def visit_IfExp(self, node):
        node.test = self.condition(node.test)
        node.body = self.visit(node.body)
        node.orelse = self.visit(node.orelse)
        return node

    def visit_comprehension(self, node):
        node.iter = self.visit(node.iter)
        node.ifs = [self.condition(one) for one in node.ifs]
        return node

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        return self.generic_visit(node)

    def visit_BoolOp(self, node):
        """All but the last value are tested for truth, and one of them is passed on."""
        *tested, last = node.values
        values = [self.tested(value) for value in tested]
        return ast.copy_location(ast.BoolOp(op=node.op, values=values + [self.visit(last)]), node)

    def tested(self, node):
        if is_constant(node):
            return node
        if isinstance(node, ast.BoolOp):
            return self.visit(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node)
        fields = node.lineno, self.ordinal(node.lineno, "branch"), self.label(node), False
        if isinstance(node, ast.Compare) and self.can_compare(node):
            measured, bare, site = self.comparison("branch", fields, node, "weigh")
        else:
            bare = self.visit(node)
            site = self.site("branch", *fields, None, False, None)
            measured = at_place(call(site, "peek", [bare]), node)
        return self.choice(site, measured, bare)

    def visit_Compare(self, node):
        if not self.can_compare(node):
            return self.generic_visit(node)
        measured, bare, site = self.comparison("method", self.method(node), node, "compare")
        # The key that is looked up, which only look-ups have.
        self.specs[site] += (None,)
        return self.choice(site, measured, bare)

    def method(self, node):
        return node.lineno, self.ordinal(node.lineno, "method"), self.label(node)

    def visit_Call(self, node):
        fields = self.method(node) if self.may_be_known(node.func) else None
        function = self.visit(node.func)
        node.args = [self.visit(one) for one in node.args]
        node.keywords = [self.visit(one) for one in node.keywords]
        node.func = function
        if fields is not None:
            key = text_key(node.args[0]) if node.args else None
            site = self.site("method", *fields, None, False, key)
            picked = at_place(call(site, "pick", [function]), function)
            node.func = self.choice(site, picked, function)
            node.func.fossick_site = site
        return node

    def may_be_known(self, function):
        """Whether what is called may turn out to be a function that compares or parses."""
        if isinstance(function, ast.Attribute):
            return function.attr in self.names or function.attr in KNOWN_ATTRIBUTES
        return isinstance(function, ast.Name) and function.id not in self.own_names

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load) or not isinstance(
            node.slice,
            (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.JoinedStr, ast.Subscript),
        ):
            return self.generic_visit(node)
        key = text_key(node.slice)
        if key is None and isinstance(node.slice, ast.Constant):
            return self.generic_visit(node)
        fields = self.method(node)
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        site = self.site("method", *fields, None, False, key)
        if key is not None:
            looked = at_place(call(site, "look", [node.value]), node.value)
            node.value = self.choice(site, looked, node.value)
            return node
        measured = at_place(call(site, "item", [node.value, node.slice]), node)
        return self.choice(site, measured, node)


# Of modules and classes; which of them it is shows when it is called.
KNOWN_ATTRIBUTES = {"Decimal", "Fraction", "UUID", "execute", "executemany"}


# What is there.


def ast_lines(source):
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    return text.splitlines()


def defined_names(tree):
    """Names that can't be a known function: defined here, or of built-in functions that are none."""
    import builtins

    names = {name for name in dir(builtins) if name not in ("int", "float", "complex")}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef) and not node.bases:
            names.add(node.name)
    return names | MAGIC


def is_docstring(statement):
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def leading(statements):
    """How many statements must stay at the front: a docstring and what is from the future."""
    count = 1 if statements and is_docstring(statements[0]) else 0
    for statement in statements[count:]:
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        count += 1
    return count


def is_mute(statement):
    """Whether no code is made of it."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, SILENT)


def is_simple(statement):
    return not hasattr(statement, "body") or isinstance(statement, SCOPES)


def is_constant(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_constant(node.operand)
    return isinstance(node, (ast.Constant, ast.Tuple)) or (
        isinstance(node, ast.Name) and node.id == "__debug__"
    )


def inside(node):
    """The nodes of an expression that run with it."""
    yield node
    if not isinstance(node, SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from inside(child)


def size(node):
    count = 0
    for _ in ast.walk(node):
        count += 1
        if count > LARGEST_TWICE:
            break
    return count


def stripped(node):
    """The expression below its negations, and how many there are."""
    count = 0
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, count = node.operand, count + 1
    return node, count


def text_key(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def is_special(node):
    """Whether a key that stands here is looked up, or texts are compared without their case."""
    if isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return text_key(node.left) is not None
    return any(map(is_caseless, [node.left] + node.comparators))


def is_caseless(node):
    """A text that is compared after its case or its blanks were taken away."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CASELESS
    )


def literals(pattern):
    """The values of a pattern that consists of such."""
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant):
        return (pattern.value.value,)
    if isinstance(pattern, ast.MatchSingleton):
        return (pattern.value,)
    if isinstance(pattern, ast.MatchOr):
        found = [literals(one) for one in pattern.patterns]
        return None if None in found else sum(found, ())
    return None


def is_irrefutable(case):
    return case.guard is None and fits_all(case.pattern)


def fits_all(pattern):
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or fits_all(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and fits_all(pattern.patterns[-1])


# What is made.


def constant(site):
    value = site if isinstance(site, bytes) else MARK + b"%d" % site
    return ast.Constant(value=value)


def attribute(value, name):
    return ast.Attribute(value=value, attr=name, ctx=ast.Load())


def call(site, method, arguments):
    return ast.Call(func=attribute(constant(site), method), args=arguments, keywords=[])


def call_statement(site, method, at):
    return at_place(ast.Expr(value=call(site, method, [])), at)


def negated(times, node, at):
    for _ in range(times):
        node = ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node), at)
    return node


def at_place(node, at):
    """Gives what is new in a tree the place of something old."""
    if "lineno" in node._attributes and not hasattr(node, "lineno"):
        ast.copy_location(node, at)
    for child in ast.iter_child_nodes(node):
        if not hasattr(child, "lineno") or not hasattr(child, "end_lineno"):
            at_place(child, at)
    return node
