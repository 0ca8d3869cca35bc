import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { HostFunctions, JsonObject, PythonLimits, PythonOutcome } from "../../src/index.ts";
import type { AttackCase, Expectation } from "./attack-case.ts";
import { type Detectors, setDetectors } from "./detectors.ts";
import { type Look, readProbe } from "./tenant-probe.ts";

/** A run may take this much longer than its limit, milliseconds: killing it, starting another guest, a machine under load. */
const GRACE_MS = 5_000;

/** The host function that an attack calls when it begins: what a killed run printed would be lost. */
const ANNOUNCEMENT = "attacking";

/** What only the good tenant knows. */
const PRIVATE = "OTHER-TENANT-NEEDLE";

const ATTACKER = "apps/evil";
const GOOD_TENANT = "apps/good";

/** One run that the harness makes. */
interface AttackRun {
  readonly code: string;
  readonly entry: string;
  readonly keyword: JsonObject;
  readonly tenant: string;
  readonly limits: PythonLimits;
  /** What the code may call, in whatever way the embedder's program lets it. */
  readonly hostFunctions: HostFunctions;
}

/** Of an outcome, what the harness looks at. */
export type AttackOutcome = Pick<PythonOutcome, "kind" | "output"> & {
  readonly value?: unknown;
  readonly message?: string;
};

/** The sandbox that is attacked, with the embedder's program in it. */
export interface AttackedSandbox {
  /** Each run is a group of its own. */
  run(run: AttackRun): Promise<AttackOutcome>;
  close(): Promise<void>;
  /** The program that looks at the next tenant's interpreter: `tenantProbe(…)`. */
  readonly probe: string;
}

/** A sandbox with the detectors around it. */
export class AttackRunner implements AsyncDisposable {
  readonly #sandbox: AttackedSandbox;
  readonly #detectors: Detectors;
  readonly #seen = new Set<unknown>();
  #pristine: Look | undefined;
  #runs = 0;
  /** Whether the running attack said that it begins. */
  #attacking = false;

  private constructor(sandbox: AttackedSandbox, detectors: Detectors) {
    this.#sandbox = sandbox;
    this.#detectors = detectors;
  }

  static async start(sandbox: AttackedSandbox): Promise<AttackRunner> {
    const detectors = await setDetectors();
    const runner = new AttackRunner(sandbox, detectors);
    runner.#pristine = await runner.#look();
    assert.match(runner.#pristine.same, /\[4,/, "the probe works");
    detectors.findings("");
    return runner;
  }

  /** Runs one case and everything that must hold afterwards. */
  async attack(attack: AttackCase): Promise<void> {
    this.#attacking = false;
    const started = performance.now();
    const outcome = await this.#attack(attack.code, "run", attack);
    const took = performance.now() - started;
    assertExpected(outcome, attack.expected);
    assert.ok(this.#attacking, "the attack was tried");
    const characters = outcome.output.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(characters <= attack.outputLimit, `${characters} characters of output`);
    assert.ok(took < attack.wallMs + GRACE_MS, `the run took ${Math.round(took)} ms`);
    await this.assertWell(outcome);
  }

  /** The traps are untouched, and the next tenant finds its interpreter as it always was. */
  async assertWell(told: unknown): Promise<void> {
    const { same, random } = await this.#look();
    assert.equal(same, this.#pristine?.same, "the next tenant's interpreter");
    for (const number of random) {
      assert.ok(!this.#seen.has(number), "random numbers repeat");
      this.#seen.add(number);
    }
    assert.deepEqual(this.#detectors.findings(told), []);
  }

  /** Runs a file of the attacker; for attacks that are made up on the way. */
  run(code: string, limits: PythonLimits): Promise<AttackOutcome> {
    return this.#attack(code, "", { ...limits, functions: [] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close();
    await this.#detectors[Symbol.asyncDispose]();
  }

  #attack(
    code: string,
    entry: string,
    { cpuMs, wallMs, functions }: Pick<AttackCase, "cpuMs" | "wallMs" | "functions">,
  ): Promise<AttackOutcome> {
    this.#runs += 1;
    return this.#sandbox.run({
      code,
      entry,
      keyword: entry ? { target: { ...this.#detectors.target } } : {},
      // A tenant whose calls time out is slowed down for a while; one after the other would test nothing but that.
      tenant: `${ATTACKER}-${this.#runs}`,
      limits: { cpuMs, wallMs },
      hostFunctions: {
        ...Object.fromEntries(functions.map((name) => [name, FUNCTIONS[name] ?? FUNCTIONS.echo])),
        [ANNOUNCEMENT]: async () => {
          this.#attacking = true;
          return null;
        },
      },
    });
  }

  async #look(): Promise<Look> {
    // The good tenant knows the marker backwards, so that its own copy is no trace of the other's.
    const marker = [...this.#detectors.target.marker].reverse().join("");
    const run = { code: this.#sandbox.probe, entry: "probe", keyword: { mine: 7, private: PRIVATE, marker } };
    const limits = { cpuMs: 5_000, wallMs: 20_000 };
    return readProbe(await this.#sandbox.run({ ...run, tenant: GOOD_TENANT, limits, hostFunctions: {} }));
  }
}

/** What attacks may call. HTTP has a suite of its own, with the real gate. */
const FUNCTIONS: HostFunctions = {
  echo: async (args) => args,
  async never(_args, signal) {
    await delay(600_000, undefined, { signal }).catch(() => {});
    return null;
  },
  async slow(args, signal) {
    await delay(50, undefined, { signal }).catch(() => {});
    return args;
  },
  large: async () => "x".repeat(4 << 20),
  gigantic: async () => "x".repeat(9 << 20),
};

function assertExpected(outcome: AttackOutcome, expected: Expectation): void {
  if ("ends" in expected) {
    assert.ok(expected.ends.includes(outcome.kind), JSON.stringify(outcome).slice(0, 2_000));
  } else if ("message" in expected) {
    assert.equal(outcome.kind, "raised");
    assert.equal(outcome.message, expected.message);
  } else if ("value" in expected) {
    assert.equal(JSON.stringify(outcome.value), JSON.stringify(expected.value));
  } else {
    assertSteps(outcome, expected.steps);
  }
}

/** Every step was taken, and each came to what was expected of it. */
function assertSteps(outcome: AttackOutcome, steps: Readonly<Record<string, string>>): void {
  const value = outcome.kind === "returned" ? (outcome.value as Record<string, string>) : undefined;
  assert.ok(value, JSON.stringify(outcome).slice(0, 2_000));
  assert.deepEqual(Object.keys(value).sort(), Object.keys(steps).sort());
  const strays = Object.entries(steps).filter(
    ([name, pattern]) => !new RegExp(`^${pattern}$`, "s").test(value[name] ?? ""),
  );
  assert.deepEqual(
    Object.fromEntries(strays.map(([name]) => [name, value[name]])),
    {},
    "steps that came to something else",
  );
}
