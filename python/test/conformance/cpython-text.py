#: regular expressions: groups, names, backreferences | CPython
def f():
    import re
    m = re.match(r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(\d\d))?", "2024-02")
    return [m.groupdict(), m.groups(), m.groups("x"), m.span("month"), m.lastgroup, re.sub(r"(\w+) (\w+)", r"\2 \g<1>", "hello big world"), re.findall(r"(a)(b)?", "ab a"), re.search(r"(\w)\1", "book").group()]
#= [{"year": "2024", "month": "02"}, ["2024", "02", null], ["2024", "02", "x"], [5, 7], "month", "big hello world", [["a", "b"], ["a", ""]], "oo"]

#: regular expressions: look around, flags, conditionals | CPython
def f():
    import re
    return [re.findall(r"(?<=\$)\d+(?!\d|%)", "$10 $20% $300"), re.findall(r"(?i:ab)c", "ABc abC abc"), re.split(r"(?m)^-+$", "a\n--\nb"), re.findall(r"""(?x) \d+  # digits
      \s* (?:kg|g)""", "5 kg 10g 7 lb"), re.match(r"(<)?a(?(1)>|$)", "<a>").group(), re.match(r"(<)?a(?(1)>|$)", "<a"), re.sub(r"(?s)a.b", "-", "a\nb"), re.findall(r"\bé\w*", "été éa"), re.findall(r"(?a)\w+", "aé b")]
#= [["10", "300"], ["ABc", "abc"], ["a\n", "\nb"], ["5 kg", "10g"], "<a>", null, "-", ["\u00e9t\u00e9", "\u00e9a"], ["a", "b"]]

#: regular expressions: functions, limits, splitting, scanning | CPython
def f():
    import re
    scanner = re.Scanner([(r"\d+", lambda s, t: int(t)), (r"[+*]", lambda s, t: t), (r"\s+", None)])
    return [re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "a1 b22", count=1), re.split(r"([,;])\s*", "a, b;c", maxsplit=1), re.subn("a", "b", "banana"), scanner.scan("1 + 22*3 x"), [m.start() for m in re.finditer("aa", "aaaa")], re.fullmatch("a|ab", "ab").group(), re.escape("a.b*c"), re.compile(r"(\d+)").groups]
#= ["a2 b22", ["a", ",", "b;c"], ["bbnbnb", 3], [[1, "+", 22, "*", 3], "x"], [0, 2], "ab", "a\\.b\\*c", 1]

#: regular expressions: possessive and atomic groups, and mistakes | CPython
def f():
    import re
    bad = []
    for pattern in ("(", "[a", "a**", "(?P<1>a)", r"\9", "(?<=a+)b", "(?z)"):
        try:
            re.compile(pattern)
        except re.error as error:
            bad.append([error.msg, error.pos])
    return [re.match(r"a++a", "aaa"), re.match(r"(?>a*)b", "aab").group(), bad]
#= [null, "aab", [["missing ), unterminated subpattern", 0], ["unterminated character set", 0], ["multiple repeat", 2], ["bad character in group name '1'", 4], ["invalid group reference 9", 1], ["look-behind requires fixed-width pattern", null], ["unknown extension ?z", 1]]]

#: texts: cases, cuts and joins | CPython
def f():
    s = "  Hello, Wörld ß İ  "
    return [s.strip().casefold(), "straße".upper(), "ǆ".title(), "hELLO wORLD's".title(), "hello".capitalize(), "aBc".swapcase(), "a,b,,c".split(","), " a  b ".split(), "a-b-c".rsplit("-", 1), "k=v=w".partition("="), "path/to/x".rpartition("/"), "xxhixx".strip("x"), "prefix-x".removeprefix("prefix-"), "l1\nl2\r\nl3\x0bl4".splitlines(), "-".join("abc")]
#= ["hello, w\u00f6rld ss i\u0307", "STRASSE", "\u01c5", "Hello World'S", "Hello", "AbC", ["a", "b", "", "c"], ["a", "b"], ["a-b", "c"], ["k", "=", "v=w"], ["path/to", "/", "x"], "hi", "x", ["l1", "l2", "l3", "l4"], "a-b-c"]

#: texts: tests and padding | CPython
def f():
    return ["½".isnumeric(), "²".isdigit(), "²".isdecimal(), "é".isalpha(), "a1_".isidentifier(), "".isspace(), "Ab".istitle(), "7".zfill(3), "-7".zfill(4), "a".center(4, "*"), "ab".ljust(4) + "|", "tab\tx".expandtabs(4), "abcabc".replace("b", "-", 1), "banana".count("an"), "banana".rfind("an"), "abc".find("z"), "a" < "B" < "b", "aé".encode("unicode_escape").decode()]
#= [true, true, false, true, true, false, true, "007", "-007", "*a**", "ab  |", "tab x", "a-cabc", 2, 3, -1, false, "a\\xe9"]

#: texts: translate, maketrans, encode and its errors | CPython
def f():
    table = str.maketrans({"a": "4", "e": None, 0x73: "$$"})
    out = ["please".translate(table), "é€".encode("latin-1", "replace").decode("latin-1"), "é".encode("ascii", "xmlcharrefreplace").decode(), "é€😀".encode("utf-16-le").hex(), b"\xff\xfea".decode("utf-8", "backslashreplace"), b"a\xffb".decode("ascii", "ignore"), "ab".encode("utf-7").decode()]
    try:
        "a€".encode("ascii")
    except UnicodeEncodeError as error:
        return [*out, str(error), error.start]
#= ["pl4$$", "\u00e9?", "&#233;", "e900ac203dd800de", "\\xff\\xfea", "ab", "ab", "'ascii' codec can't encode character '\\u20ac' in position 1: ordinal not in range(128)", 1]

#: Unicode: names, normal forms, categories | CPython
def f():
    import unicodedata as u
    return [u.normalize("NFD", "é") == "e\u0301", len(u.normalize("NFKC", "ﬁ①")), u.name("€"), u.lookup("GREEK SMALL LETTER ALPHA"), u.category("A"), u.numeric("¾"), u.combining("\u0301"), u.bidirectional("א"), [len("👨‍👩‍👧"), len("é")], "\N{BULLET}", u.east_asian_width("字"), u.decimal("٣")]
#= [true, 3, "EURO SIGN", "\u03b1", "Lu", 0.75, 230, "R", [5, 1], "\u2022", "W", 3]

#: textwrap, string templates, shortening | CPython
def f():
    import string, textwrap
    text = "The quick brown fox jumps over the lazy dog."
    return [textwrap.wrap(text, 15), textwrap.shorten(text, 20, placeholder="…"), textwrap.dedent("  a\n    b\n  c"), textwrap.indent("a\n\nb", "> "), string.Template("$who owes $$${amount}").substitute(who="Al", amount=5), string.capwords("ab  cd"), string.ascii_letters[:3], string.Template("$x").safe_substitute()]
#= [["The quick brown", "fox jumps over", "the lazy dog."], "The quick brown fox\u2026", "a\n  b\nc", "> a\n\n> b", "Al owes $5", "Ab Cd", "abc", "$x"]

#: difflib, fnmatch and html | CPython
def f():
    import difflib, fnmatch, html
    return [difflib.get_close_matches("appel", ["ape", "apple", "peach"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3), list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm=""))[2:], fnmatch.filter(["a.py", "b.txt"], "*.py"), html.escape("<a href='x'>&"), html.unescape("&lt;&eacute;&#x41;&nbsp;")]
#= [["apple", "ape"], 0.75, ["@@ -1,2 +1,2 @@", " a", "-b", "+c"], ["a.py"], "&lt;a href=&#x27;x&#x27;&gt;&amp;", "<\u00e9A\u00a0"]

#: csv both ways | CPython
def f():
    import csv, io
    text = 'a,"b, c","say ""hi"""\r\n1,,x\r\n'
    out = io.StringIO()
    w = csv.DictWriter(out, ["n", "t"], extrasaction="ignore")
    w.writeheader()
    w.writerow({"n": 1, "t": 'q"', "z": 0})
    return [list(csv.reader(io.StringIO(text))), out.getvalue(), list(csv.DictReader(io.StringIO("x;y\n1;2;3"), delimiter=";", restkey="more")), csv.Sniffer().sniff("a;b\n1;2").delimiter]
#= [[["a", "b, c", "say \"hi\""], ["1", "", "x"]], "n,t\r\n1,\"q\"\"\"\r\n", [{"x": "1", "y": "2", "more": ["3"]}], ";"]

#: base64, quoting and URLs | CPython
def f():
    import base64, urllib.parse as p
    url = p.urlsplit("https://u:p@host:8080/a%20b/c;d?x=1&y=2&x=3&z=#frag")
    return [base64.b64encode(b"\xfb\xff").decode(), base64.urlsafe_b64encode(b"\xfb\xff").decode(), base64.b32encode(b"hi").decode(), base64.b85encode(b"hello").decode(), base64.b16decode("AB0f", casefold=True).hex(), p.quote("a b/ü"), p.quote_plus("a b&"), p.urlencode({"a": [1, 2], "b": "x y"}, doseq=True), url.hostname, url.port, p.parse_qs(url.query), p.parse_qsl(url.query, keep_blank_values=True)[-1], p.urljoin("http://a/b/c", "../d"), p.unquote("%E2%82%AC")]
#= ["+/8=", "-_8=", "NBUQ====", "Xk~0{Zv", "ab0f", "a%20b/%C3%BC", "a+b%26", "a=1&a=2&b=x+y", "host", 8080, {"x": ["1", "3"], "y": ["2"]}, ["z", ""], "http://a/d", "\u20ac"]

#: json: separators, sorting, hooks | CPython
def f():
    import json
    from decimal import Decimal
    text = '{"b": 1.10, "a": [1, 2, {"c": null}], "b": 2}'
    return [json.dumps({"b": 1, "a": [True, None, "é"]}, sort_keys=True), json.dumps({"é": 1}, ensure_ascii=False, separators=(",", ":")), json.dumps([1, {"a": []}], indent=2), json.loads(text), [str(v) for k, v in json.loads(text, object_pairs_hook=list)[:1]], str(json.loads("1.10", parse_float=Decimal)), json.loads('{"x": 1}', object_hook=lambda d: sorted(d.items())), json.dumps({1: 1, None: 2, True: 3, 2.5: 4}), json.dumps("\u2028</script>\ud800")]
#= ["{\"a\": [true, null, \"\\u00e9\"], \"b\": 1}", "{\"\u00e9\":1}", "[\n  1,\n  {\n    \"a\": []\n  }\n]", {"b": 2, "a": [1, 2, {"c": null}]}, ["1.1"], "1.10", [["x", 1]], "{\"1\": 3, \"null\": 2, \"2.5\": 4}", "\"\\u2028</script>\\ud800\""]

#: json: what has no form, and what is no JSON | CPython
def f():
    import json
    bad = []
    for action in (lambda: json.dumps({1, 2}), lambda: json.dumps(b"x"), lambda: json.dumps({(1,): 2}), lambda: json.loads('{"a": }'), lambda: json.loads("[1,]"), lambda: json.loads("'a'"), lambda: json.loads(""), lambda: json.loads("[1] 2"), lambda: json.loads('"\t"')):
        try:
            bad.append(action())
        except (TypeError, ValueError) as error:
            bad.append(f"{type(error).__name__}: {error}")
    ring = []
    ring.append(ring)
    try:
        json.dumps(ring)
    except ValueError as error:
        bad.append(str(error))
    return bad
#= ["TypeError: Object of type set is not JSON serializable", "TypeError: Object of type bytes is not JSON serializable", "TypeError: keys must be str, int, float, bool or None, not tuple", "JSONDecodeError: Expecting value: line 1 column 7 (char 6)", "JSONDecodeError: Expecting value: line 1 column 4 (char 3)", "JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "JSONDecodeError: Extra data: line 1 column 5 (char 4)", "JSONDecodeError: Invalid control character at: line 1 column 2 (char 1)", "Circular reference detected"]

#: json: large numbers, constants, surrogates and encodings | CPython
def f():
    import json
    return [str(json.loads("123456789012345678901234567890")), json.loads("1E400") == float("inf"), str(json.loads("[NaN, -Infinity]")), json.loads('"\\ud83d\\ude00"'), json.loads("\ufeff1".encode("utf-8-sig")[3:].decode().lstrip("\ufeff")), json.loads('"é"'.encode("utf-16")), json.dumps({(k := "x"): json.loads("-0.0")}), json.loads(" [\n1\t] "), json.JSONDecoder().raw_decode("[1] tail")]
#= ["123456789012345678901234567890", true, "[nan, -inf]", "\ud83d\ude00", 1, "\u00e9", "{\"x\": -0.0}", [1], [[1], 3]]

#: json: encoders of one's own, enumerations and subclasses | CPython
def f():
    import enum, json
    from collections import OrderedDict, namedtuple
    class E(json.JSONEncoder):
        def default(self, o):
            return list(o) if isinstance(o, set) else super().default(o)
    class Level(enum.IntEnum):
        HIGH = 3
    class S(str): pass
    P = namedtuple("P", "x y")
    return [json.dumps({"s": {1}}, cls=E), json.dumps(Level.HIGH), json.dumps(P(1, 2)), json.dumps(S("a")), json.dumps(OrderedDict(b=1, a=2)), json.dumps({"a": 1}, default=str, skipkeys=True), list(E().iterencode([1, {2}]))[-1]]
#= ["{\"s\": [1]}", "3", "[1, 2]", "\"a\"", "{\"b\": 1, \"a\": 2}", "{\"a\": 1}", "]"]

#: printing and its options | CPython
def f():
    import io, pprint
    out = io.StringIO()
    print("a", 1, None, sep="-", end="!\n", file=out)
    print(*[1, 2], sep="", file=out)
    return [out.getvalue(), pprint.pformat({"b": [1, 2], "a": {"c": 3}}, width=20), repr("it's \"x\"\n\t\x00é"), ascii("é"), str(b"a'"), repr([..., NotImplemented])]
#= ["a-1-None!\n12\n", "{'a': {'c': 3},\n 'b': [1, 2]}", "'it\\'s \"x\"\\n\\t\\x00\u00e9'", "'\\xe9'", "b\"a'\"", "[Ellipsis, NotImplemented]"]

#: texts that are read as files | CPython
def f():
    import io
    s = io.StringIO("one\ntwo\nthree")
    first = s.readline()
    rest = s.read(3)
    s.seek(0)
    b = io.BytesIO()
    b.write(b"abc")
    b.seek(1)
    t = io.TextIOWrapper(io.BytesIO("x\r\ny".encode()), newline=None)
    return [first, rest, [line.rstrip() for line in s], b.read().decode(), b.getvalue().decode(), t.read(), s.closed]
#= ["one\n", "two", ["one", "two", "three"], "bc", "abc", "x\ny", false]
