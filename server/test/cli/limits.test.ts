import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";

describe("a command that prints the newest of a list", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    const { audit, clock } = server.app;
    const caller = { principal: "", kind: "anonymous", credential: "", address: "", protocol: "rest", requestId: "" };
    const call = { category: "write", resource: "projects/local/locations/us", outcome: "OK" } as const;
    const time = Math.floor(clock.now());
    const methods = Array.from({ length: 2_100 }, (_, at) => `p.Service.Call${at}`);
    await Promise.all(methods.map((method) => audit.append({ ...caller, ...call, method, time })));
  });
  after(() => server[Symbol.asyncDispose]());

  it("says that there are more, and prints as many as are asked for, more than a page has", async () => {
    await using commandLine = openCommandLine();
    const env = { ...process.env, FRONTDESK_SERVER: server.address };
    const run = (...words: string[]) => commandLine.run(["audit", "local", ...words], { env });
    const named = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).map(({ method }: { method: string }) => Number(method.replace("p.Service.Call", "")));
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
    const usual = await run("--json");
    assert.equal(usual.code, 0, usual.stderr);
    assert.deepEqual(named(usual), range(2_050, 2_100));
    assert.equal(usual.stderr, "These are the newest 50 entries of that time; there are more, which --limit prints.\n");
    const some = await run("--json", "--limit", "2050");
    assert.deepEqual([named(some), some.stderr], [range(50, 2_100), ""]);
    const all = await run("--json", "--limit", "9999");
    assert.deepEqual([named(all), all.stderr], [range(0, 2_100), ""]);
    const none = await run("--method", "Nothing");
    assert.deepEqual([none.stdout, none.stderr], ["None.\n", ""]);
  });
});
