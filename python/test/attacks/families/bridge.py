# Forging what goes over the bridge: questions, answers, results, and the JSON that they are made of.

# with: forged-question
# functions: echo
# case: questions that are no questions
# steps: {"array": "got 'the question is malformed'", "number": "got 'the question is malformed'", "null": "got 'the question is malformed'", "unknown": "got 'there is no such operation'", "inherited": "got 'there is no such operation'", "compile": "got 'there is no such operation'", "function": "got 'the question is malformed'", "arguments": "got 'the question is malformed'", "missing": "got .the host has no function .*", "machinery": "got .the host has no function .*", "sleep": "got 'the question is malformed'", "back": "got 'the question is malformed'"}
def attack(target):
    attempt("array", lambda: refusal('[{"op":"call"}]'))
    attempt("number", lambda: refusal("7"))
    attempt("null", lambda: refusal("null"))
    attempt("unknown", lambda: refusal('{"op":"exec","code":"1"}'))
    attempt("inherited", lambda: refusal('{"op":"constructor"}'))
    attempt("compile", lambda: refusal('{"op":"compile"}'))
    attempt("function", lambda: refusal('{"op":"call","function":["echo"],"arguments":{}}'))
    attempt("arguments", lambda: refusal('{"op":"call","function":"echo","arguments":[]}'))
    attempt("missing", lambda: refusal('{"op":"call","function":"none","arguments":{}}'))
    attempt("machinery", lambda: refusal('{"op":"call","function":"constructor","arguments":{}}'))
    attempt("sleep", lambda: refusal('{"op":"sleep","seconds":"1"}'))
    attempt("back", lambda: refusal('{"op":"sleep","seconds":-1}'))

# with: forged-question
# functions: echo
# case: objects that pretend to be texts and numbers
# steps: {"sleep": "got 'the question is malformed'", "handle": "got 'there is no such running call'", "name": "got 'the question is malformed'", "op": "got 'there is no such operation'"}
def attack(target):
    fake = '{"toString":1,"valueOf":1,"toJSON":1,"then":1}'
    attempt("sleep", lambda: refusal('{"op":"sleep","seconds":%s}' % fake))
    attempt("handle", lambda: refusal('{"op":"wait","handle":%s}' % fake))
    attempt("name", lambda: refusal('{"op":"call","function":%s,"arguments":{}}' % fake))
    attempt("op", lambda: refusal('{"op":%s}' % fake))

# with: forged-question
# functions: echo
# case: names and numbers that JSON can spell and objects cannot bear
# steps: {"proto": "got .*__proto__.*", "constructor": "got .*", "infinite": "got 'the question holds a number beyond 1.8e308'", "deep": "got 'the question is nested more than 40 deep'", "surrogate": "got .*", "twice": "got .*"}
def attack(target):
    attempt("proto", lambda: asked('{"op":"call","function":"echo","arguments":{"__proto__":{"polluted":true}}}')["result"])
    attempt("constructor", lambda: asked('{"op":"call","function":"echo","arguments":{"constructor":{"prototype":{"polluted":true}}}}')["result"])
    attempt("infinite", lambda: refusal('{"op":"call","function":"echo","arguments":{"n":1e999}}'))
    attempt("deep", lambda: refusal('{"op":"call","function":"echo","arguments":{"d":%s%s}}' % ("[" * 300_000, "]" * 300_000)))
    attempt("surrogate", lambda: asked(r'{"op":"call","function":"echo","arguments":{"s":"\ud800"}}')["result"])
    attempt("twice", lambda: asked('{"op":"nothing","op":"call","function":"echo","arguments":{}}')["result"])

# with: forged-question
# case: a question that is not JSON
# steps: {"refused": "got 'the question is not JSON'", "bytes": "got 'the question is not JSON'", "empty": "got 'the question is not JSON'", "nan": "got 'the question is not JSON'"}
def attack(target):
    attempt("refused", lambda: refusal("{op:1}"))
    attempt("bytes", lambda: refusal(b"\xff\xfe\x00"))
    attempt("empty", lambda: refusal(""))
    attempt("nan", lambda: refusal('{"op":"sleep","seconds":NaN}'))

# case: frames with wrong lengths
# steps: {"longer": "OSError", "shorter": "OSError", "short": "OSError", "empty": "OSError", "huge": "OSError", "read": "got b''", "vector": "(OSError|got .*)"}
def attack(target):
    import posix
    attempt("longer", lambda: posix.write(3, b"\x05\0\0\0{}"))
    attempt("shorter", lambda: posix.write(3, b"\x01\0\0\0{}"))
    attempt("short", lambda: posix.write(3, b"\x01\0"))
    attempt("empty", lambda: posix.write(3, b""))
    attempt("huge", lambda: posix.write(3, b"\xff\xff\xff\xff{}"))
    attempt("read", lambda: posix.read(3, 1 << 20))
    attempt("vector", lambda: posix.writev(3, [b"\x02\0\0\0", b"{}", b"{}"]))

# case: a question that is too large
# ends: violation
def attack(target):
    import posix
    body = bytes(2 << 20)
    posix.write(3, len(body).to_bytes(4, "little") + body)

# case: a result frame as printed text
# steps: {"stdout": "got .*", "stderr": "got .*", "log": "got .*"}
def attack(target):
    import posix
    body = b'{"kind":"returned","value":"forged","returnType":"str","report":null}'
    frame = (9 + len(body)).to_bytes(4, "little") + b"\x04" + b"\0" * 9 + body
    attempt("stdout", lambda: posix.write(1, frame))
    attempt("stderr", lambda: posix.write(2, b"\0\0\0\0\0" + frame))
    attempt("log", lambda: posix.write(4, frame * 3))

# with: forged-result
# case: a result that is not JSON
# raises: the result is not JSON
def attack(target):
    answer_with('{"kind":"returned","value":NaN}')

# with: forged-result
# case: a result that is no object
# raises: the result is not JSON
def attack(target):
    answer_with("[1]")

# with: forged-result
# case: a result with a number that no double holds
# raises: the result holds a number beyond 1.8e308
def attack(target):
    answer_with('{"kind":"returned","value":1e999}')

# with: forged-result
# case: a result that is nested very deep
# raises: the result is nested more than 40 deep
def attack(target):
    answer_with('{"kind":"returned","value":' + "[" * 500_000 + "]" * 500_000 + "}")

# with: forged-result
# case: a result with the names of an object's own machinery
# value: {"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toJSON": 1, "then": 1}
def attack(target):
    answer_with('{"kind":"returned","value":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toJSON":1,"then":1},"returnType":{"toString":1},"report":{"__proto__":1}}')

# with: forged-result
# case: an error whose parts are no texts
# raises:
def attack(target):
    answer_with('{"kind":"raised","type":{"toString":1},"message":[1],"frames":[null,1,{"line":{"valueOf":1},"function":{}}],"report":7}')

# with: forged-result
# case: a result of an unknown kind
# raises:
def attack(target):
    answer_with('{"kind":"__proto__","value":1}')

# with: forged-result
# case: a result larger than an answer may be
# ends: crashed
def attack(target):
    answer_with('{"kind":"returned","value":"' + "x" * (9 << 20) + '"}')

# with: forged-result
# case: a result that is not bytes
# ends: crashed
def attack(target):
    class Forged:
        def encode(self):
            return 7
    answer_with(Forged())

# with: forged-result
# case: a lone surrogate
# value: "\ud800"
def attack(target):
    answer_with(r'{"kind":"returned","value":"\ud800"}')

# case: a number that is too large for a double
# raises: the result holds a number beyond 1.8e308
def attack(target):
    tried["number"] = 10**400

# case: values that pretend to be of another kind
# steps: {"int": "got .*", "str": "got .*", "nan": "got .*"}
def attack(target):
    class Number(int):
        def __repr__(self):
            return '1,"forged":1'

    class Text(str):
        def __str__(self):
            return '"'

    attempt("int", lambda: __import__("json").loads(__import__("json").dumps({"n": Number(5)})))
    attempt("str", lambda: Text("x"))
    attempt("nan", lambda: str(float("nan")))

# case: a result with NaN
# ends: raised
def attack(target):
    tried["nan"] = float("nan")
