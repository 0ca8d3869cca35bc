import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { isJsonObject, type JsonObject } from "#base";
import { startEchoServer } from "./echo-server.ts";
import {
  APP,
  contextOf,
  documentOf,
  openApiTool,
  openApiToolset,
  openToolBench,
  type ToolBench,
} from "./tool-bench.ts";

/** A tool of an operation with this body, and what arrives. */
const bodyTool = (url: string, schema: object, type = "application/json", encoding: object = {}, more: object = {}) =>
  openApiTool(
    documentOf(
      url,
      {
        "/things": {
          patch: {
            operationId: "change",
            requestBody: { required: true, content: { [type]: { schema, encoding } } },
            responses: {},
          },
        },
      },
      more,
    ),
  );

const parametersOf = async (bench: ToolBench, tool: Parameters<ToolBench["run"]>[0]) =>
  (await bench.tools.declare(tool)).parameters;

/** What is at a path of properties, `[]` for the items of a list. */
const at = (schema: unknown, path: string): JsonObject => {
  const inner = path.split(".").reduce<unknown>((value, step) => {
    if (!isJsonObject(value)) return undefined;
    return step === "[]" ? value.items : isJsonObject(value.properties) ? value.properties[step] : undefined;
  }, schema);
  assert.ok(isJsonObject(inner), `nothing at ${path} of ${JSON.stringify(schema)}`);
  return inner;
};

describe("a body as APIs of the field have them", () => {
  it("has null where the schema allows it, because that clears a field", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const properties = {
      assignee: { type: "string", nullable: true, default: "nobody" },
      due: { type: ["string", "null"] },
      parent: { oneOf: [{ type: "integer" }, { type: "null" }] },
      title: { type: "string" },
    };
    const tool = bodyTool(server.url, { type: "object", properties, required: ["assignee"] });
    await bench.run(tool, { assignee: null, due: null, parent: null, title: null });
    assert.deepEqual(JSON.parse(server.last().body), { assignee: null, due: null, parent: null });
    await bench.run(tool, {});
    assert.deepEqual(JSON.parse(server.last().body), { assignee: "nobody" });
  });

  it("has the properties of a union beside its own, as discriminated types do", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const pet = (type: string, properties: object, required: readonly string[]) => ({
      allOf: [{ $ref: "#/components/schemas/Pet" }, { type: "object", properties, required }],
      description: type,
    });
    const schemas = {
      Pet: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" } },
        discriminator: { propertyName: "kind" },
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
      },
      Cat: pet("cat", { name: { type: "string" }, lives: { type: "integer" } }, ["name", "lives"]),
      Dog: pet("dog", { name: { type: "string", description: "What it hears." } }, ["name"]),
    };
    const tool = bodyTool(
      server.url,
      { $ref: "#/components/schemas/Pet" },
      "application/json",
      {},
      { components: { schemas } },
    );
    const parameters = await parametersOf(bench, tool);
    assert.deepEqual(Object.keys(parameters.properties ?? {}), ["kind", "name", "lives"]);
    assert.deepEqual(parameters.required, ["kind", "name"]);
    assert.deepEqual(at(parameters, "name").anyOf, [
      { type: "string" },
      { type: "string", description: "What it hears." },
    ]);
    await bench.run(tool, { kind: "cat", name: "Tom", lives: 9 });
    assert.deepEqual(JSON.parse(server.last().body), { kind: "cat", name: "Tom", lives: 9 });
  });

  it("numbers objects in lists of a deepObject form, and marks other items with []", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const names = ["line_items", "metadata", "methods"];
    const tool = bodyTool(
      server.url,
      { type: "object", properties: Object.fromEntries([...names, "mode"].map((name) => [name, {}])) },
      "application/x-www-form-urlencoded",
      Object.fromEntries(names.map((name) => [name, { style: "deepObject", explode: true }])),
    );
    const items: JsonObject[] = [{ price: "a", tags: ["x", "y"] }, { price: "b" }];
    await bench.run(tool, { line_items: items, metadata: { order: "1" }, methods: ["card", "ideal"], mode: "payment" });
    assert.equal(
      decodeURIComponent(server.last().body),
      "line_items[0][price]=a&line_items[0][tags][]=x&line_items[0][tags][]=y&line_items[1][price]=b&metadata[order]=1&methods[]=card&methods[]=ideal&mode=payment",
    );
  });

  it("marks the items of a list that is a deepObject parameter with []", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const expand = { name: "expand", in: "query", style: "deepObject", explode: true, schema: { type: "array" } };
    const get = { operationId: "list", parameters: [expand], responses: {} };
    await bench.run(openApiTool(documentOf(server.url, { "/charges": { get } })), { expand: ["customer", "invoice"] });
    assert.equal(decodeURIComponent(server.last().url), "/charges?expand[]=customer&expand[]=invoice");
  });
});

describe("a request for one of several media types", () => {
  it("asks for JSON before the others", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const accept = async (...types: readonly string[]) => {
      const content = Object.fromEntries(types.map((type) => [type, {}]));
      const get = { operationId: "x", responses: { 200: { content } } };
      await bench.run(openApiTool(documentOf(server.url, { "/x": { get } })), {});
      return server.last().headers.accept;
    };
    assert.equal(
      await accept("application/xml", "application/hal+json", "application/json"),
      "application/hal+json, application/json, application/xml;q=0.5",
    );
    assert.equal(await accept("text/csv", "application/xml"), "text/csv, application/xml");
    assert.equal(await accept(), "application/json");
  });
});

describe("a form with a file", () => {
  it("sends what is bytes as a file, which servers ask for, and what is text as a field", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const own = { report: { type: "string", format: "binary" }, title: { type: "string" } };
    const more = { scans: { type: "array", items: { type: "string", contentMediaType: "image/png" } } };
    const schema = {
      allOf: [
        { type: "object", properties: own },
        { type: "object", properties: more },
      ],
    };
    await bench.run(bodyTool(server.url, schema, "multipart/form-data"), {
      report: "a,b",
      title: "T",
      scans: ["x", "y"],
    });
    const { headers, body } = server.last();
    const form = await new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
    const kinds = [...form].map(([name, value]) => [name, value instanceof File ? value.name : value]);
    assert.deepEqual(kinds, [
      ["report", "report"],
      ["title", "T"],
      ["scans", "scans"],
      ["scans", "scans"],
    ]);
  });
});

describe("what a call brings beside what its operation has", () => {
  it("is left out of the request, and the trace says so", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const tool = bodyTool(server.url, { type: "object", properties: { title: { type: "string" } } });
    const { output } = await bench.run(tool, { title: "a", colour: "red", size: 1 });
    assert.equal(server.last().body, '{"title":"a"}');
    assert.deepEqual(
      output.map(({ text }) => text),
      ["Arguments that change does not have were left out: colour, size."],
    );
  });

  it("is sent as a bearer token once when the variable has the scheme in front", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const get = { operationId: "x", responses: {} };
    const token = "$context.variables.token";
    const apiAuthentication = { authConfig: { case: "bearerTokenConfig", value: { token } } };
    const tool = openApiTool(documentOf(server.url, { "/x": { get } }), { apiAuthentication });
    for (const value of ["abc", "Bearer abc"]) {
      await bench.run(tool, {}, contextOf({}, { token: value }));
      assert.equal(server.last().headers.authorization, "Bearer abc");
    }
  });
});

describe("a large schema", () => {
  const wrapped = (name: string) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }], default: {} });
  const type = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });

  it("counts levels as they are nested, not the references and allOf between them", async () => {
    await using bench = openToolBench();
    const schemas = {
      Deployment: type({ spec: wrapped("DeploymentSpec") }),
      DeploymentSpec: type({ template: wrapped("PodTemplate") }),
      PodTemplate: type({ spec: wrapped("PodSpec") }),
      PodSpec: type({ containers: { type: "array", items: wrapped("Container") } }),
      Container: type({ image: { type: "string" }, ports: { type: "array", items: wrapped("Port") } }, ["image"]),
      Port: type({ containerPort: { type: "integer" } }),
    };
    const tool = bodyTool(
      "https://k8s.example",
      wrapped("Deployment"),
      "application/json",
      {},
      { components: { schemas } },
    );
    const container = at(await parametersOf(bench, tool), "spec.template.spec.containers.[]");
    assert.deepEqual(container.required, ["image"]);
    assert.deepEqual(at(container, "ports.[].containerPort"), { type: "integer" });
  });

  it("loses levels and no properties, wherever they stand", async () => {
    await using bench = openToolBench();
    const wide = (levels: number): object =>
      levels === 0
        ? { type: "string" }
        : type(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n}`, wide(levels - 1)])));
    const schema = type({ affinity: wide(4), image: type({ name: { type: "string" } }), zone: { type: "string" } }, [
      "zone",
    ]);
    const parameters = await parametersOf(bench, bodyTool("https://k8s.example", schema));
    assert.deepEqual(at(parameters, "image.name"), { type: "string" });
    assert.deepEqual(parameters.required, ["zone"]);
    assert.deepEqual(at(parameters, "affinity.p11.p11").type, "object");
  });

  it("keeps its required properties when it has too many, and all of what an answer has", async () => {
    await using server = await startEchoServer((_request, response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify({ p0: 1, p1199: 2, other: 3 })),
    );
    await using bench = openToolBench();
    const many = type(Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`p${n}`, { type: "integer" }])), [
      "p1199",
    ]);
    const content = { "application/json": { schema: many } };
    const post = { operationId: "many", requestBody: { required: true, content }, responses: { 200: { content } } };
    const tool = openApiTool(documentOf(server.url, { "/many": { post } }), { ignoreUnknownFields: true });
    assert.deepEqual((await parametersOf(bench, tool)).required, ["p1199"]);
    assert.deepEqual((await bench.run(tool, { p1199: 1 })).response, { p0: 1, p1199: 2, other: 3 });
  });
});

describe("a document of thousands of operations", () => {
  it("has all of them as tools, each with all of its parameters", async () => {
    await using bench = openToolBench();
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field${n}`, { type: "integer" }]));
    const schemas = { Thing: { type: "object", properties: fields, required: ["field59"] } };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } };
    const paths = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [
        `/things${n}`,
        {
          post: { operationId: `thing${n}`, requestBody: { required: true, content }, responses: { 200: { content } } },
        },
      ]),
    );
    const toolset = openApiToolset(documentOf("https://big.example", paths, { components: { schemas } }));
    const { signal } = new AbortController();
    const members = await bench.tools.open(toolset, { app: APP, variables: {}, signal });
    assert.equal(members.length, 3_000);
    const counts = new Set<string>();
    for (const { tool } of members) {
      const { parameters, response } = await bench.tools.declare(tool);
      const count = (of: unknown) =>
        isJsonObject(of) ? Object.keys(isJsonObject(of.properties) ? of.properties : {}).length : 0;
      counts.add(`${count(parameters)} ${count(response)} ${parameters.required}`);
    }
    assert.deepEqual([...counts], ["60 60 field59"]);
    assert.deepEqual(await bench.tools.problems(toolset), []);
  });

  it("has slices that are not many times as long as the document, although each operation reaches all of its schemas", async () => {
    await using bench = openToolBench();
    const count = 1_000;
    const reference = (n: number) => ({ $ref: `#/components/schemas/Thing${n % count}` });
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `Thing${n}`,
        {
          type: "object",
          description: "x".repeat(1_500),
          properties: { next: reference(n + 1), other: reference(7 * n) },
        },
      ]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, n) => {
        const content = { "application/json": { schema: reference(n) } };
        return [`/things${n}`, { get: { operationId: `thing${n}`, responses: { 200: { content } } } }];
      }),
    );
    const text = JSON.stringify(documentOf("https://big.example", paths, { components: { schemas } }));
    const { signal } = new AbortController();
    const members = await bench.tools.open(openApiToolset(text), { app: APP, variables: {}, signal });
    const slices = members.map(({ tool }) =>
      tool.toolType.case === "openApiTool" ? tool.toolType.value.openApiSchema : "",
    );
    assert.ok(slices.join("").length < 12 * 1024 * 1024);
    for (const slice of [slices[0], slices.at(-1)]) {
      assert.deepEqual(await bench.tools.problems(openApiTool(slice ?? "")), []);
      assert.equal(Object.keys(JSON.parse(slice ?? "").paths).length, 1);
    }
  });
});

describe("the server of a document that is not an address", () => {
  const document = (url: string, more: object = {}) =>
    documentOf("", { "/x": { get: { operationId: "x", responses: {} } } }, { servers: [{ url, ...more }] });

  it("is relative to 'url'", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    await bench.run(openApiTool(document("/api/v3"), { url: server.url }), {});
    assert.equal(server.last().url, "/api/v3/x");
    assert.deepEqual(await bench.tools.problems(openApiTool(document("/api/v3"))), [
      "open_api_schema: its server '/api/v3' is relative; set 'url' to what it is relative to, e.g. https://api.example.com, so requests have nowhere to go",
    ]);
  });

  it("is refused before a call when a variable has no default", async () => {
    await using bench = openToolBench();
    const [problem] = await bench.tools.problems(
      openApiTool(document("https://{site}.example/v1", { variables: { site: {} } })),
    );
    assert.match(problem ?? "", /has the variable 'site', for which the document gives no default/);
  });
});

describe("an answer of a server in the field", () => {
  const answered = async (headers: Record<string, string>, body: string | Buffer, status = 200) => {
    await using server = await startEchoServer((_request, response) => response.writeHead(status, headers).end(body));
    await using bench = openToolBench();
    const get = { operationId: "x", responses: { 200: { content: { "application/json": { schema: {} } } } } };
    const { response } = await bench.run(openApiTool(documentOf(server.url, { "/x": { get } })), {});
    return { response, requests: server.requests.length };
  };

  it("is read when it is compressed, although nobody asked for that", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    assert.deepEqual((await answered(headers, gzipSync('{"ok":true}'))).response, { ok: true });
    const error = `Calling 'one' failed: The response has the content encoding gzip and cannot be decoded: incorrect header check.`;
    assert.deepEqual((await answered(headers, '{"ok":true}')).response, { status: "error", error });
  });

  it("is read in its charset", async () => {
    const latin = Buffer.from("Zürich", "latin1");
    assert.deepEqual((await answered({ "content-type": "text/plain; charset=ISO-8859-1" }, latin)).response, {
      output: "Zürich",
    });
    assert.deepEqual((await answered({ "content-type": "text/plain; charset=none" }, "Zürich")).response, {
      output: "Zürich",
    });
  });

  it("is text or JSON whatever its media type, unless it is bytes", async () => {
    assert.deepEqual((await answered({ "content-type": "application/x-ndjson" }, '{"a":1}\n{"a":2}\n')).response, {
      output: '{"a":1}\n{"a":2}\n',
    });
    assert.deepEqual((await answered({ "content-type": "application/octet-stream" }, '{"a":1}')).response, { a: 1 });
    const { response } = await answered(
      { "content-type": "application/pdf" },
      Buffer.from("%PDF-1.7\n\0\x01", "latin1"),
    );
    assert.equal(
      response.error,
      "GET /x answered 200 OK with 11 bytes of application/pdf, which an agent cannot read.",
    );
  });

  it("that says when to ask again is asked no sooner, and the model is told", async () => {
    const { response, requests } = await answered({ "retry-after": "120" }, "slow down", 429);
    assert.deepEqual(
      [response.error, requests],
      ["GET /x answered 429 Too Many Requests: slow down (Retry after 120 s.)", 1],
    );
    const date = await answered({ "retry-after": "Fri, 31 Dec 2999 23:59:59 GMT" }, "", 503);
    assert.deepEqual(
      [date.response.error, date.requests],
      ["GET /x answered 503 Service Unavailable. (Retry after 2999-12-31T23:59:59.000Z.)", 1],
    );
  });
});
