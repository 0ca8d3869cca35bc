// Names that are longer than a provider accepts: shortened on the wire of that provider, whole everywhere else.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { restOf } from "../rest.ts";
import { documentOf } from "../tools/tool-bench.ts";
import { mockedProduct, PROVIDER_TYPES } from "./mock-provider.ts";
import { runTurn, TURN_METHODS } from "./run-turn.ts";

const ID = "update_application_applications__application_id__documents__document_id__versions_latest__patch";
const FULL = `apply_${ID}`;
const SHORT = `${FULL.slice(0, 55)}_${createHash("sha256").update(FULL).digest("hex").slice(0, 8)}`;
const TWIN = `apply_${ID.replace("patch", "put")}`;

/** Answers in the tool's place, so that no request is sent. */
const SAYS_NAME = `def before_tool_callback(tool, input, callback_context):
  return {"saw": tool.name}
`;

for (const provider of PROVIDER_TYPES) {
  describe(`a function with a name of ${FULL.length} characters, called by ${provider}`, () => {
    it("has a short name on the wire, distinct from others, and the whole one for callbacks and records", async () => {
      await using product = await mockedProduct(provider);
      const { app, mock } = product;
      const send = restOf(() => product.server);
      const paths = {
        "/a": {
          patch: { operationId: ID, responses: {} },
          put: { operationId: ID.replace("patch", "put"), responses: {} },
        },
      };
      const openApiSchema = JSON.stringify(documentOf("https://shop.example", paths));
      const toolset = `${app}/toolsets/apply`;
      await send("POST", `${app}/toolsets?toolsetId=apply`, {
        displayName: "apply",
        openApiToolset: { openApiSchema },
      });
      await send("PATCH", `${app}/agents/root-agent?updateMask=toolsets,beforeToolCallbacks`, {
        toolsets: [{ toolset }],
        beforeToolCallbacks: [{ pythonCode: SAYS_NAME }],
      });
      mock.on({ userMessage: "update", hasToolResult: false }, { toolCalls: [{ name: SHORT, arguments: "{}" }] });
      mock.on({ hasToolResult: true, toolResultContains: FULL }, { content: "It was updated." });
      for (const method of TURN_METHODS) {
        const turn = await runTurn(product, method, `long-names-${method}`, { text: "update" });
        assert.deepEqual([turn.pieces.join(""), turn.completed], ["It was updated.", true]);
        const { turns } = await send("GET", `${app}/conversations/long-names-${method}`);
        const chunks = turns[0].messages.flatMap((message: { chunks: object[] }) => message.chunks);
        assert.deepEqual(
          chunks.flatMap(({ toolCall }: { toolCall?: { displayName: string } }) =>
            toolCall ? [toolCall.displayName] : [],
          ),
          [FULL],
        );
      }
      // A turn with the calls in its history sends the same names.
      mock.on({ userMessage: "thanks" }, { content: "You are welcome." });
      await runTurn(product, "runSession", "long-names-runSession", { text: "thanks" });
      const names = [...JSON.stringify(mock.getRequests().map(({ body }) => body)).matchAll(/"name":"(apply_\w+)"/g)];
      const sent = new Set(names.map(([, name]) => name ?? ""));
      assert.deepEqual([sent.has(SHORT), sent.has(FULL), sent.has(TWIN), sent.size], [true, false, false, 2]);
      assert.deepEqual(
        [...sent].filter((name) => name.length > 64),
        [],
      );
    });
  });
}
