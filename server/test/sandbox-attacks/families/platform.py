# What the platform adds to the guest: its classes, variables, tools and HTTP.

# case: replacing the platform's classes
# steps: {"part": "got None", "request": "got None", "context": "got None", "prefix": "got None"}
def attack(target):
    import sys
    Part.leak = target
    attempt("part", lambda: setattr(Part, "from_text", staticmethod(lambda text: None)))
    attempt("request", lambda: setattr(type(ces_requests), "get", lambda self, url, **o: "poisoned"))
    attempt("context", lambda: setattr(CallbackContext, "get_variable", lambda self, name: "poisoned"))
    attempt("prefix", lambda: setattr(sys.modules["ces_public"], "Part", None))

# case: variables that are too large
# ends: raised|returned
def attack(target):
    for n in range(100):
        set_variable(f"v{n}", "x" * 100_000)

# case: an answer that is too large
# functions: gigantic
# steps: {"answer": "HostRefusal"}
def attack(target):
    attempt("answer", lambda: tools.gigantic({}))

# case: formats and templates that walk attributes
# steps: {"format": "got .*", "percent": "(got .*|KeyError|TypeError)", "template": "(got .*|ValueError|KeyError)", "map": "got .*", "fstring": "OSError"}
def attack(target):
    import string
    attempt("format", lambda: "{0.__class__.__init__.__globals__}".format(Part())[:20])
    attempt("percent", lambda: "%(a)s" % {"a": "{0.__globals__}"})
    attempt("template", lambda: string.Template("$a ${b.__class__}").safe_substitute(a=1, b=2))
    attempt("map", lambda: "{c.__init__.__globals__}".format_map({"c": context.__class__})[:20])
    attempt("fstring", lambda: f"{Part.__init__.__globals__['json'].codecs.open(target['file'])}")

# case: classes that everybody inherits from
# steps: {"exception": "got <.*", "object": "TypeError", "type": "TypeError", "subclass": "got .*", "model": "got None", "hook": "got None"}
def attack(target):
    attempt("exception", lambda: type("Leak", (Exception,), {"leak": target}))
    attempt("object", lambda: setattr(object, "leak", target))
    attempt("type", lambda: setattr(dict, "get", lambda *a: target))
    attempt("subclass", lambda: [type(f"Leak{n}", (Part,), {}) for n in range(3)])
    model = Part.__mro__[1]
    attempt("model", lambda: setattr(model, "__eq__", lambda *a: True))
    attempt("hook", lambda: setattr(model, "__init_subclass__", classmethod(lambda cls: setattr(cls, "leak", target))))

# with: forged-question
# functions: echo
# case: forged calls of tools and HTTP
# steps: {"tool": "got 'the question is malformed'", "args": "got 'the question is malformed'", "other": "got 'the question is malformed'", "url": "got 'the question is malformed'", "headers": "got 'the question is malformed'", "header": "got 'the question is malformed'", "name": "got 'the question is malformed'", "method": "got 'the question is malformed'", "proto": "got .*__proto__.*", "surrogate": "got .*"}
def attack(target):
    fake = '{"toString":1,"valueOf":1,"toJSON":1,"then":1}'
    tool = '{"op":"call","function":"tool","arguments":{"name":%s,"args":%s}}'
    http = '{"op":"call","function":"http","arguments":{"method":%s,"url":%s,"headers":%s}}'
    attempt("tool", lambda: refusal(tool % ('["echo"]', "{}")))
    attempt("args", lambda: refusal(tool % ('"echo"', "[]")))
    attempt("other", lambda: refusal(tool % ('"constructor"', "{}")))
    attempt("url", lambda: refusal(http % ('"GET"', "{}", "{}")))
    attempt("headers", lambda: refusal(http % ('"GET"', '"http://a.example"', '[["a","b"]]')))
    attempt("header", lambda: refusal(http % ('"GET"', '"http://a.example"', '{"a":%s}' % fake)))
    attempt("name", lambda: refusal(tool % (fake, "{}")))
    attempt("method", lambda: refusal(http % (fake, '"http://a.example"', "{}")))
    attempt("proto", lambda: asked(tool % ('"echo"', '{"__proto__":{"polluted":true}}'))["result"]["text"])
    attempt("surrogate", lambda: asked(tool % ('"echo"', r'{"s":"\ud800"}'))["result"]["text"])

# with: forged-result
# case: a forged report of changes with the names of an object's own machinery
# value: {"ok": true}
def attack(target):
    answer_with('{"kind":"returned","value":{"ok":true},"returnType":{"toString":1},"report":{"edited":[["__proto__",1],["length",9],[-1,1],[0.5,1],null],"state":{"set":[],"removed":[{"toString":1},1,null]}}}')

# with: forged-result
# case: a forged report that is no object
# value: 1
def attack(target):
    answer_with('{"kind":"returned","value":1,"returnType":"int","report":[{"state":7}]}')

# case: a tool that is started and not waited for
# functions: slow
# steps: {"started": "got .*"}
def attack(target):
    attempt("started", lambda: [async_tools.slow({"n": n}) for n in range(5)])

# case: more tool calls than a run may make
# functions: echo
# steps: {"served": "got 99", "refused": "HostRefusal"}
def attack(target):
    def served():
        done = 0
        try:
            while True:
                tools.echo({"n": done})
                done += 1
        except RuntimeError:
            return done

    attempt("served", served)
    attempt("refused", lambda: tools.echo({}))

# case: waiting for a tool that never answers
# functions: never
# wall: 1000
# ends: timeout
def attack(target):
    tools.never({})
