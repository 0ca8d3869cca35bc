import { createHash } from "node:crypto";
import type { AttackOutcome } from "./attack-runner.ts";

/** What of an embedder's program the probe looks at, in Python. */
interface ProbedProgram {
  /** Expressions for classes that every tenant finds. */
  readonly classes: readonly string[];
  /** An expression whose value is always the same when the program is as it was. */
  readonly works: string;
  /** Names that are others in each run. */
  readonly volatile: readonly string[];
}

/**
 * A program that shows what the next tenant's code can see of its interpreter: identities of built-in functions, modules and
 * classes (the same in every restored image), how it behaves, settings, and traces of whoever was served before.
 */
export function tenantProbe({ classes, works, volatile }: ProbedProgram): string {
  return `
import atexit, builtins, copy, datetime, decimal, gc, json, logging, math, os, random, re, secrets, sys, time, warnings
from sealed_guest import channel, dispatch, execution, inspection

def identities(names):
    return {str(name): id(value) for name, value in names.items() if name not in VOLATILE}

VOLATILE = {"_", "__warningregistry__", "_cache", "_cache2", "_inst", "__annotations__", "_kept", *${JSON.stringify(volatile)}}

def probe(mine, private, marker):
    classes = [${classes.join(", ")}]
    modules = [builtins, json, json.decoder, json.encoder, re, datetime, math, copy, random, time, os, secrets, decimal, logging, channel, dispatch, execution, inspection]
    places = {
        "modules": sorted(name for name in sys.modules),
        "meta path": [type(one).__name__ for one in sys.meta_path],
        "path": [sys.path, sys.path_hooks],
        "names": [identities(vars(module)) for module in modules],
        "classes": [identities(vars(one)) for one in classes],
        "entry": id(dispatch.dispatch.__code__),
        "settings": [sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval(), decimal.getcontext().prec],
        "hooks": [sys.gettrace() is None, sys.getprofile() is None, sys.unraisablehook is sys.__unraisablehook__, atexit._ncallbacks(), len(gc.callbacks), gc.isenabled()],
        "filters": len(warnings.filters),
        "handlers": len(logging.getLogger().handlers),
        "subclasses": len(Exception.__subclasses__()),
    }
    works = [
        len("four"), json.loads('{"a":[1]}'), json.dumps({"a": 1.5}), re.match("(a+)b", "aab").group(1), ${works},
        datetime.date(2024, 2, 29).isoformat(), copy.deepcopy([1]), mine, time.time() > 1_600_000_000,
        sorted(os.listdir("/tmp")) if os.path.isdir("/tmp") else [],
    ]
    marker = marker[::-1]
    traces = [type(o).__name__ for o in gc.get_objects() if isinstance(o, dict) and any(k == "leak" or marker == v for k, v in o.items() if isinstance(k, str) and (v is None or isinstance(v, str)))]
    traces += [o for o in ("stash", "leak") if o in sys.modules or hasattr(builtins, o) or any(hasattr(one, o) for one in classes) or hasattr(json, o)]
    return {"places": places, "works": works, "traces": traces, "random": [random.random(), secrets.token_hex(8), os.urandom(8).hex()]}
`;
}

/** One look: everything that must always be the same, and the random numbers, which must never be. */
export interface Look {
  readonly same: string;
  readonly random: readonly unknown[];
}

/** Condenses a probe's outcome. A probe that did not return is told as it is. */
export function readProbe(outcome: AttackOutcome): Look {
  if (outcome.kind !== "returned") return { same: JSON.stringify({ ...outcome, durationMs: 0 }), random: [] };
  const { places, works, traces, random } = outcome.value as Record<string, unknown>;
  const parts = Object.entries(places as Record<string, unknown>).map(
    ([name, value]) => `${name} ${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12)}`,
  );
  return { same: JSON.stringify([parts, works, traces]), random: random as unknown[] };
}
