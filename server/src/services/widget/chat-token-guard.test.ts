import assert from "node:assert/strict";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import type { ChatTokens } from "#identity";
import { createChatTokenGuard } from "./chat-token-guard.ts";

const GRANT = { session: "apps/a/sessions/s", deployment: "apps/a/deployments/d", origin: "", expiresAt: 1 };

it("shows the bearer of a chat token nothing of how an answer comes about, whatever the config asks for", () => {
  const tokens: ChatTokens = { issue: () => assert.fail("no token is issued"), verify: () => GRANT };
  const asked = { includeProgressUpdate: true, includeLlmThoughtSummary: true, session: GRANT.session };
  const headers = new Map([["authorization", "Bearer token"]]);
  const { includeProgressUpdate, includeLlmThoughtSummary, excludeDiagnosticInfo } = createChatTokenGuard(
    tokens,
  ).authorize(create(SessionConfigSchema, asked), { headers });
  assert.deepEqual([includeProgressUpdate, includeLlmThoughtSummary, excludeDiagnosticInfo], [false, false, true]);
});
