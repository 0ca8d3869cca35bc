import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DeploymentSchema, ExperimentConfig_State as State } from "@frontdesk/protos/ces/deployment";
import { versionFor } from "./traffic-split.ts";

const APP = "projects/p/locations/us/apps/a";
const version = (name: string) => `${APP}/versions/${name}`;

function deployment(shares: Readonly<Record<string, number>>, state = State.RUNNING) {
  return create(DeploymentSchema, {
    name: `${APP}/deployments/d`,
    appVersion: version("own"),
    experimentConfig: {
      versionRelease: {
        state,
        trafficAllocations: Object.entries(shares).map(([name, trafficPercentage]) => ({
          appVersion: version(name),
          trafficPercentage,
        })),
      },
    },
  });
}

function count(split: ReturnType<typeof deployment>, sessions = 10_000) {
  const counts: Record<string, number> = {};
  for (let session = 0; session < sessions; session++) {
    const chosen = versionFor(split, `${APP}/sessions/session-${session}`);
    counts[chosen] = (counts[chosen] ?? 0) + 1;
  }
  return counts;
}

describe("a traffic split", () => {
  it("divides sessions by its percentages, and what is left runs the deployment's own version", () => {
    const counts = count(deployment({ a: 70, b: 20 }));
    const share = (name: string) => Math.round((counts[version(name)] ?? 0) / 1_000);
    assert.deepEqual([share("a"), share("b"), share("own")], [7, 2, 1]);
  });

  it("chooses the same for a session every time", () => {
    const split = deployment({ a: 50, b: 50 });
    const choose = () => Array.from({ length: 100 }, (_, session) => versionFor(split, `${APP}/sessions/s-${session}`));
    assert.deepEqual(choose(), choose());
  });

  it("may send sessions to the draft, and does nothing unless it is running", () => {
    assert.deepEqual(count(deployment({ "-": 100 }), 10), { "": 10 });
    assert.deepEqual(count(deployment({ a: 100 }, State.STATE_UNSPECIFIED), 10), { [version("own")]: 10 });
  });
});
