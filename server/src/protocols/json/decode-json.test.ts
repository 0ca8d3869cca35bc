import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRegistry } from "@bufbuild/protobuf";
import { type RunSessionRequest, RunSessionRequestSchema } from "@frontdesk/protos/ces/session_service";
import { fieldViolationsOf } from "#status";
import { createJsonDecoder } from "./decode-json.ts";

const types = createRegistry(RunSessionRequestSchema);

/** A request with as many names that a config does not have, one of a wrong value behind them. */
const requestWith = (names: number) => ({
  config: Object.fromEntries(Array.from({ length: names }, (_, at) => [`name${at}`, 0])),
  inputs: [{ text: 5 }],
});

function violationsOf(strict: boolean, names: number) {
  try {
    createJsonDecoder(types, { strict })(RunSessionRequestSchema, requestWith(names));
  } catch (error) {
    return fieldViolationsOf(error);
  }
  return [];
}

describe("names that a message does not have", () => {
  it("are told before wrong values where they are refused", () => {
    assert.deepEqual(
      violationsOf(true, 2).map(({ field }) => field),
      ["config", "config", "inputs[0].text"],
    );
  });

  it("are looked for until there are as many as an error tells (WIRE-26)", () => {
    const violations = violationsOf(true, 40_000);
    assert.equal(violations.length, 1_000);
    assert.match(violations.at(-2)?.description ?? "", /Unknown name "name998"/);
    assert.match(violations.at(-1)?.description ?? "", /^There may be more/);
  });

  it("keep no wrong value from being found where they are ignored", () => {
    assert.deepEqual(
      violationsOf(false, 40_000).map(({ field }) => field),
      ["inputs[0].text"],
    );
  });

  it("are ignored in any number", () => {
    const message = createJsonDecoder(types, { strict: false })(RunSessionRequestSchema, {
      config: { ...requestWith(40_000).config, session: "s" },
    });
    assert.equal((message as RunSessionRequest).config?.session, "s");
  });
});
