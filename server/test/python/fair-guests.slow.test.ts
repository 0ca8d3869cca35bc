import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { callServer } from "./call-server.ts";

/** Sleeps for longer than the test takes. */
const SLEEP = `import time
def busy(n: int) -> dict:
    time.sleep(28)
    return {"slept": n}
`;
const FILL = `def busy(n: int) -> dict:
    kept = [bytearray(1_000_000) for _ in range(90)]
    return {"filled": len(kept)}
`;
const QUICK = `def quick(n: int) -> dict:
    return {"answered": n}
`;

/** Makes an app with one Python tool. Returns the calls of that tool. */
async function appWith(server: TestServer, name: string, pythonCode: string) {
  const location = "projects/local/locations/us";
  await callServer(server, "POST", `${location}/apps?appId=${name}-app`, { displayName: name });
  const app = `${location}/apps/${name}-app`;
  const { name: tool } = await callServer(server, "POST", `${app}/tools?toolId=${name}-tool`, {
    pythonFunction: { name, pythonCode },
  });
  return (n: number) => callServer(server, "POST", `${app}:executeTool`, { tool, args: { n } });
}

/** Calls one app's tool so often at once, then another's three times. Returns what the latter answered, and how many of the former had by then. */
async function beside(server: TestServer, pythonCode: string, callers: number) {
  const busy = await appWith(server, "busy", pythonCode);
  let done = 0;
  const calls = Array.from({ length: callers }, async (_, n) => {
    await busy(n);
    done++;
  });
  const ended = Promise.allSettled(calls);
  const quick = await appWith(server, "quick", QUICK);
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push((await quick(n)).response);
  return { answers, busyDone: done, ended };
}

const ANSWERS = [0, 1, 2].map((answered) => ({ result: { answered } }));

describe("an app beside another that takes all guests it can get (PY-43)", () => {
  it("has a new tool answered while 60 calls of the other sleep", async () => {
    const found = await withServer((server) => beside(server, SLEEP, 60));
    assert.deepEqual(found, { answers: ANSWERS, busyDone: 0 });
  });

  it("has a new tool answered while 20 calls of the other fill their memory", async () => {
    const { answers, busyDone } = await withServer((server) => beside(server, FILL, 20));
    assert.deepEqual(answers, ANSWERS);
    assert.ok(busyDone < 20, "the other app is still busy");
  });
});

/** The calls that go on are ended with the server. */
async function withServer(run: (server: TestServer) => ReturnType<typeof beside>) {
  const server = await startTestServer();
  let ended: Promise<unknown> | undefined;
  try {
    const { ended: calls, ...found } = await run(server);
    ended = calls;
    return found;
  } finally {
    await server[Symbol.asyncDispose]();
    await ended;
  }
}
