import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, it } from "node:test";
import type { Config } from "#app";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { type ScriptedAnswer, ScriptedModel, startTestServer, type TestServer } from "#testing";
import type { ReceivedTurn } from "./received-turn.ts";
import { REQUIREMENTS, type RequirementId } from "./requirements/index.ts";
import { type Requirement, TURN_SURFACES, type TurnSurface } from "./requirements/requirement.ts";
import { type AppSketch, createTurnApp } from "./turn-app.ts";
import { TURN_WIRES } from "./turn-wires.ts";

/** A conversation over one wire, and the model behind it. */
export interface Talk {
  readonly surface: TurnSurface;
  readonly model: ScriptedModel;
  readonly app: string;
  readonly session: string;
  readonly address: string;
  /** One turn: a text, or inputs in their JSON. */
  say(input: string | readonly object[], config?: object): Promise<ReceivedTurn>;
}

/** A behaviour over every wire that it applies to. */
interface TurnCase {
  /** A function where what it names is known only when the tests run. */
  readonly app: AppSketch | (() => AppSketch);
  /** What the model answers, call by call. One that nobody asks for, or a call beyond the last, fails the test. */
  readonly model: readonly ScriptedAnswer[];
  readonly talk: (talk: Talk) => Promise<void>;
}

let common: Partial<Config> = {};

/** Configures the servers of all files that are imported from now on, besides what each wants: the same behaviours over another database. */
export function configureTurns(config: Partial<Config>): void {
  common = config;
}

/** Starts a server for the tests of a file, so configured; each test has a script of its own for the model. */
export function turnServer(
  config: () => Promise<Partial<Config>> = async () => ({}),
): (id: RequirementId, turnCase: TurnCase) => void {
  const shared = common;
  let server: TestServer | undefined;
  let script = new ScriptedModel();
  const model: LanguageModel = {
    label: "test/scripted",
    capabilities: LLM_CAPABILITIES,
    stream: (request, options) => script.stream(request, options),
  };
  before(async () => {
    server = await startTestServer({ model, config: { ...shared, ...(await config()) } });
  });
  after(() => server?.[Symbol.asyncDispose]());
  return (id, turnCase) => {
    let app: Promise<string> | undefined;
    const run = async (surface: TurnSurface): Promise<void> => {
      const { address } = server ?? assert.fail("the server has not started");
      app ??= createTurnApp(address, id, typeof turnCase.app === "function" ? turnCase.app() : turnCase.app);
      script = new ScriptedModel(...turnCase.model);
      await turnCase.talk(talkOver(surface, address, await app, script));
      script.assertDone();
    };
    verifyEach(id, run);
  };
}

function verifyEach(id: RequirementId, run: (surface: TurnSurface) => Promise<void>): void {
  const requirement: Requirement | undefined = REQUIREMENTS[id];
  assert.ok(requirement, `${id} is not in the table of requirements`);
  for (const surface of TURN_SURFACES.filter((candidate) => !requirement.except?.[candidate]))
    it(`${requirement.sentence} (${id}, ${surface})`, () => run(surface));
}

function talkOver(surface: TurnSurface, address: string, app: string, model: ScriptedModel): Talk {
  const session = `${app}/sessions/${randomUUID()}`;
  return {
    surface,
    model,
    app,
    session,
    address,
    say: (input, config) =>
      TURN_WIRES[surface](address, { session, ...config }, typeof input === "string" ? [{ text: input }] : input),
  };
}
