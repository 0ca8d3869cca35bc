import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AttackRunner } from "./attack-runner.ts";
import { openAttacked } from "./open-attacked.ts";

/** Runs of the quick set. `node dirty-interpreter.slow.test.ts --long` makes as many as it is told to, or 600. */
const QUICK_RUNS = 15;
const LONG_RUNS = 600;

/** A run combines up to this many snippets. */
const MOST_SNIPPETS = 4;

const LIMITS = { cpuMs: 120, wallMs: 3_000 };

/** What a run may do to its interpreter. Each is well-formed by itself; what they do together nobody knows. */
const SNIPPETS = [
  "import sys\nsys.modules.clear()",
  "import gc\nfor o in gc.get_objects():\n    if isinstance(o, dict) and len(o) % 3 == 0: o.clear()",
  "import gc\nfor o in gc.get_objects():\n    if isinstance(o, list): o.clear()",
  "import builtins\nbuiltins.__dict__.pop('len', None)\nbuiltins.__dict__.pop('isinstance', None)",
  "import builtins\nbuiltins.Exception = builtins.BaseException = None",
  "import sys\nsys.setrecursionlimit(10**9)\ndef deep(): return deep()\ndeep()",
  "kept = []\nwhile True: kept.append(bytes(1 << 20))",
  "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
  "import posix\nposix._exit(3)",
  "import os\nos.abort()",
  "import types\ntypes.FunctionType((lambda: 0).__code__.replace(co_code=bytes([100, 255, 83, 0] * 20), co_consts=()), {})()",
  "import types, os\ntypes.FunctionType((lambda: 0).__code__.replace(co_code=os.urandom(60)), {})()",
  "import _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec('_ctypes', None))",
  "import posix\nposix.write(3, b'\\x02\\0\\0\\0{}')",
  "import posix\nposix.write(1, bytes(3 << 20))",
  "from sealed_guest import dispatch\ndispatch.dispatch.__code__ = (lambda request: request).__code__",
  "from sealed_guest import execution\nexecution._returned = lambda *a: None",
  "from sealed_guest import channel\nchannel._loads = channel._write = channel._read = None",
  "import json\njson.loads = json.dumps = json.JSONEncoder = None",
  "import gc\ngc.freeze()\ngc.disable()\ngc.set_threshold(1)",
  "import sys\nsys.settrace(lambda *a: 1 / 0)\nsys.setprofile(lambda *a: 1 / 0)",
  "import random, secrets\nrandom.seed(1)\nrandom.random = secrets.token_hex = lambda *a: 4",
  "import asyncio\nasyncio.set_event_loop(asyncio.new_event_loop())\nasyncio.get_event_loop().call_later(0, print)",
  "class A:\n    def __del__(self):\n        global a\n        a = A()\na = A()\ndel a",
  "import sys\nsys.stdout = sys.stderr = sys.__stdout__ = None",
  "value = None\nfor _ in range(100_000): value = (value,)",
  "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
  "sum(range(10**12))",
  "type(host).__getattr__ = type(host).leak = None",
  "import decimal, locale\ndecimal.setcontext(decimal.Context(prec=1))\nlocale.setlocale(locale.LC_ALL, '')",
  "open('/tmp/left', 'w').write('x' * 1000)",
  "raise SystemExit(9)",
];

describe("an interpreter that was misused in several ways at once", () => {
  const runs = process.argv.includes("--long") ? Number(process.argv.at(-1)) || LONG_RUNS : QUICK_RUNS;
  it(`is as new for the next tenant (${runs} runs)`, { timeout: 60_000 + runs * 5_000 }, async () => {
    await using runner = await AttackRunner.start(openAttacked({ maxGuests: 1 }));
    for (let seed = 1; seed <= runs; seed++) {
      const code = combine(seed);
      const outcome = await runner.run(code, LIMITS);
      assert.ok(!JSON.stringify(outcome).includes("SyntaxError"), `seed ${seed} is no Python:\n${code}`);
      await runner.assertWell(code).catch((error: unknown) => {
        throw new Error(`after seed ${seed}:\n${code}`, { cause: error });
      });
    }
  });
});

/** A file of some snippets, each tried in its own way: at load, in the function, or in a handler that catches everything. */
function combine(seed: number): string {
  const next = generator(seed);
  const chosen = Array.from({ length: 1 + next(MOST_SNIPPETS) }, () => SNIPPETS[next(SNIPPETS.length)] ?? "");
  const blocks = chosen.map(
    (snippet) => `    try:\n${snippet.replace(/^/gm, "        ")}\n    except BaseException:\n        pass\n`,
  );
  const body = `def attack():\n${blocks.join("")}    return 1\n`;
  return next(2) === 0 ? `${body}attack()\n` : body;
}

/** Whole numbers below a bound, the same for the same seed (a linear congruential generator after Knuth). */
function generator(seed: number): (bound: number) => number {
  let state = BigInt(seed);
  return (bound) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 33n) % bound;
  };
}
