import assert from "node:assert/strict";
import http2 from "node:http2";
import { after, before, describe, it } from "node:test";
import type { Config } from "#app";
import { ScriptedModel, say, type TestServer } from "#testing";
import { callAs, startAccessServer, tokenOf } from "../access/access-server.ts";

const LOCATION = "projects/local/locations/us";

const AUTH: Config["auth"] = {
  mode: "required",
  issuers: [],
  scopes: {},
  sessionMs: 3_600_000,
  trustedProxies: ["127.0.0.1"],
};

const model = new ScriptedModel();
let server: TestServer;
before(async () => {
  server = await startAccessServer(["guest"], { model, config: { auth: AUTH } });
  for (const id of ["first-app", "second-app"])
    assert.equal(
      (await callAs(server, "root", "POST", `${LOCATION}/apps?appId=${id}`, { displayName: id })).status,
      200,
    );
});
after(() => server[Symbol.asyncDispose]());

/** A part as Python's client writes it, whose lines end with a line feed alone. */
function part(id: string, request: string, body = ""): string {
  return `--edge\nContent-Type: application/http\nMIME-Version: 1.0\nContent-ID: <${id}>\n\n${request}\n\n${body}\n`;
}

interface Answer {
  readonly id: string | undefined;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  readonly json: any;
}

const HEADERS = { "content-type": 'multipart/mixed; boundary="edge"' };

async function send(
  parts: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Answer[]> {
  const response = await fetch(`${server.address}/batch/ces/v1beta`, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: `${parts.join("")}--edge--\n`,
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return answersOf(text, response.headers.get("content-type") ?? "");
}

function answersOf(text: string, contentType: string): readonly Answer[] {
  const [, boundary = ""] = /^multipart\/mixed; boundary=(\S+)$/.exec(contentType) ?? [];
  assert.ok(text.endsWith(`--${boundary}--\r\n`));
  const pieces = text.split(`--${boundary}\r\n`).slice(1);
  return pieces.map((piece) => {
    const [outer = "", inner = "", body = ""] = piece.split("\r\n\r\n");
    const [json = ""] = body.split(`\r\n--${boundary}`);
    return {
      id: /^Content-ID: (.*)$/m.exec(outer)?.[1],
      status: Number(/^HTTP\/1\.1 (\d+) /.exec(inner)?.[1]),
      json: JSON.parse(json),
    };
  });
}

const ROOT = { authorization: `Bearer ${tokenOf("root")}` };

describe("a batch of REST requests (WIRE-60)", () => {
  it("answers each request in its part, in their order", async () => {
    const words = "Grüße, 你好";
    const answers = await send(
      [
        part(
          "x + 1",
          `GET /v1/${LOCATION}/apps/first-app?fields=name HTTP/1.1\nAccept-Encoding: gzip\nHost: ces.example`,
        ),
        part("x + 2", `GET /v1/${LOCATION}/apps/no-such-app HTTP/1.1`),
        part(
          "x + 3",
          `PATCH http://ces.example/v1beta/${LOCATION}/apps/second-app?updateMask=description HTTP/1.1\nContent-Type: application/json`,
          JSON.stringify({ description: words }),
        ),
        part("x + 4", "GET /v1/nothing/here HTTP/1.1"),
        part("x + 5", "POST /batch HTTP/1.1", "x"),
        part("x + 6", `GET /v1beta/${LOCATION}/apps?fields=apps/displayName HTTP/1.1`),
      ],
      ROOT,
    );
    assert.deepEqual(
      answers.map(({ id, status }) => [id, status]),
      [200, 404, 200, 404, 404, 200].map((status, index) => [`<response-x + ${index + 1}>`, status]),
    );
    assert.deepEqual(answers[0]?.json, { name: `${LOCATION}/apps/first-app` });
    assert.equal(answers[1]?.json.error.status, "NOT_FOUND");
    assert.equal(answers[2]?.json.description, words);
    assert.deepEqual(answers[5]?.json, { apps: [{ displayName: "first-app" }, { displayName: "second-app" }] });
  });

  it("asks each request for a credential, its own or that of the batch", async () => {
    const get = `GET /v1/${LOCATION}/apps/first-app HTTP/1.1`;
    const guest = `${get}\nAuthorization: Bearer ${tokenOf("guest")}`;
    const statuses = async (headers: Readonly<Record<string, string>>) =>
      (await send([part("1", get), part("2", guest)], headers)).map(({ status }) => status);
    assert.deepEqual(await statuses(ROOT), [200, 403]);
    assert.deepEqual(await statuses({}), [401, 403]);
  });

  it("comes from where the batch comes from, whatever a part says", async () => {
    const request = `PATCH /v1beta/${LOCATION}/apps/first-app?updateMask=description HTTP/1.1`;
    const claims = "Content-Type: application/json\nX-Forwarded-For: 203.0.113.9";
    await send([part("1", `${request}\n${claims}`, "{}")], { ...ROOT, "x-forwarded-for": "198.51.100.7" });
    const { json } = await callAs(server, "root", "GET", "projects/local/auditEntries");
    const addresses = json.auditEntries.map(({ address }: { readonly address: string }) => address);
    assert.ok(addresses.includes("198.51.100.7"), JSON.stringify(addresses));
    assert.ok(!addresses.includes("203.0.113.9"));
  });

  it("is served over HTTP/2", async () => {
    const session = http2.connect(server.address);
    const stream = session.request({ ":method": "POST", ":path": "/batch", ...HEADERS, ...ROOT });
    stream.end(`${part("1", `GET /v1/${LOCATION}/apps/first-app?fields=name HTTP/1.1`)}--edge--`);
    let contentType = "";
    stream.on("response", (headers) => {
      contentType = String(headers["content-type"]);
    });
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    session.close();
    assert.deepEqual(answersOf(text, contentType)[0]?.json, { name: `${LOCATION}/apps/first-app` });
  });

  it("has the error of a stream in its part", async () => {
    const session = `${LOCATION}/apps/first-app/sessions/no-agent-yet`;
    const request = `POST /v1beta/${session}:streamRunSession HTTP/1.1\nContent-Type: application/json`;
    const [answer] = await send([part("1", request, JSON.stringify({ inputs: [{ text: "hello" }] }))], ROOT);
    assert.equal(answer?.json.error.status, "FAILED_PRECONDITION");
  });

  it("has streams that are longer than what waits for a reader", async () => {
    const app = `${LOCATION}/apps/first-app`;
    const agent = await callAs(server, "root", "POST", `${app}/agents`, {
      displayName: "Reader",
      instruction: "Read.",
    });
    await callAs(server, "root", "PATCH", `${app}?updateMask=rootAgent`, { rootAgent: agent.json.name });
    const lengths = [20_000, 1_500_000];
    const streams = lengths.map((length) => {
      model.extend(say("x".repeat(length)));
      const request = `POST /v1beta/${app}/sessions/of-${length}:streamRunSession HTTP/1.1\nContent-Type: application/json`;
      return part(String(length), request, JSON.stringify({ inputs: [{ text: "read" }] }));
    });
    const answers = await send(streams, ROOT);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.ok(JSON.stringify(answers.map(({ json }) => json)).length > 1_520_000);
  });

  it("bounds the head of a part as that of a request, and counts parts no further than needed", async () => {
    const refused = async (body: string) => {
      const response = await fetch(`${server.address}/batch`, {
        method: "POST",
        headers: { ...HEADERS, ...ROOT },
        body,
      });
      return `${response.status} ${await response.text()}`;
    };
    const request = `GET /v1/${LOCATION}/apps HTTP/1.1\n${"a: b\n".repeat(10_000)}`;
    assert.match(
      await refused(`${part("1", request)}--edge--`),
      /^400 .*Part 1 of the batch has more than 32768 bytes/,
    );
    assert.match(await refused(`${"--edge\n".repeat(500_000)}--edge--`), /^400 .*1000 requests at most/);
  });

  it("refuses what is no batch, with the number of the part", async () => {
    const refused = async (body: string, contentType = HEADERS["content-type"], method = "POST") => {
      const init = { method, headers: { "content-type": contentType }, ...(method === "POST" && { body }) };
      const response = await fetch(`${server.address}/batch`, init);
      // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
      const { error } = (await response.json()) as any;
      return [response.status, error.message];
    };
    const get = part("1", `GET /v1/${LOCATION}/apps HTTP/1.1`);
    assert.match(String(await refused("{}", "application/json")), /^400,A batch is multipart\/mixed/);
    assert.match(String(await refused(get)), /^400,The batch ends without '--edge--'/);
    assert.match(String(await refused(`${get}${part("2", "hello")}--edge--`)), /^400,Part 2 of the batch/);
    assert.match(
      String(await refused(`${get.repeat(1_001)}--edge--`)),
      /^400,A batch has 1000 requests at most; this one has more/,
    );
    assert.match(String(await refused("", undefined, "GET")), /^405,/);
    assert.match(String(await refused("x".repeat(1024 * 1024 + 1))), /^413,.* 1048576 bytes/);
  });
});
