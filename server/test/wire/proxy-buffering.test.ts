import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startWireServer } from "./wire-server.ts";

const SESSION = "projects/p/locations/us/apps/a/sessions/s-1";
const METHOD = "/google.cloud.ces.v1.SessionService/StreamRunSession";
const JSON_BODY = JSON.stringify({ config: { session: SESSION }, inputs: [{ text: "hi" }] });

/** A message in the frame of gRPC and Connect: no flags, its length, itself. */
function framed(message: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(message);
  const frame = Buffer.alloc(5 + bytes.length);
  frame.writeUInt32BE(bytes.length, 1);
  bytes.copy(frame, 5);
  return new Uint8Array(frame);
}

describe("a stream through a proxy that holds responses (WIRE-48)", () => {
  it("says on every protocol over HTTP that it is not to be held, and other responses do not", async () => {
    await using server = await startWireServer({
      sessions: {
        runSession: async () => ({}),
        streamRunSession: async function* () {
          yield { outputs: [{ outputType: { case: "text", value: "hello" } }] };
        },
      },
    });
    const post = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
      const response = await fetch(server.url + path, { method: "POST", headers: { "content-type": type }, body });
      await response.arrayBuffer();
      return [response.status, response.headers.get("x-accel-buffering")];
    };
    const rest = `/v1/${SESSION}:streamRunSession`;
    assert.deepEqual(await post(rest, "application/json", JSON_BODY), [200, "no"]);
    assert.deepEqual(await post(`${rest}?alt=sse`, "application/json", JSON_BODY), [200, "no"]);
    assert.deepEqual(await post(METHOD, "application/connect+json", framed(JSON_BODY)), [200, "no"]);
    assert.deepEqual(await post(METHOD, "application/grpc-web+json", framed(JSON_BODY)), [200, "no"]);
    assert.deepEqual(await post(`/v1/${SESSION}:runSession`, "application/json", JSON_BODY), [200, null]);
  });
});
