import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger, type JsonObject } from "#base";
import {
  createSandbox,
  type HostCall,
  type HostReply,
  type PythonOutcome,
  type Sandbox,
  type SandboxOptions,
} from "#sandbox";
import type { AttackCase, Expectation } from "./attack-case.ts";
import { type Detectors, setDetectors } from "./detectors.ts";
import { type Look, readProbe, TENANT_PROBE } from "./tenant-probe.ts";
import { TEST_IMAGES } from "./test-images.ts";

/** A run may take this much longer than its limit, milliseconds: killing it, starting another guest, a machine under load. */
const GRACE_MS = 5_000;

/** The tool that an attack calls when it begins: what a killed run printed would be lost. */
const ANNOUNCEMENT = "attacking";

/** What only the good tenant knows. */
const PRIVATE = "OTHER-TENANT-NEEDLE";

/** A real sandbox with the traps around it. */
export class AttackRunner implements AsyncDisposable {
  readonly #sandbox: Sandbox;
  readonly #detectors: Detectors;
  readonly #seen = new Set<unknown>();
  #pristine: Look | undefined;
  #turns = 0;
  /** Whether the running attack said that it begins. */
  #attacking = false;

  private constructor(sandbox: Sandbox, detectors: Detectors) {
    this.#sandbox = sandbox;
    this.#detectors = detectors;
  }

  static async start(options: Partial<SandboxOptions> = {}): Promise<AttackRunner> {
    const logger = createLogger("silent");
    const detectors = await setDetectors();
    const sandbox = createSandbox({ dataDir: TEST_IMAGES, cacheDir: TEST_IMAGES, logger, maxGuests: 2, ...options });
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
    const outcome = await this.#run(attack.code, "run", this.#nextEvil(), attack);
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
  run(code: string, limits: { readonly cpuMs: number; readonly wallMs: number }): Promise<PythonOutcome> {
    return this.#run(code, "", this.#nextEvil(), { ...limits, tools: [] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close();
    await this.#detectors[Symbol.asyncDispose]();
  }

  /** A tenant whose calls time out is held back for a while; one after the other would test nothing but that. */
  #nextEvil(): string {
    return `apps/evil-${this.#turns}`;
  }

  async #look(): Promise<Look> {
    return readProbe(await this.#run(TENANT_PROBE, "probe", "apps/good", { cpuMs: 5_000, wallMs: 20_000, tools: [] }));
  }

  #run(
    code: string,
    entry: string,
    tenant: string,
    { cpuMs, wallMs, tools }: Pick<AttackCase, "cpuMs" | "wallMs" | "tools">,
  ): Promise<PythonOutcome> {
    this.#turns += 1;
    const { marker, ...target } = this.#detectors.target;
    const isGood = tenant === "apps/good";
    const onHostCall = async (call: HostCall, signal: AbortSignal) => {
      if (call.op === "tool" && call.name === ANNOUNCEMENT) this.#attacking = true;
      return answerTool(call, signal);
    };
    // The good tenant knows the marker backwards, so that its own copy is no trace of the other's.
    const state: JsonObject = isGood
      ? { mine: 7, private: PRIVATE, marker: [...marker].reverse().join("") }
      : { target: { ...target, marker } };
    return this.#sandbox.run(
      {
        code,
        filename: "python_code.py",
        entry,
        toolNames: [...tools, ANNOUNCEMENT],
        context: { invocationId: "i", agentName: "a", sessionId: "s", state, userContent: null, events: [] },
      },
      { tenant, turn: `turn ${this.#turns}`, limits: { cpuMs, wallMs }, onHostCall },
    );
  }
}

/** The tools of the attacked app. HTTP has a suite of its own, with the real gate. */
async function answerTool(call: HostCall, signal: AbortSignal): Promise<HostReply> {
  const text = (body: unknown) => ({ status: 200, reason: "", text: JSON.stringify(body) });
  if (call.op === "http") return { status: 500, reason: "no network", text: "" };
  switch (call.name) {
    case "never":
      await delay(600_000, undefined, { signal }).catch(() => {});
      return text(null);
    case "slow":
      await delay(50, undefined, { signal }).catch(() => {});
      return text(call.args);
    case "large":
      return text("x".repeat(4 << 20));
    case "gigantic":
      return text("x".repeat(9 << 20));
    default:
      return text(call.args);
  }
}

function assertExpected(outcome: PythonOutcome, expected: Expectation): void {
  if ("ends" in expected) {
    assert.ok(expected.ends.includes(outcome.kind), JSON.stringify(outcome).slice(0, 2_000));
  } else if ("message" in expected) {
    assert.equal(outcome.kind, "raised");
    assert.equal("message" in outcome && outcome.message, expected.message);
  } else if ("value" in expected) {
    assert.equal(JSON.stringify("value" in outcome && outcome.value), JSON.stringify(expected.value));
  } else {
    assertSteps(outcome, expected.steps);
  }
}

/** Every step was taken, and each came to what was expected of it. */
function assertSteps(outcome: PythonOutcome, steps: Readonly<Record<string, string>>): void {
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
