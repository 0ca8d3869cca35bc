import assert from "node:assert/strict";
import { it } from "node:test";
import { ANONYMOUS } from "#base";
import { analysisStage } from "./analysis-stage.ts";

/** The tenant of the program of one question. */
async function tenantOf(request: object): Promise<string> {
  let tenant = "";
  const sandbox = {
    run: async (_run: object, options: { readonly tenant: string }) => {
      ({ tenant } = options);
      return { kind: "returned", value: null, output: [] };
    },
  };
  const turn = {
    ...{ request, history: { question: "Any outliers?" }, writeProgram: async () => "def analyze(results): pass" },
    write: { setActivity: () => undefined, nextGroup: () => undefined, message: () => undefined },
    deps: { sandbox, ids: { uuid: () => "1" } },
  };
  for await (const _ of analysisStage(turn as never, "Look.", []));
  return tenant;
}

it("programs of one data agent, or of one caller without one, take guests from nobody else's (PY-49)", async () => {
  const callers = ["user:ann@example.com", "user:eve@example.com"].map((principal) => ({ ...ANONYMOUS, principal }));
  const tenants = await Promise.all([
    ...callers.map((caller) => tenantOf({ caller, agent: "projects/p/locations/l/dataAgents/a" })),
    tenantOf({ agent: "projects/q/locations/l/dataAgents/a" }),
    ...callers.map((caller) => tenantOf({ caller })),
    tenantOf({}),
  ]);
  assert.equal(tenants[0], tenants[1]);
  assert.equal(new Set(tenants).size, 5);
});
