import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";

/** Looking at one takes some 0.4 s, as much as dozens of long files: thirty of them are what an app of hundreds is. */
const SLOW = (number: number) => `for _ in range(5_000_000):
    pass

def tool_${number}() -> dict:
    return {}
`;

describe("the files of one tenant, which take longer to look at than a call may wait for a guest", () => {
  const { sandbox, ...rest } = createTestSandbox({ maxGuests: 1 });
  after(() => rest[Symbol.asyncDispose]());

  it("are all looked at, since they wait for each other without a limit", async () => {
    const files = Array.from({ length: 30 }, (_, number) => SLOW(number));
    const modules = await Promise.all(files.map((code) => sandbox.inspect(code, { tenant: "apps/large" })));
    assert.deepEqual(new Set(modules.map(({ kind }) => kind)), new Set(["module"]));
  });

  it("do not keep another tenant waiting until all are done", async () => {
    const files = Array.from({ length: 12 }, (_, number) => `${SLOW(number)}# again\n`);
    const ended: string[] = [];
    const large = files.map((code) => sandbox.inspect(code, { tenant: "apps/large" }).then(() => ended.push("large")));
    const small = sandbox.inspect("def small(): ...", { tenant: "apps/small" }).then(() => ended.push("small"));
    await Promise.all([...large, small]);
    assert.ok(ended.indexOf("small") < 6, `${ended.indexOf("small")} files of the other tenant came first`);
  });
});
