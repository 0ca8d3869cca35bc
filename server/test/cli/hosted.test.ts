import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AgentService, ImportAppResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { type CommandLine, openCommandLine } from "../command-line.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "order-desk", "app");
const PARENT = "projects/retail/locations/eu";

describe("the command line at an endpoint that is no Frontdesk server", () => {
  const home = mkdtempSync(join(tmpdir(), "cli-hosted-"));
  const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  let polls = 0;
  const serve = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    routes: (router) => {
      router.service(AgentService, {
        listApps: ({ parent }, { requestHeader }) => {
          if (requestHeader.get("authorization") !== "Bearer secret")
            throw new ConnectError("Request had invalid authentication credentials.", Code.Unauthenticated);
          return { apps: [{ name: `${parent}/apps/shop`, displayName: "Shop" }] };
        },
        importApp: () => ({ name: `${PARENT}/operations/o1` }),
      });
      // It has no WaitOperation.
      router.service(Operations, {
        getOperation: ({ name }) => {
          polls += 1;
          if (polls < 2) return { name };
          const response = create(ImportAppResponseSchema, { name: `${PARENT}/apps/shop` });
          return { name, done: true, result: { case: "response", value: anyPack(ImportAppResponseSchema, response) } };
        },
      });
    },
  });
  const server = createServer((request, response) => {
    asked.push({ path: request.url, headers: request.headers });
    serve(request, response);
  });
  let address: string;
  let commands: CommandLine;
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    server.close();
    rmSync(home, { recursive: true });
  });

  const run = (...args: readonly string[]) =>
    commands.run([...args, "--endpoint", address, "--project", "retail", "--location", "eu"], {
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: home },
    });

  it("calls by gRPC with the token, and the header by which the service finds the region", async () => {
    const { stdout } = await run("apps", "list", "--token", "secret", "--output", "name");
    assert.equal(stdout, `${PARENT}/apps/shop\n`);
    const { path, headers } = asked.at(-1) ?? assert.fail();
    assert.equal(path, "/google.cloud.ces.v1beta.AgentService/ListApps");
    assert.equal(headers["content-type"], "application/grpc+proto");
    assert.equal(headers["x-goog-request-params"], `parent=${encodeURIComponent(PARENT)}`);
  });

  it("asks for an operation until it is done, where a server cannot wait for it", async () => {
    const { code, stdout, stderr } = await run("import", EXAMPLE, "shop", "--token", "secret");
    assert.deepEqual([code, stdout, stderr], [0, `imported ${PARENT}/apps/shop\n`, ""]);
    assert.equal(polls, 2);
  });

  it("says how to be known", async () => {
    const { code, stderr } = await run("apps", "list");
    assert.deepEqual([code, /invalid authentication credentials\.\nPass --token/.test(stderr)], [1, true], stderr);
  });
});
