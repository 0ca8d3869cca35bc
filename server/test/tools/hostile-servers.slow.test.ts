import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { type ShutInServer, startShutInServer } from "./shut-in-server.ts";
import { documentOf } from "./tool-bench.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-naive`;

/** What a server may do to its callers, by path. */
const MISBEHAVIOURS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  html: (response) => response.setHeader("content-type", "text/html").end("<html><h1>Sign in</h1></html>"),
  gigabyte: (response) => flood(response.setHeader("content-type", "application/json"), 1024),
  drip: (response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  },
  never: () => {},
  metadata: (response) => response.writeHead(302, { location: "http://169.254.169.254/computeMetadata/v1/" }).end(),
  private: (response) => response.writeHead(307, { location: "http://10.0.0.1/admin" }).end(),
  circle: (response) => response.writeHead(302, { location: "/circle" }).end(),
  elsewhere: (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  broken: (response) => response.setHeader("content-type", "application/json").end("{"),
  cut: (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
    response.destroy();
  },
};

/** Megabytes of a text that does not end before, as fast as they are read. */
function flood(response: ServerResponse, megabytes: number): void {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let left = megabytes;
  const more = (): void => {
    while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
    response.end();
  };
  more();
}

const model = new ScriptedModel();
let server: TestServer;
let shutIn: ShutInServer;
const hostile = createServer((request, response) => {
  const name = (request.url ?? "").slice(1).split("/")[0] ?? "";
  request.resume();
  (MISBEHAVIOURS[name] ?? ((other: ServerResponse) => other.writeHead(404).end()))(response);
});
const rest = restOf(() => server);

before(async () => {
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  shutIn = await startShutInServer(() => ({ ok: true }));
  server = await startTestServer({
    model,
    config: { egressAllow: [`127.0.0.1:${portOf()}`, `localhost:${shutIn.port}`] },
  });
  await rest("POST", `${PARENT}/apps?appId=the-naive`, { displayName: "Naive" });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await shutIn[Symbol.asyncDispose]();
  hostile.closeAllConnections();
  await new Promise((resolve) => hostile.close(resolve));
});

const portOf = () => (hostile.address() as AddressInfo).port;

/** A tool of one operation at an address. */
async function toolAt(id: string, url: string): Promise<string> {
  const document = documentOf(url, { "/x": { get: { operationId: id, responses: {} } } });
  const openApiTool = { name: id, openApiSchema: JSON.stringify(document) };
  // A machine that is busy needs its time for the others; these two would take all that they are given.
  const timeout = id === "drip" || id === "never" ? "1.5s" : "60s";
  return (await rest("POST", `${APP}/tools?toolId=tool-${id}`, { openApiTool, timeout })).name;
}

const EXPECTED: Readonly<Record<string, RegExp>> = {
  html: /answered 200 OK with (a page of )?HTML/i,
  gigabyte: /larger than 10485760 bytes/,
  drip: /did not answer within|took longer than|timed? ?out/i,
  never: /did not answer within|took longer than|timed? ?out/i,
  metadata: /169\.254\.169\.254/,
  private: /10\.0\.0\.1/,
  circle: /redirect/,
  elsewhere: /file|redirect|scheme/,
  broken: /invalid JSON/,
  cut: /failed/,
};

describe("a server that an app calls", () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`fails the call and nothing else when it answers so: ${name}`, async () => {
      const tool = await toolAt(name, `http://127.0.0.1:${portOf()}/${name}`);
      const { response } = await rest("POST", `${APP}:executeTool`, { tool, args: {} });
      assert.equal(response.status, "error");
      assert.match(response.error, expected);
    });
  }

  it("is rejected when its certificate is for another name, or untrusted", async () => {
    const tool = await toolAt("tls", `https://localhost:${shutIn.port}`);
    const { response } = await rest("POST", `${APP}:executeTool`, { tool, args: {} });
    assert.match(response.error, /the certificate is not trusted/);
    assert.deepEqual(shutIn.requests, []);
  });

  it("does not fail the turn: the function response has the error", async () => {
    const tool = await toolAt("again", `http://127.0.0.1:${portOf()}/html`);
    await rest("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", tools: [tool] });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
    model.extend(call("again", {}), say("The shop is away."));
    const { outputs } = await rest("POST", `${APP}/sessions/session-1:runSession`, { inputs: [{ text: "Hi" }] });
    assert.equal(outputs.at(-1).turnCompleted, true);
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /HTML/);
  });
});

describe("an MCP server that an app names", () => {
  for (const name of ["html", "gigabyte", "drip", "never", "metadata", "broken", "cut"]) {
    it(`fails the toolset and nothing else when it answers so: ${name}`, async () => {
      const toolset = await rest("POST", `${APP}/toolsets?toolsetId=mcp-${name}`, {
        displayName: `mcp ${name}`,
        mcpToolset: { serverAddress: `http://127.0.0.1:${portOf()}/${name}` },
      });
      const { validationErrors } = await rest("GET", APP);
      const reported = validationErrors.filter((error: string) => error.startsWith(`Toolset 'mcp ${name}'`));
      assert.match(reported.join("\n"), /tools could not be listed when the toolset was written: /);
      assert.ok(reported.join("\n").length < 1_000, reported.join("\n"));
      await rest("DELETE", toolset.name);
    });
  }
});

describe("a hostile OpenAPI document", () => {
  const problemsOf = async (id: string, openApiSchema: string): Promise<string> => {
    const { name } = await rest("POST", `${APP}/toolsets?toolsetId=spec-${id}`, {
      displayName: id,
      openApiToolset: { openApiSchema },
    });
    const { validationErrors } = await rest("GET", APP);
    const response = await fetch(`${server.address}/v1beta/${name}:retrieveTools`, { method: "POST", body: "{}" });
    const listed = (await response.text()).length;
    assert.ok(listed < 64 * 1024 * 1024, `${listed} bytes of tools`);
    await rest("DELETE", name);
    return (validationErrors ?? []).filter((error: string) => error.startsWith(`Toolset '${id}'`)).join("\n");
  };
  const operation = (schema: object) => ({
    "/a": { post: { operationId: "a", requestBody: { content: { "application/json": { schema } } }, responses: {} } },
  });

  it("with remote references makes the server fetch nothing", async () => {
    const schema = { $ref: `http://127.0.0.1:${portOf()}/html#/x` };
    let asked = 0;
    const count = () => void asked++;
    hostile.on("request", count);
    assert.match(
      await problemsOf("remote", JSON.stringify(documentOf("https://shop.example", operation(schema)))),
      /points to another document, which is not fetched/,
    );
    hostile.off("request", count);
    assert.equal(asked, 0);
  });

  it("with a hundred thousand recursive references is read within the limits", async () => {
    const width = 300;
    const names = Array.from({ length: width }, (_, at) => `S${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: "object", properties }]));
    const document = documentOf("https://shop.example", operation({ $ref: "#/components/schemas/S0" }), {
      components: { schemas },
    });
    assert.equal(await problemsOf("wide", JSON.stringify(document)), "");
  });

  it("with endless nesting or expansion is rejected with an error", async () => {
    const deep = `{"openapi":"3.1.0","paths":{},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    assert.match(await problemsOf("deep", deep), /levels|neither JSON nor YAML/);
    const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]`);
    const bomb = `# ${"x".repeat(20_000)}\na0: &a0 [x]\n${levels.join("\n")}\nopenapi: 3.1.0\npaths: {}\n`;
    assert.match(await problemsOf("bomb", bomb), /Excessive alias count|too much time or memory/);
  });
});
