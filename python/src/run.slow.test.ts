import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";
import type { JsonObject } from "./json.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

describe("the entry function", () => {
  it("is the first function of the file when no name is given", async () => {
    assert.equal(
      await sandbox.value("import json\ndef first():\n    return second()\ndef second():\n    return 2\n"),
      2,
    );
  });

  it("is the named one otherwise", async () => {
    assert.equal(await sandbox.value("def a():\n    return 1\ndef b():\n    return 2\n", { entry: "b" }), 2);
  });

  it("is missed with the names that exist", async () => {
    const outcome = await sandbox.run("def lookup():\n    pass\n", { entry: "Lookup" });
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "NameError",
      message: "the file defines no function named 'Lookup'; its functions are: lookup",
      frames: [],
    });
  });

  it("may be asynchronous", async () => {
    const code = `
import asyncio
async def work(n):
    await asyncio.sleep(0.001)
    return n
async def f():
    async with asyncio.timeout(5):
        return await asyncio.gather(work(1), work(2))
`;
    assert.deepEqual(await sandbox.value(code, { entry: "f" }), [1, 2]);
  });
});

describe("arguments", () => {
  it("are coerced to the annotated types where that is exact", async () => {
    const code = `
import dataclasses, enum
from typing import Optional
class Size(enum.Enum):
    SMALL = "s"
@dataclasses.dataclass
class Order:
    id: str
    size: Size
def f(order: Order, sizes: list[Size], weight: float, count: int, note: Optional[str] = None, wrong: int = 0):
    return [order.id, order.size.name, [s.name for s in sizes], type(weight).__name__, count, note, wrong]
`;
    const keyword = {
      order: { id: "o1", size: "s" },
      sizes: ["s", "SMALL"],
      weight: 2,
      count: 3,
      wrong: "many",
    };
    const expected = ["o1", "SMALL", ["SMALL", "SMALL"], "float", 3, null, "many"];
    assert.deepEqual(await sandbox.value(code, { keyword }), expected);
  });

  it("that do not fit the signature are a TypeError", async () => {
    const outcome = await sandbox.run("def f(a: str):\n    return a\n", { keyword: { b: 1 } });
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "TypeError",
      message: "f() got an unexpected keyword argument 'b'",
    });
  });
});

describe("the returned value", () => {
  const returned = async (expression: string) => {
    const outcome = await sandbox.run(
      `import datetime, decimal, enum, uuid, dataclasses\ndef f():\n    return ${expression}\n`,
    );
    return outcome.kind === "returned" ? [outcome.value, outcome.returnType] : [outcome.kind, outcome];
  };

  it("keeps its JSON and tells its Python type", async () => {
    assert.deepEqual(await returned(`None`), [null, "None"]);
    assert.deepEqual(await returned(`{"a": (1, 2.5, True)}`), [{ a: [1, 2.5, true] }, "dict"]);
    assert.deepEqual(await returned(`"Grüße \\U0001F600"`), ["Grüße \u{1F600}", "str"]);
    assert.deepEqual(await returned(`{datetime.date(2026, 1, 2)}`), [["2026-01-02"], "set"]);
    assert.deepEqual(await returned(`[decimal.Decimal("1.5"), enum.IntEnum("E", "A")(1)]`), [[1.5, 1], "list"]);
  });

  it("without a JSON form is an error", async () => {
    const outcome = await sandbox.run(`def f():\n    return {"x": object()}\n`);
    assert.partialDeepStrictEqual(outcome, { kind: "raised", type: "TypeError" });
    const notANumber = await sandbox.run(`def f():\n    return float("nan")\n`);
    assert.partialDeepStrictEqual(notANumber, { kind: "raised", type: "ValueError" });
  });

  it("names the place of what has none", async () => {
    const message = async (expression: string) => {
      const outcome = await sandbox.run(
        `import dataclasses\n@dataclasses.dataclass\nclass Order:\n    lines: list\ndef f():\n    return ${expression}\n`,
      );
      return outcome.kind === "raised" ? outcome.message : outcome.kind;
    };
    assert.deepEqual(
      await Promise.all(
        [
          `object()`,
          `{"ok": 1, "order": Order([{"sku": "A"}, {"sku": f}])}`,
          `{"rates": (1.0, float("nan"))}`,
          `{"by": {(1, 2): 3}}`,
          `[{"k" * 200: object()}]`,
        ].map(message),
      ),
      [
        "a value of type object has no JSON form",
        "a value of type function has no JSON form, at ['order']['lines'][1]['sku']",
        "Out of range float values are not JSON compliant: nan, at ['rates'][1]",
        "keys must be str, int, float, bool or None, not tuple, at ['by']",
        `a value of type object has no JSON form, at [0]['${"k".repeat(99)}…]`,
      ],
    );
    const looped = await sandbox.run(`def f():\n    a = {}\n    a["me"] = [a]\n    return a\n`);
    assert.partialDeepStrictEqual(looped, {
      kind: "raised",
      type: "ValueError",
      message: "Circular reference detected, at ['me'][0]",
    });
  });
});

describe("an exception", () => {
  it("shows the user's own frames with their source, outermost first", async () => {
    const code = `import json\ndef helper(text):\n    return json.loads(text)\n\ndef f():\n    return helper("{")\n`;
    const outcome = await sandbox.run(code, { entry: "f", filename: "tools/lookup/python_code.py" });
    const filename = "tools/lookup/python_code.py";
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "JSONDecodeError",
      frames: [
        { filename, line: 6, function: "f", source: `return helper("{")` },
        { filename, line: 3, function: "helper", source: "return json.loads(text)" },
      ],
    });
  });

  it("of the loading is told like any other", async () => {
    assert.partialDeepStrictEqual(await sandbox.run(`x = 1\ny = x.nope\ndef f():\n    pass\n`), {
      kind: "raised",
      type: "AttributeError",
      frames: [{ line: 2, function: "<module>", source: "y = x.nope" }],
    });
  });

  it("is a SyntaxError with its line for a file that does not parse", async () => {
    assert.partialDeepStrictEqual(await sandbox.run(`def f():\n    return (\n`), {
      kind: "raised",
      type: "SyntaxError",
      message: "'(' was never closed",
      frames: [{ line: 2, source: "return (" }],
    });
  });

  it("may be an exit", async () => {
    assert.partialDeepStrictEqual(await sandbox.run(`import sys\ndef f():\n    sys.exit(3)\n`), {
      kind: "raised",
      type: "SystemExit",
      message: "3",
    });
  });

  it("can be formatted with source lines by the code itself", async () => {
    const code = `import traceback\ndef f():\n    try:\n        1 / 0  # here\n    except ZeroDivisionError:\n        return traceback.format_exc()\n`;
    assert.match(String(await sandbox.value(code)), /python_code\.py", line 4, in f\n {4}1 \/ 0 {2}# here/);
  });
});

describe("output", () => {
  it("is captured by stream, in order", async () => {
    const code = `
import sys, logging
def f():
    print("one", 1)
    logger.info("two %s", 2)
    print("three", file=sys.stderr)
    logging.getLogger("mine").warning("four")
    print("five\\nsix", end="")
`;
    assert.deepEqual((await sandbox.run(code)).output, [
      { stream: "stdout", text: "one 1" },
      { stream: "log", text: "INFO two 2" },
      { stream: "stderr", text: "three" },
      { stream: "log", text: "WARNING four" },
      { stream: "stdout", text: "five" },
      { stream: "stdout", text: "six" },
    ]);
  });

  it("of a run that is ended is kept", async () => {
    const outcome = await sandbox.run(`def f():\n    print("before")\n    while True: pass\n`, {
      limits: { cpuMs: 100, wallMs: 5_000 },
    });
    assert.deepEqual([outcome.kind, outcome.output], ["timeout", [{ stream: "stdout", text: "before" }]]);
  });
});

describe("the standard library", () => {
  const cases: readonly [claim: string, code: string, value: unknown][] = [
    [
      "zoneinfo knows the time zones",
      `from datetime import datetime; from zoneinfo import ZoneInfo
def f():
    zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]
    return [str(datetime(2050, 7, 1, tzinfo=ZoneInfo(z)).utcoffset()) for z in zones]`,
      ["2:00:00", "-1 day, 20:00:00", "5:30:00", "12:00:00"],
    ],
    [
      "strftime and strptime agree",
      `from datetime import datetime
def f():
    text = datetime(2026, 3, 5, 14, 7, 9).strftime("%A %d %B %Y %I:%M:%S %p %j %U %V %G")
    return [text, datetime.strptime("2026-03-05", "%Y-%m-%d").isoformat()]`,
      ["Thursday 05 March 2026 02:07:09 PM 064 09 10 2026", "2026-03-05T00:00:00"],
    ],
    [
      "rare modules load on first use",
      `def f():
    import xml.etree.ElementTree, configparser, ipaddress, tomllib, gzip, pickle, email.message, argparse, html.parser, unittest.mock
    return [tomllib.loads("a = 1"), pickle.loads(pickle.dumps({1})) == {1}, gzip.decompress(gzip.compress(b"x")).decode(),
            str(ipaddress.ip_network("10.0.0.0/8")), "äöü".encode("cp1252").decode("cp1252")]`,
      [{ a: 1 }, true, "x", "10.0.0.0/8", "äöü"],
    ],
    [
      "hashing, encoding and decimals work",
      `import hashlib, hmac, base64, decimal, statistics, fractions
def f():
    return [hashlib.sha256(b"a").hexdigest()[:8], hmac.new(b"k", b"m", "sha1").hexdigest()[:8], str(decimal.Decimal("0.1") * 3),
            statistics.median([3, 1, 2]), str(fractions.Fraction(1, 3))]`,
      ["ca978112", "772b71c8", "0.3", 2, "1/3"],
    ],
    ["the version is 3.12", `import sys\ndef f():\n    return list(sys.version_info[:2])`, [3, 12]],
    [
      "dataclasses with postponed annotations work",
      `from __future__ import annotations
import dataclasses
@dataclasses.dataclass
class A:
    x: int = 1
def f(a: A = None):
    return a`,
      { x: 2 },
    ],
  ];
  for (const [claim, code, value] of cases) {
    it(claim, async () => {
      const keyword: JsonObject = claim.startsWith("dataclasses") ? { a: { x: 2 } } : {};
      assert.deepEqual(await sandbox.value(code, { keyword }), value);
    });
  }

  it("says what is missing", async () => {
    const outcome = await sandbox.run("import requests\ndef f():\n    pass\n");
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "ModuleNotFoundError",
      message:
        "No module named 'requests': it is not part of the Python 3.12 standard library, and packages cannot be installed. " +
        "Importable is the standard library without sockets, processes and threads.",
    });
  });

  it("gives each run its own random numbers", async () => {
    const code = `import random, uuid, secrets\ndef f():\n    return [random.random(), str(uuid.uuid4()), secrets.token_hex(8)]\n`;
    const found = [];
    for (const group of ["one", "one", "other"]) found.push(...((await sandbox.value(code, { group })) as unknown[]));
    assert.equal(new Set(found).size, 9);
  });
});

describe("calls of one group", () => {
  it("share nothing through their files' globals", async () => {
    const code = `seen = []\ndef f():\n    seen.append(1)\n    return len(seen)\n`;
    assert.equal(await sandbox.value(code, { group: "shared" }), 1);
    assert.equal(await sandbox.value(code, { group: "shared" }), 1);
  });
});
