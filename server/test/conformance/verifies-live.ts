import assert from "node:assert/strict";
import { it } from "node:test";
import { status } from "@grpc/grpc-js";
import { openGrpc } from "../live/grpc-client.ts";
import type { LiveClient } from "../live/messages.ts";
import { openWebSocket } from "../live/web-socket-client.ts";
import { REQUIREMENTS, type RequirementId } from "./requirements/index.ts";
import { LIVE_SURFACES, type LiveSurface, type Requirement } from "./requirements/requirement.ts";

/** A client of one conversation, and how its stream ended. */
export interface LiveWire extends LiveClient {
  /** Canonical name of the error's code, e.g. `NOT_FOUND`; `OK` for none. */
  readonly ended: Promise<string>;
}

/** Runs the body over every surface that conversations are held on. */
export function verifiesLive(
  id: RequirementId,
  address: () => string,
  body: (open: () => Promise<LiveWire>) => Promise<void>,
): void {
  const requirement: Requirement | undefined = REQUIREMENTS[id];
  assert.ok(requirement, `${id} is not in the table of requirements`);
  for (const surface of LIVE_SURFACES.filter((candidate) => !requirement.except?.[candidate]))
    it(`${requirement.sentence} (${id}, ${surface})`, () => body(() => open(surface, address())));
}

async function open(surface: LiveSurface, address: string): Promise<LiveWire> {
  switch (surface) {
    case "grpc-bidi": {
      const client = openGrpc(address);
      return { ...client, ended: client.status.then(({ code }) => status[code] ?? String(code)) };
    }
    case "websocket": {
      const client = await openWebSocket(address);
      return { ...client, ended: client.closed.then(({ reason }) => codeIn(reason)) };
    }
  }
}

/** `generic::not_found: …` → `NOT_FOUND`. */
function codeIn(reason: string): string {
  return /generic::(\w+)/.exec(reason)?.[1]?.toUpperCase() ?? "OK";
}
