import assert from "node:assert/strict";
import { it } from "node:test";
import { pino } from "pino";
import { createOutages, type Outages } from "./outages.ts";

/** The messages that are logged, by a server whose time is given. */
function start(t: { mock: { method: typeof import("node:test").mock.method } }) {
  const lines: string[] = [];
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const outages: Outages = createOutages({ place: "here", logger });
  return {
    outages,
    wait: (ms: number) => {
      now += ms;
    },
    logged: () => lines.splice(0),
  };
}
const fault = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

it("an outage is logged when it begins and when it is over, once for each kind of failure", (t) => {
  const { outages, wait, logged } = start(t);
  outages.refusal(fault("ECONNREFUSED"));
  for (const code of ["57P03", "57P01", "ECONNRESET"]) outages.report(fault(code), "the maintenance failed");
  assert.deepEqual(logged(), ["the database failed"]);
  outages.report(fault("53100"), "the maintenance failed");
  outages.refusal(fault("53100"));
  assert.deepEqual(logged(), ["the maintenance failed"]);

  wait(4_000);
  outages.refusal(fault("53100"));
  wait(4_000);
  outages.passed();
  assert.deepEqual(logged(), []);
  wait(4_000);
  outages.passed();
  outages.passed();
  assert.deepEqual(logged(), ["the database works again"]);
  outages.refusal(fault("ECONNREFUSED"));
  assert.deepEqual(logged(), ["the database failed"]);
});

it("what a client was told already is not logged again by the work that asked", (t) => {
  const { outages, logged } = start(t);
  const refusal = outages.refusal(fault("ECONNREFUSED"));
  outages.report(refusal, "the maintenance failed");
  assert.deepEqual(logged(), ["the database failed"]);
});
