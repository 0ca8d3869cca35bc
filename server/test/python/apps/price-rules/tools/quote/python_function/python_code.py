"""A small language of prices: a tokenizer by one regular expression, recursive descent, closures for code."""

import functools
import operator
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple


class Token(NamedTuple):
    kind: str
    text: str
    at: int


class RuleError(ValueError):
    def __init__(self, message, at):
        super().__init__(f"{message} at {at}")
        self.at = at


SPEC = {
    "number": r"\d+(?:\.\d+)?%?",
    "name": r"[A-Za-z_]\w*",
    "compare": r"[<>]=?|==|!=",
    "operator": r"[-+*/(),?:]",
    "space": r"\s+",
    "wrong": r".",
}
LEXER = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in SPEC.items()))
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
FUNCTIONS = {"min": min, "max": max, "round": lambda value: Fraction(round(value))}


def tokens(text):
    for match in LEXER.finditer(text):
        if match.lastgroup == "wrong":
            raise RuleError(f"unexpected {match.group()!r}", match.start())
        if match.lastgroup != "space":
            yield Token(match.lastgroup, match.group(), match.start())
    yield Token("end", "", len(text))


@dataclass
class Parser:
    stream: list
    position: int = 0

    @property
    def now(self):
        return self.stream[self.position]

    def take(self, *texts):
        if self.now.text in texts:
            self.position += 1
            return self.stream[self.position - 1]
        return None

    def expect(self, text):
        return self.take(text) or self.fail(f"expected {text!r}")

    def fail(self, message):
        raise RuleError(message, self.now.at)

    def choice(self):
        test = self.binary(0)
        if not self.take("?"):
            return test
        then = self.choice()
        self.expect(":")
        other = self.choice()
        return lambda names: then(names) if test(names) else other(names)

    LEVELS = ("< <= > >= == !=".split(), ["+", "-"], ["*", "/"])

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.atom()
        left = self.binary(level + 1)
        while token := self.take(*self.LEVELS[level]):
            left = (lambda act, a, b: lambda names: act(a(names), b(names)))(OPERATORS[token.text], left, self.binary(level + 1))
        return left

    def atom(self):
        match self.now:
            case Token("operator", "-"):
                self.position += 1
                inner = self.atom()
                return lambda names: -inner(names)
            case Token("operator", "("):
                self.position += 1
                inner = self.choice()
                self.expect(")")
                return inner
            case Token("number", text):
                self.position += 1
                value = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
                return lambda names: value
            case Token("name", text) if text in FUNCTIONS:
                self.position += 1
                return self.call(FUNCTIONS[text])
            case Token("name", text, at):
                self.position += 1
                return functools.partial(look_up, text, at)
            case _:
                self.fail("expected a value")

    def call(self, function):
        self.expect("(")
        arguments = [self.choice()]
        while self.take(","):
            arguments.append(self.choice())
        self.expect(")")
        return lambda names: function(*(argument(names) for argument in arguments))


def look_up(name, at, names):
    try:
        return Fraction(str(names[name]))
    except KeyError:
        raise RuleError(f"unknown name {name!r}", at) from None


@functools.lru_cache(maxsize=None)
def compile_rule(text):
    parser = Parser(list(tokens(text)))
    rule = parser.choice()
    if parser.now.kind != "end":
        parser.fail(f"unexpected {parser.now.text!r}")
    return rule


def quote(rule: str, values: dict[str, float]) -> dict:
    """Works out a price by a rule such as `count * price * (count > 10 ? 90% : 1)`."""
    try:
        exact = compile_rule(rule)(values)
    except RuleError as error:
        return {"error": str(error), "pointer": f"{rule}\n{' ' * error.at}^"}
    except ZeroDivisionError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    cents = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP)
    remembered = get_variable("rules") or {}
    set_variable("rules", {**remembered, rule: str(cents)})
    return {"price": str(cents), "exact": str(exact), "again": compile_rule.cache_info().hits}
