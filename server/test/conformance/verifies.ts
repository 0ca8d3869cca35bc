import assert from "node:assert/strict";
import { it } from "node:test";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { REQUIREMENTS, type RequirementId } from "./requirements/index.ts";
import { CALL_SURFACES, type CallSurface, type Requirement } from "./requirements/requirement.ts";
import { createRestTransport } from "./rest-transport.ts";

/** Clients over one surface. */
export interface Wire {
  readonly surface: CallSurface;
  client<S extends DescService>(service: S): Client<S>;
}

/** Runs the body over every surface of calls that the requirement applies to. A deferred requirement has to fail. */
export function verifies(id: RequirementId, address: () => string, body: (wire: Wire) => Promise<void>): void {
  const requirement: Requirement | undefined = REQUIREMENTS[id];
  assert.ok(requirement, `${id} is not in the table of requirements`);
  for (const surface of CALL_SURFACES.filter((candidate) => !requirement.except?.[candidate])) {
    it(`${requirement.sentence} (${id}, ${surface})`, async () => {
      const run = () => body(wireFor(surface, address()));
      if (!requirement.deferred) return run();
      await assert.rejects(run(), `${id} is deferred (${requirement.deferred}) and yet holds: take the mark away`);
    });
  }
}

/** Clients over one surface of a server. */
export function wireFor(surface: CallSurface, baseUrl: string): Wire {
  const transport = transportFor(surface, baseUrl);
  return { surface, client: (service) => createClient(service, transport) };
}

function transportFor(surface: CallSurface, baseUrl: string): Transport {
  switch (surface) {
    case "grpc":
      return createGrpcTransport({ baseUrl, nodeOptions: {} });
    case "grpc-web":
      return createGrpcWebTransport({ baseUrl, httpVersion: "1.1" });
    case "connect":
      return createConnectTransport({ baseUrl, httpVersion: "1.1" });
    case "rest":
      return createRestTransport(baseUrl);
  }
}
