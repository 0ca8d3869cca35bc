import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { JsonList } from "#sandbox";
import { createTestSandbox } from "./test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

const contentOf = (words: string): JsonObject => ({ role: "user", parts: [{ text: words }] });
const eventOf = (words: string): JsonObject => ({ id: words, author: "user", content: contentOf(words) });

/** A list that makes its items, and counts how many were read. */
function countedList(length: number, make: (words: string) => JsonObject): JsonList & { readonly reads: Set<number> } {
  const reads = new Set<number>();
  const at = (index: number) => {
    reads.add(index);
    return make(`words ${index}`);
  };
  return { length, reads, at };
}

const words = (numbers: Iterable<number>) => [...numbers].map((number) => `words ${number}`);

describe("the events of a long session (PY-46)", () => {
  /** What user code may read; each is compared with the same on a list of texts. */
  const READS = [
    "len(x)",
    "bool(x)",
    "isinstance(x, list)",
    "x[0].id == t[0] and x[-1].id == t[-1] and x[150].id == t[150]",
    "ids(x[-3:]) == t[-3:] and ids(x[10:200:7]) == t[10:200:7] and ids(x[::-1]) == t[::-1]",
    "ids(x) == t",
    "ids(reversed(x)) == t[::-1]",
    "ids([*x, *x]) == t + t and ids(x + []) == t and ids([] + x) == t and ids(x * 2) == t * 2",
    "x == list(x) and list(x) == x and not x != list(x) and x != [] and not x == 5",
    "x[7] in x and x.index(x[7]) == 7 and x.count(x[7]) == 1",
    "ids(x.copy()) == t and ids(copy.copy(x)) == t and ids(copy.deepcopy(x)) == t",
    "[e.id for e in x if e.id.endswith('99')] == [e for e in t if e.endswith('99')]",
    "ids(sorted(x, key=lambda e: e.id)) == sorted(t)",
    "ids(tuple(x)) == t and [id for id, *_ in zip(t, x)] == t and (lambda first, *rest: len(rest))(*x) == len(t) - 1",
    "json.dumps([e.model_dump() for e in x]) == json.dumps([e.model_dump() for e in list(x)])",
    "repr(x) == repr(list(x))",
    "x is context.events and x[5] is x[5]",
    "raises(IndexError, lambda: x[len(t)]) and raises(IndexError, lambda: x[-len(t) - 1]) and raises(TypeError, lambda: x['a'])",
  ];
  for (const read of READS) {
    it(`are a list: ${read}`, async () => {
      const code = `import copy, json
def f(x, t):
    return bool(${read})

def ids(items):
    return [item.id for item in items]

def raises(kind, action):
    try:
        action()
    except kind:
        return True

def main():
    return f(context.events, [f"words {n}" for n in range(300)])
`;
      const events = countedList(300, eventOf);
      assert.equal(await sandbox.value(code, { entry: "main", context: { events } }), true);
    });
  }

  it("cost what is looked at: the newest of a million", async () => {
    const events = countedList(1_000_000, eventOf);
    const code = `def f():
    e = context.events
    return [len(e), e[-1].id, [x.id for x in e[-2:]], next(reversed(e)).author, e[0].id]
`;
    const settings = { context: { events } };
    assert.deepEqual(await sandbox.value(code, settings), [
      10_000,
      "words 999999",
      words([999_998, 999_999]),
      "user",
      "words 990000",
    ]);
    assert.ok(events.reads.size <= 32 + 64, `${events.reads.size} events were read`);
    events.reads.clear();
    assert.equal(await sandbox.value("def f():\n    return 1\n", settings), 1);
    assert.ok(events.reads.size <= 32, `${events.reads.size} events were read`);
  });

  it("are read to the first, however large they are together", async () => {
    const large = "x".repeat(100 << 10);
    const events = { length: 150, at: (index: number) => eventOf(`${index} ${large}`) };
    const code = "def f():\n    return sum(len(part.text) for part in context.parts())\n";
    const most = Array.from({ length: 150 }, (_, index) => `${index} ${large}`.length).reduce((a, b) => a + b);
    assert.equal(await sandbox.value(code, { context: { events } }), most);
  });

  it("are the newest ones of a session that has more than the setting allows", async () => {
    await using small = createTestSandbox({ historyEvents: 50, maxGuests: 1 });
    const code = "def f():\n    return [len(context.events), context.events[0].id]\n";
    assert.deepEqual(await small.value(code, { context: { events: countedList(80, eventOf) } }), [50, "words 30"]);
  });
});

describe("the contents of a model request, edited in place", () => {
  const EDITS = [
    "x.append(NEW)",
    "x.insert(0, NEW)",
    "x.extend([NEW, NEW])",
    "x += [NEW]",
    "del x[0]",
    "del x[10:-10]",
    "x.pop(); x.pop(0)",
    "x.remove(x[3])",
    "x[5] = NEW",
    "x[10:20] = [NEW]",
    "x[:] = x[-20:]",
    "x.reverse()",
    "x.sort(key=lambda c: text(c))",
    "x.clear()",
    "x *= 2",
    "x[0], x[-1] = x[-1], x[0]",
    "[x.pop(k) for k in (-5, 20, 3)]",
    "x.append(NEW); x[0].parts[0].text = 'first'; x[-2].parts[0].text = 'last'",
  ];
  const REPLACED = [
    "x[-20:]",
    "[c for c in x if text(c).endswith('7')]",
    "[NEW, *x]",
    "x + [NEW]",
    "[]",
    "list(reversed(x))",
  ];
  const cases = [
    ...EDITS.map((edit) => [edit, `x = r.contents\n    ${edit}`]),
    ...REPLACED.map((value) => [value, `x = r.contents\n    r.contents = ${value}`]),
  ] as const;
  /** So many come with the call, or are read by page. */
  const LENGTHS = [24, 200];
  for (const [length, [name, body]] of LENGTHS.flatMap((length) => cases.map((one) => [length, one] as const))) {
    it(`come back as a list of ${length} would: ${name}`, async () => {
      const code = `NEW = Content(role="model", parts=[Part.from_text("new")])
def text(content):
    return content.parts[0].text

def before_model_callback(r, plain):
    ${body}
    edited = [text(c) for c in r.contents]
    r.contents, kept = list(GIVEN(plain)), r.contents
    ${body}
    expected = [text(c) for c in r.contents]
    assert edited == expected, (edited, expected)
    r.contents = kept
    plain["texts"] = edited

def GIVEN(plain):
    return [Content(role="user", parts=[Part.from_text(words)]) for words in plain["given"]]
`;
      const given = words(Array(length).keys());
      const outcome = await sandbox.run(code, {
        entry: "before_model_callback",
        positional: [
          { kind: "llm-request", value: { model: "m", contents: given.map(contentOf) } },
          { kind: "json", value: { given } },
        ],
      });
      assert.equal(outcome.kind, "returned", JSON.stringify(outcome));
      const [request, plain] = outcome.kind === "returned" ? (outcome.edited as JsonObject[]) : [];
      const contents = (request?.contents ?? []) as { parts: { text: string }[] }[];
      assert.deepEqual(
        contents.map(({ parts }) => parts[0]?.text),
        plain?.texts,
      );
    });
  }

  /** The contents that a callback's edit reports; undefined: no edit. */
  async function reportedContents(contents: JsonList, body: string) {
    const code = `def before_model_callback(r):\n    ${body}\n`;
    const outcome = await sandbox.run(code, { positional: [{ kind: "llm-request", value: { model: "m" }, contents }] });
    assert.equal(outcome.kind, "returned", JSON.stringify(outcome));
    return outcome.kind === "returned" ? (outcome.edited[0] as JsonObject | undefined)?.contents : undefined;
  }

  it("name what is as it was by index, and nothing is reported that was only read", async () => {
    const contents = countedList(100_000, contentOf);
    const run = (body: string) => reportedContents(contents, body);
    assert.equal(
      await run("[c.parts[0].text for c in r.contents[-50:]]; r.contents[0].parts[0].function_call"),
      undefined,
    );
    assert.deepEqual(await run("r.contents[50].parts[0].text += '!'"), [
      [0, 50],
      contentOf("words 50!"),
      [51, 100_000],
    ]);
    assert.deepEqual(await run("r.contents = r.contents[-20:]"), [[99_980, 100_000]]);
    assert.deepEqual(await run("r.contents.append(Content(role='user', parts=[Part.from_text('new')]))"), [
      [0, 100_000],
      contentOf("new"),
    ]);
    assert.ok(contents.reads.size < 300, `${contents.reads.size} contents were read`);
  });

  it("name what is as it was by index in a short list too", async () => {
    const contents = countedList(3, contentOf);
    const run = (body: string) => reportedContents(contents, body);
    assert.equal(
      await run("assert type(r.contents) is list; [c.parts[0].function_call for c in r.contents]"),
      undefined,
    );
    assert.deepEqual(await run("r.contents[1].parts[0].text += '!'"), [[0, 1], contentOf("words 1!"), [2, 3]]);
    assert.deepEqual(await run("r.contents.append(r.contents.pop(0))"), [
      [1, 3],
      [0, 1],
    ]);
    assert.deepEqual(await run("r.contents = [[0, 3]]"), [null]);
    assert.deepEqual(await run("r.contents = []"), []);
  });

  it("are whole when the request is dumped, copied or returned", async () => {
    const code = `import copy
def before_model_callback(r):
    copies = [copy.deepcopy(r), r.model_copy(), LlmRequest.model_validate(r.model_dump())]
    assert all([c.parts[0].text for c in one.contents] == [f"words {n}" for n in range(200)] for one in copies)
    return r
`;
    const contents = countedList(200, contentOf);
    const outcome = await sandbox.run(code, { positional: [{ kind: "llm-request", value: { model: "m" }, contents }] });
    assert.equal(outcome.kind, "returned", JSON.stringify(outcome));
    assert.deepEqual(outcome.kind === "returned" && outcome.value, {
      model: "m",
      contents: words(Array(200).keys()).map(contentOf),
    });
  });
});

describe("limits of one call (PY-46)", () => {
  const LIMITS = [
    ["a result", "return 'x' * (2 << 20)", "the result has 2097154 bytes as JSON; the limit is 1048576"],
    [
      "variables",
      "set_variable('notes', 'x' * (4 << 20))",
      "the variables have 4194315 bytes as JSON; the limit is 3145728 (the largest that changed is 'notes')",
    ],
    [
      "edited arguments",
      "a['x'] = 'x' * (3 << 20)",
      "the edited arguments have 3145742 bytes as JSON; the limit is 2097152",
    ],
  ] as const;
  for (const [name, body, message] of LIMITS) {
    it(`${name}: the message names it`, async () => {
      const outcome = await sandbox.run(`def f(a):\n    ${body}\n`, { positional: [{ kind: "json", value: {} }] });
      assert.partialDeepStrictEqual(outcome, { kind: "raised", type: "ValueError", message });
    });
  }

  it("edited contents: messages named by index count, too", async () => {
    const contents = Array.from({ length: 100 }, (_, at) => contentOf(`words ${at}`));
    const outcome = await sandbox.run("def f(r):\n    r.contents = list(r.contents) * 1002\n", {
      positional: [{ kind: "llm-request", value: { model: "m" }, contents }],
      limits: { cpuMs: 30_000, wallMs: 60_000 },
    });
    const message = "the edited contents have 100200 messages; the limit is 100100";
    assert.partialDeepStrictEqual(outcome, { kind: "raised", type: "ValueError", message });
  });

  it("count apart: a result of nearly 1 MiB beside variables of nearly 3 MiB", async () => {
    const outcome = await sandbox.run(
      "def f():\n    set_variable('v', 'x' * (3 * 1000 * 1000))\n    return 'x' * 1_000_000\n",
    );
    assert.equal(outcome.kind, "returned", JSON.stringify(outcome).slice(0, 300));
  });

  it("let variables that are too large already get smaller", async () => {
    const outcome = await sandbox.run("def f():\n    set_variable('v', get_variable('v')[:-10])\n", {
      state: { v: "x".repeat(3_200_000) },
    });
    assert.equal(outcome.kind, "returned", JSON.stringify(outcome).slice(0, 300));
  });
});
