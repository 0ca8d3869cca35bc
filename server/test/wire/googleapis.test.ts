import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunSessionRequest } from "@frontdesk/protos/ces/session_service";
import { ces_v1 } from "googleapis/build/src/apis/ces/v1.js";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";
import { unavailable } from "#status";
import { startWireServer, type WireServer } from "./wire-server.ts";

const APP = "projects/p/locations/us/apps/a";

const CLIENTS = {
  v1: ({ url }: WireServer) => new ces_v1.Ces({ rootUrl: `${url}/` }).projects.locations.apps,
  v1beta: ({ url }: WireServer) =>
    new ces_v1beta.Ces({ rootUrl: url }).projects.locations.apps as unknown as ces_v1.Resource$Projects$Locations$Apps,
};

for (const revision of ["v1", "v1beta"] as const) {
  describe(`the googleapis client of ${revision}`, () => {
    it("runs a session that it names in the path, with fields that no published definition has", async () => {
      const seen: RunSessionRequest[] = [];
      await using server = await startWireServer({
        sessions: {
          runSession: async (request) => {
            seen.push(request);
            return { outputs: [{ outputType: { case: "text", value: "hello" }, turnCompleted: true }] };
          },
        },
      });
      const requestBody = { config: { excludeDiagnosticInfo: true, brandNew: 1 }, inputs: [{ text: "hi" }] } as object;
      const { data } = await CLIENTS[revision](server).sessions.runSession({
        session: `${APP}/sessions/s`,
        requestBody,
      });
      assert.deepEqual(data, { outputs: [{ text: "hello", turnCompleted: true }] });
      assert.deepEqual([seen[0]?.config?.session, seen[0]?.config?.excludeDiagnosticInfo], [`${APP}/sessions/s`, true]);
    });

    it("gets a stream as the array of its messages", async () => {
      await using server = await startWireServer({
        sessions: {
          streamRunSession: async function* () {
            for (const value of ["a", "b", "c"]) yield { outputs: [{ outputType: { case: "text" as const, value } }] };
          },
        },
      });
      const { data } = await CLIENTS[revision](server).sessions.streamRunSession({
        session: `${APP}/sessions/s`,
        requestBody: { inputs: [{ text: "hi" }] },
      });
      assert.deepEqual(
        data as unknown,
        ["a", "b", "c"].map((text) => ({ outputs: [{ text }] })),
      );
    });

    it("fails with the message of an error before the first message of a stream", async () => {
      await using server = await startWireServer({
        sessions: {
          // biome-ignore lint/correctness/useYield: it fails before its first message
          streamRunSession: async function* () {
            throw unavailable("The model is out.");
          },
        },
      });
      const call = CLIENTS[revision](server).sessions.streamRunSession({
        session: `${APP}/sessions/s`,
        requestBody: { inputs: [{ text: "hi" }] },
      });
      await assert.rejects(call, { status: 503, message: "The model is out." });
    });

    it("fails when a stream is aborted, instead of taking it for complete", async () => {
      await using server = await startWireServer({
        sessions: {
          streamRunSession: async function* () {
            yield { outputs: [{ outputType: { case: "text" as const, value: "a" } }] };
            throw unavailable("The model is out.");
          },
        },
      });
      const call = CLIENTS[revision](server).sessions.streamRunSession({
        session: `${APP}/sessions/s`,
        requestBody: { inputs: [{ text: "hi" }] },
      });
      await assert.rejects(call, /Premature close|ERR_STREAM_PREMATURE_CLOSE|terminated/);
    });

    it("sends its extra parameters and key as a query that the message ignores", async () => {
      await using server = await startWireServer({
        agents: { listApps: async ({ pageSize }) => ({ apps: [], nextPageToken: String(pageSize) }) },
      });
      const { data } = await CLIENTS[revision](server).list({
        parent: "projects/p/locations/us",
        pageSize: 2,
        auth: "some-key",
        quotaUser: "q",
        "$.xgafv": "2",
      });
      assert.deepEqual(data, { nextPageToken: "2" });
    });
  });
}
