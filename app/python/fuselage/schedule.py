"""Builds transform IR. A handle follows its op: what a transform makes of the op is what the handle names afterwards."""
import contextlib
import functools
import inspect
import json

ANY_OP, ANY_VALUE, PARAM = "!transform.any_op", "!transform.any_value", "!transform.param<i64>"


class _Script:
    """The named sequences of a schedule, the entry last."""

    def __init__(self):
        self.sequences = {}
        self.transforms = {}  # of one's own, by name
        self.knobs = []       # their names
        self._names = 0

    def fresh(self, hint="v"):
        self._names += 1
        return f"%{hint}{self._names}"

    def text(self):
        return "module attributes {transform.with_named_sequence} {\n" + "\n".join(self.sequences.values()) + "}\n"


class _Block:
    """A block that is being filled with lines."""

    def __init__(self, script, depth):
        self.script, self.depth, self.lines = script, depth, []

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def op(self, text, operands, results):
        """`%r = transform.TEXT : (types) -> types`, with a name for each result's type."""
        names = [self.script.fresh() for _ in results]
        types = ", ".join(results)
        self.add((", ".join(names) + " = " if names else "") + f"transform.{text} : (" + ", ".join(o.type for o in operands) +
                 ") -> " + (types if len(results) == 1 else f"({types})"))
        return names

    def generic(self, name, operands, results, attributes):
        """Any transform op, in MLIR's generic form."""
        names = [self.script.fresh() for _ in results]
        dictionary = ", ".join(f"{key} = {_attribute(value)}" for key, value in attributes.items())
        self.add((", ".join(names) + " = " if names else "") + f'"transform.{name}"(' + ", ".join(o.name for o in operands) + ")" +
                 (f" <{{{dictionary}}}>" if dictionary else "") + " : (" + ", ".join(o.type for o in operands) + ") -> (" +
                 ", ".join(results) + ")")
        return names


def _attribute(value):
    """A Python value as an attribute; a string that begins with '#' or has a ':' in it is one already."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, float):
        return f"{value!r} : f32"
    if isinstance(value, str):
        return value if value.startswith("#") or ":" in value else json.dumps(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_attribute(each) for each in value) + "]"
    raise TypeError(f"{value!r} is no attribute")


class _Value:
    def __init__(self, block, name, type):
        self._block, self.name, self.type = block, name, type

    def __repr__(self):
        return f"{type(self).__name__}({self.name} : {self.type})"


class Param(_Value):
    """A parameter: a number that transforms take, such as a tile size."""

    knob = None  # the name under which it is selected, where it was left open


class ValueHandle(_Value):
    """A handle to values of the payload."""

    def get_defining_op(self):
        [name] = self._block.op(f"get_defining_op {self.name}", [self], [ANY_OP])
        return OpHandle(self._block, name)


class OpHandle(_Value):
    """A handle to ops of the payload."""

    def __init__(self, block, name, type=ANY_OP):
        super().__init__(block, name, type)

    def _handle(self, name):
        return OpHandle(self._block, name)

    def _sizes(self, sizes):
        """"[4, %p]" and the parameters in it."""
        params = [size for size in sizes if isinstance(size, _Value)]
        return "[" + ", ".join(size.name if isinstance(size, _Value) else str(size) for size in sizes) + "]", params

    def _become(self, name):
        self.name = name
        return self

    # What finds ops.

    def match_ops(self, *names, interface=None, attributes=None):
        """The ops in this one of these names, or with the interface; `attributes`: {"sym_name": "f"}."""
        what = f"interface{{{interface}}}" if interface else "ops{[" + ", ".join(json.dumps(n) for n in names) + "]}"
        if attributes:
            what += " attributes{" + ", ".join(f"{key} = {_attribute(value)}" for key, value in attributes.items()) + "}"
        [name] = self._block.op(f"structured.match {what} in {self.name}", [self], [ANY_OP])
        return self._handle(name)

    def get_parent(self, op_name=None, nth=1):
        attributes = ([f"op_name = {json.dumps(op_name)}"] if op_name else []) + ([f"nth_parent = {nth} : i64"] if nth != 1 else [])
        [name] = self._block.op(f"get_parent_op {self.name} {{{', '.join(attributes + ['deduplicate'])}}}", [self], [ANY_OP])
        return self._handle(name)

    def get_producer(self, operand):
        [name] = self._block.op(f"get_producer_of_operand {self.name}[{operand}]", [self], [ANY_OP])
        return self._handle(name)

    def get_result(self, number=0):
        [name] = self._block.op(f"get_result {self.name}[{number}]", [self], [ANY_VALUE])
        return ValueHandle(self._block, name, ANY_VALUE)

    # What transforms them.

    def tile(self, sizes, interchange=None):
        """Tiles with scf.for. The handle is the tiled op afterwards; the loops are returned, outermost first."""
        text, params = self._sizes(sizes)
        order = f" interchange = {list(interchange)}" if interchange else ""
        count = sum(1 for size in sizes if isinstance(size, _Value) or size != 0)
        names = self._block.op(f"structured.tile_using_for {self.name} tile_sizes {text}{order}", [self, *params], [ANY_OP] * (1 + count))
        self._become(names[0])
        return [self._handle(name) for name in names[1:]]

    def tile_to_forall(self, tile_sizes=None, num_threads=None, mapping=None):
        """Tiles with scf.forall. The handle is the tiled op afterwards; the loop is returned."""
        if (tile_sizes is None) == (num_threads is None):
            raise ValueError("give either tile_sizes or num_threads")
        text, params = self._sizes(tile_sizes if num_threads is None else num_threads)
        how = ("tile_sizes " if num_threads is None else "num_threads ") + text
        mapped = f"(mapping = [{', '.join(mapping)}])" if mapping else ""
        tiled, loop = self._block.op(f"structured.tile_using_forall {self.name} {how}{mapped}", [self, *params], [ANY_OP] * 2)
        self._become(tiled)
        return self._handle(loop)

    def fuse_into(self, loop):
        """Computes this op where `loop` uses it. Both handles follow."""
        fused, container = self._block.op(f"structured.fuse_into_containing_op {self.name} into {loop.name}", [self, loop], [ANY_OP] * 2)
        loop._become(container)
        return self._become(fused)

    def pad(self, values, dimensions, multiple_of=None, copy_back="linalg.copy"):
        """Pads operands with `values` along `dimensions` of the loops. Returns the handle of the tensor.pad ops."""
        attributes = {"padding_values": list(values), "padding_dimensions": [f"{d} : i64" for d in dimensions],
                      "copy_back_op": copy_back}
        multiples = f" pad_to_multiple_of {list(multiple_of)}" if multiple_of else ""
        text = ", ".join(f"{key} = {_attribute(value)}" for key, value in attributes.items())
        padded, pad, _ = self._block.op(f"structured.pad {self.name}{multiples} {{{text}}}", [self], [ANY_OP] * 3)
        self._become(padded)
        return self._handle(pad)

    def vectorize(self, sizes=None):
        """Vectorizes the op; with `sizes`, masked where the op is smaller."""
        text, params = self._sizes(sizes or [])
        self._block.add(f"transform.structured.vectorize {self.name}" + (f" vector_sizes {text}" if sizes else "") +
                        " : " + ", ".join(o.type for o in [self, *params]))

    def interchange(self, order):
        """Of a linalg op: its loops in this order. Of an scf.for with the loop in it: the two exchanged; `order` is the handle
        of the inner one, and both follow."""
        if isinstance(order, OpHandle):
            outer, inner = self._block.op(f"fuselage.interchange_loops {self.name}", [self], [ANY_OP] * 2)
            order._become(inner)
            return self._become(outer)
        [name] = self._block.op(f"structured.interchange {self.name} iterator_interchange = {list(order)}", [self], [ANY_OP])
        return self._become(name)

    def generalize(self):
        [name] = self._block.op(f"structured.generalize {self.name}", [self], [ANY_OP])
        return self._become(name)

    def normalize(self, form):
        """Brings the functions around into a normal form, where they are not in it."""
        sequence = f"expect_{form}"
        self._block.script.sequences.setdefault(
            sequence, f"  transform.named_sequence @{sequence}(%op: {ANY_OP} {{transform.readonly}}) attributes "
                      f"{{fuselage.requires = {json.dumps(form)}}} {{\n    transform.yield\n  }}\n")
        self._block.op(f"include @{sequence} failures(propagate) ({self.name})", [self], [])
        return self

    def apply_patterns(self):
        """A context: `with func.apply_patterns() as p: p.canonicalization(); p.linalg.tiling_canonicalization()`."""
        return _Patterns(self)

    def apply_cse(self):
        self._block.add(f"transform.apply_cse to {self.name} : {self.type}")

    def apply_licm(self):
        self._block.add(f"transform.apply_licm to {self.name} : {self.type}")

    def apply_dce(self):
        self._block.add(f"transform.apply_dce to {self.name} : {self.type}")

    def apply_pass(self, name, **options):
        """A registered pass; the handle is to what it leaves."""
        given = ", ".join(f"{json.dumps(key.replace('_', '-'))} = {_attribute(value)}" for key, value in options.items())
        text = f"apply_registered_pass {json.dumps(name)}" + (f" with options = {{{given}}}" if given else "") + f" to {self.name}"
        [result] = self._block.op(text, [self], [ANY_OP])
        return self._become(result)

    def annotate(self, name, param=None):
        """Puts an attribute on the ops."""
        value = f" = {param.name}" if param else ""
        self._block.add(f"transform.annotate {self.name} {json.dumps(name)}{value} : {self.type}" + (f", {param.type}" if param else ""))

    def param(self, value):
        """A parameter that transforms of this schedule may take."""
        return _constant(self._block, value)

    def op(self, name, *operands, results=1, **attributes):
        """Any transform op by its name without "transform.", on this handle and `operands`; handles to its results."""
        names = self._block.generic(name, [self, *operands], [ANY_OP] * results, attributes)
        handles = [self._handle(each) for each in names]
        return handles[0] if results == 1 else handles


class _Patterns:
    """Collects the names of pattern sets."""

    def __init__(self, target, path=(), found=None):
        self._target, self._path, self._found = target, path, [] if found is None else found

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _Patterns(self._target, (*self._path, name), self._found)

    def __call__(self):
        self._found.append(".".join(self._path))

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        if failed:
            return
        block = self._target._block
        block.add(f"transform.apply_patterns to {self._target.name} {{")
        for pattern in self._found:
            block.add(f"  transform.apply_patterns.{pattern}")
        block.add(f"}} {{apply_cse}} : {self._target.type}")


def _constant(block, value):
    name = block.script.fresh("p")
    block.add(f"{name} = transform.param.constant {_attribute(value)} -> {PARAM}")
    return Param(block, name, PARAM)


def param(value=None, *, name=None, range=None, lower_bound=None, upper_bound=None, divisible_by=None, divides=None,
          selected=None):
    """A parameter of the schedule that is being written. With a value it is that; else it is left open, a knob that is
    selected by its name: `range` lists what it takes, or bounds say it. What `divides` or `divisible_by` names may be
    another knob."""
    if not _writing:
        raise RuntimeError("a parameter belongs to a schedule: call param() in the function that builds one")
    block = _writing[-1]
    if value is not None:
        return _constant(block, value)
    name = name or f"param{len(block.script.knobs)}"
    if name in block.script.knobs:
        raise ValueError(f"there is a knob '{name}' already")
    block.script.knobs.append(name)
    bounds = {"lower_bound": lower_bound, "upper_bound": upper_bound, "divisible_by": divisible_by, "divides": divides}
    bounds = {key: bound for key, bound in bounds.items() if bound is not None}
    if range is not None and bounds:
        raise ValueError("give either a range or bounds")
    for key, bound in bounds.items():
        if isinstance(bound, Param):
            if not bound.knob:
                raise ValueError(f"{key} takes a number or a parameter that is left open")
            bounds[key] = bound.knob
    options = ("[" + ", ".join(_attribute(int(each)) for each in range) + "]" if range is not None
               else "{" + ", ".join(f"{key} = {_attribute(bound)}" for key, bound in bounds.items()) + "}")
    chosen = f" = {_attribute(int(selected))} from" if selected is not None else ""
    result = block.script.fresh("p")
    block.add(f"{result} = transform.tune.knob<{json.dumps(name)}>{chosen} options = {options} -> {PARAM}")
    made = Param(block, result, PARAM)
    made.knob = name
    return made


def transform(required_normalform=None, enforced_normalform=None):
    """A transform of one's own, with the normal form that it expects and the one that it leaves:
    `@transform(required_normalform="PerfectForNestForm") def f(loop): ...`. Calling it in a schedule includes it as a named
    sequence; where the form that it expects does not hold, it is normalized to in front; the other one is known to hold
    behind it."""
    forms = {"requires": required_normalform, "ensures": enforced_normalform}
    said = ", ".join(f"fuselage.{key} = {json.dumps(form)}" for key, form in forms.items() if form)

    def decorate(function):
        name = function.__name__

        @functools.wraps(function)
        def called(handle):
            script = handle._block.script
            known = script.transforms.get(name)
            if known is None:
                attributes = f" attributes {{{said}}}" if said else ""
                known = script.transforms[name] = _Transform(function, *_sequence(script, name, function, attributes))
                script.sequences[name] = known.text
            if known.function is not function:
                raise ValueError(f"there are two transforms of the name '{name}'")
            types = [ANY_OP] * (known.follows + known.returns)
            names = handle._block.op(f"include @{name} failures(propagate) ({handle.name})", [handle], types)
            if known.follows:
                handle._become(names.pop(0))
            returned = [handle._handle(each) for each in names]
            return handle if known.single is None else returned[0] if known.single else returned

        return called

    return decorate


def requires(form):
    """A transform of one's own that expects a form; see transform()."""
    return transform(required_normalform=form)


def enforces(form):
    """A transform of one's own that leaves its functions in a form; see transform()."""
    return transform(enforced_normalform=form)


_writing = []  # the blocks that are being filled, innermost last


@contextlib.contextmanager
def _filling(block):
    _writing.append(block)
    try:
        yield
    finally:
        _writing.pop()


class _Transform:
    """A named sequence of one's own: whether it hands out what its handle became, and how many handles more; `single`: one,
    not in a list; None: none."""

    def __init__(self, function, text, follows, returns, single):
        self.function, self.text, self.follows, self.returns, self.single = function, text, follows, returns, single


def _sequence(script, name, function, attributes=""):
    """Its text, whether it yields what its argument became, how many handles it yields besides, and whether that is one."""
    block = _Block(script, 2)
    argument = script.fresh("arg")
    handle = OpHandle(block, argument)
    with _filling(block):
        returned = function(handle)
    if name == "__transform_main":  # it need not say what it does with the module, and hands out nothing
        follows, more = False, []
    else:
        follows = handle.name != argument
        more = [] if returned is None or returned is handle else [returned] if isinstance(returned, OpHandle) else list(returned)
    yielded = ([handle] if follows else []) + more
    effect = "" if name == "__transform_main" else " {transform.consumed}" if follows else " {transform.readonly}"
    types = ", ".join(ANY_OP for _ in yielded)
    result = "" if not yielded else f" -> {types}" if len(yielded) == 1 else f" -> ({types})"
    last = "transform.yield" + (f" {', '.join(each.name for each in yielded)} : {types}" if yielded else "")
    text = (f"  transform.named_sequence @{name}({argument}: {ANY_OP}{effect}){result}{attributes} {{\n" +
            "\n".join([*block.lines, "    " + last]) + "\n  }\n")
    single = None if returned is None or returned is handle else isinstance(returned, OpHandle)
    return text, follows, len(more), single


def build(schedule):
    """The script, as a text, that `schedule`, a function of the module's handle, builds."""
    if len(inspect.signature(schedule).parameters) != 1:
        raise TypeError("a schedule takes one argument, the handle to the module")
    script = _Script()
    script.sequences["__transform_main"] = _sequence(script, "__transform_main", schedule)[0]
    return script.text()
