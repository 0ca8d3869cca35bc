import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stringify } from "yaml";
import { definedFields, type JsonObject, parseJson } from "#base";
import { startEchoServer } from "./echo-server.ts";
import { APP, contextOf, documentOf, openApiTool, openApiToolset, openToolBench } from "./tool-bench.ts";

const LIST = ["blue", "black"];
const POINT = { x: 100, y: "a b" };

interface StyleCase {
  readonly style: string;
  readonly explode: boolean;
  readonly value: unknown;
  /** What arrives, `p` being the parameter's name. */
  readonly arrives: string;
}

const PATH_CASES: readonly StyleCase[] = [
  { style: "simple", explode: false, value: "a/b ä", arrives: "a%2Fb%20%C3%A4" },
  { style: "simple", explode: false, value: LIST, arrives: "blue,black" },
  { style: "simple", explode: false, value: POINT, arrives: "x,100,y,a%20b" },
  { style: "simple", explode: true, value: POINT, arrives: "x=100,y=a%20b" },
  { style: "label", explode: false, value: 5, arrives: ".5" },
  { style: "label", explode: false, value: LIST, arrives: ".blue,black" },
  { style: "label", explode: true, value: LIST, arrives: ".blue.black" },
  { style: "label", explode: true, value: POINT, arrives: ".x=100.y=a%20b" },
  { style: "matrix", explode: false, value: 5, arrives: ";p=5" },
  { style: "matrix", explode: false, value: LIST, arrives: ";p=blue,black" },
  { style: "matrix", explode: true, value: LIST, arrives: ";p=blue;p=black" },
  { style: "matrix", explode: false, value: POINT, arrives: ";p=x,100,y,a%20b" },
  { style: "matrix", explode: true, value: POINT, arrives: ";x=100;y=a%20b" },
];

const QUERY_CASES: readonly StyleCase[] = [
  { style: "form", explode: true, value: "a&b=c", arrives: "p=a%26b%3Dc" },
  { style: "form", explode: true, value: LIST, arrives: "p=blue&p=black" },
  { style: "form", explode: false, value: LIST, arrives: "p=blue,black" },
  { style: "form", explode: true, value: POINT, arrives: "x=100&y=a%20b" },
  { style: "form", explode: false, value: POINT, arrives: "p=x,100,y,a%20b" },
  { style: "spaceDelimited", explode: false, value: LIST, arrives: "p=blue%20black" },
  { style: "pipeDelimited", explode: false, value: LIST, arrives: "p=blue%7Cblack" },
  { style: "deepObject", explode: true, value: POINT, arrives: "p%5Bx%5D=100&p%5By%5D=a%20b" },
  { style: "deepObject", explode: true, value: { a: { b: [1, 2] } }, arrives: "p%5Ba%5D%5Bb%5D=1&p%5Ba%5D%5Bb%5D=2" },
];

const withParameter = (url: string, place: string, { style, explode }: StyleCase) =>
  documentOf(url, {
    [place === "path" ? "/at/{p}" : "/at"]: {
      get: {
        operationId: "at",
        parameters: [{ name: "p", in: place, required: true, style, explode, schema: {} }],
        responses: {},
      },
    },
  });

describe("a parameter of an OpenAPI operation", () => {
  it("is serialized in its location by its style", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const sent = async (place: string, each: StyleCase) => {
      await bench.run(openApiTool(withParameter(server.url, place, each)), { p: each.value } as JsonObject);
      return server.last();
    };
    for (const each of PATH_CASES)
      assert.equal((await sent("path", each)).url, `/at/${each.arrives}`, JSON.stringify(each));
    for (const each of QUERY_CASES)
      assert.equal((await sent("query", each)).url, `/at?${each.arrives}`, JSON.stringify(each));
    const simple = { style: "simple", explode: false, value: LIST, arrives: "" };
    assert.equal((await sent("header", simple)).headers.p, "blue,black");
    assert.equal((await sent("header", { ...simple, explode: true, value: POINT })).headers.p, "x=100,y=a b");
    assert.equal((await sent("cookie", { ...simple, style: "form", value: "a;b" })).headers.cookie, "p=a%3Bb");
  });

  it("and a field of a body are sent as they came: whole numbers beyond 2^53, 5.0, the order of keys (PY-42)", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const fields = { id: { type: "integer" }, more: { type: "object" } };
    const content = { "application/json": { schema: { type: "object", properties: fields } } };
    const tool = openApiTool(
      documentOf(server.url, {
        "/at/{p}": {
          post: {
            operationId: "at",
            parameters: [{ name: "p", in: "path", required: true, schema: { type: "integer" } }],
            requestBody: { required: true, content },
            responses: {},
          },
        },
      }),
    );
    await bench.run(
      tool,
      parseJson('{"p":9007199254740993,"id":12345678901234567890,"more":{"9":5.0,"1":1}}') as JsonObject,
    );
    assert.equal(server.last().url, "/at/9007199254740993");
    assert.equal(server.last().body, '{"id":12345678901234567890,"more":{"9":5.0,"1":1}}');
  });

  it("is named when it is missing, and rejected when it would leave its path", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const [each = PATH_CASES[0]] = PATH_CASES;
    assert.ok(each);
    const tool = openApiTool(withParameter(server.url, "path", each));
    assert.deepEqual((await bench.run(tool, {})).response, { status: "error", error: "Missing parameter: p" });
    assert.deepEqual((await bench.run(tool, { p: ".." })).response, {
      status: "error",
      error: "A parameter in the path of at must not be '.' or '..'.",
    });
    assert.deepEqual(server.requests, []);
  });
});

describe("the body of an OpenAPI operation", () => {
  const bodyOf = (url: string, type: string, schema: object, encoding?: object) =>
    openApiTool(
      documentOf(url, {
        "/orders": {
          post: {
            operationId: "order",
            requestBody: { required: true, content: { [type]: { schema, ...definedFields({ encoding }) } } },
            responses: {},
          },
        },
      }),
    );
  const FIELDS = {
    type: "object",
    properties: {
      id: { type: "string", readOnly: true },
      item: { type: "string" },
      sizes: { type: "array", items: { type: "integer" } },
      to: { type: "object", properties: { city: { type: "string" } } },
    },
    required: ["id", "item"],
  };
  const ARGS = { item: "a&b", sizes: [1, 2], to: { city: "Graz" } };

  it("is serialized as JSON, form, multipart or text", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    await bench.run(bodyOf(server.url, "application/json", FIELDS), ARGS);
    assert.deepEqual(JSON.parse(server.last().body), ARGS);
    await bench.run(
      bodyOf(server.url, "application/x-www-form-urlencoded", FIELDS, { sizes: { explode: false } }),
      ARGS,
    );
    assert.equal(server.last().body, "item=a%26b&sizes=1,2&to=%7B%22city%22%3A%22Graz%22%7D");
    await bench.run(bodyOf(server.url, "multipart/form-data", FIELDS), ARGS);
    const { headers, body } = server.last();
    const form = await new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
    const to = form.get("to");
    assert.deepEqual([form.get("item"), form.getAll("sizes")], ["a&b", ["1", "2"]]);
    assert.equal(to instanceof Blob ? await to.text() : to, '{"city":"Graz"}');
    await bench.run(bodyOf(server.url, "text/plain", { type: "string" }), { body: "as it is" });
    assert.deepEqual([server.last().headers["content-type"], server.last().body], ["text/plain", "as it is"]);
  });

  it("has its properties as arguments, without read-only ones", async () => {
    await using bench = openToolBench();
    const { parameters } = await bench.tools.declare(bodyOf("https://shop.example", "application/json", FIELDS));
    assert.deepEqual(
      [Object.keys(parameters.properties ?? {}), parameters.required],
      [["item", "sizes", "to"], ["item"]],
    );
  });
});

const SHOP = (url: string) =>
  documentOf(
    url,
    {
      "/items/{id}": {
        parameters: [{ $ref: "#/components/parameters/Id" }],
        get: {
          operationId: "getItem",
          summary: "Finds an item.",
          parameters: [
            {
              name: "X-Session",
              in: "header",
              required: true,
              schema: {},
              "x-ces-session-context": "$context.session_id",
            },
            { name: "page[size]", in: "query", schema: { type: "integer" } },
          ],
          responses: {
            200: {
              description: "it",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } },
            },
          },
        },
        put: {
          operationId: "put/item",
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    id: { type: "string" },
                    by: {
                      type: "object",
                      properties: { user: { type: "string", "x-ces-session-context": "$context.variables.user" } },
                    },
                  },
                },
              },
            },
          },
          responses: {},
        },
      },
    },
    {
      components: {
        parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
        schemas: {
          Base: {
            type: "object",
            properties: { id: { type: "string", format: "uuid", description: "Its number" } },
            required: ["id"],
          },
          Item: {
            allOf: [
              { $ref: "#/components/schemas/Base" },
              {
                type: "object",
                properties: {
                  parent: { $ref: "#/components/schemas/Item" },
                  price: { oneOf: [{ type: "number" }, { type: "string" }] },
                },
              },
            ],
          },
        },
      },
    },
  );

describe("an OpenAPI toolset", () => {
  it("gives each operation a function name and a document of its own", async () => {
    await using bench = openToolBench();
    for (const text of [JSON.stringify(SHOP("https://shop.example")), stringify(SHOP("https://shop.example"))]) {
      const members = await bench.tools.open(openApiToolset(text), contextOfOpening());
      assert.deepEqual(
        members.map(({ toolId, tool }) => [toolId, tool.name, tool.displayName]),
        [
          ["getItem", `${APP}/toolsets/shop/tools/getItem`, "shop_api_getItem"],
          ["put/item", `${APP}/toolsets/shop/tools/put/item`, "shop_api_put_item"],
        ],
      );
      const [first] = members;
      assert.ok(first && first.tool.toolType.case === "openApiTool");
      const slice = JSON.parse(first.tool.toolType.value.openApiSchema);
      assert.deepEqual(
        [Object.keys(slice.paths["/items/{id}"]), Object.keys(slice.components.schemas)],
        [
          ["parameters", "get"],
          ["Item", "Base"],
        ],
      );
    }
  });

  it("declares an operation without references and without session values", async () => {
    await using bench = openToolBench();
    const toolset = openApiToolset(SHOP("https://shop.example"));
    assert.deepEqual(await bench.tools.declare(await bench.member(toolset, "getItem")), {
      name: "shop_api_getItem",
      description: "Finds an item.",
      parameters: {
        type: "object",
        properties: { id: { type: "string" }, page_size_: { type: "integer" } },
        required: ["id"],
      },
      response: {
        type: "object",
        properties: {
          id: { type: "string", description: "Its number (format: uuid)" },
          // TOOL-63
          parent: { type: "object", properties: {}, description: "(Item: the same fields as the Item around it)" },
          price: { anyOf: [{ type: "number" }, { type: "string" }] },
        },
        required: ["id"],
      },
      tool: `${APP}/toolsets/shop/tools/getItem`,
      runs: "server",
    });
    const put = await bench.tools.declare(await bench.member(toolset, "put/item"));
    assert.deepEqual(put.parameters, {
      type: "object",
      properties: { id: { type: "string" }, body_id: { type: "string" }, by: { type: "object", properties: {} } },
      required: ["id"],
    });
  });

  it("sends session values, under the names of the document", async () => {
    await using server = await startEchoServer();
    await using bench = openToolBench();
    const toolset = openApiToolset(SHOP(server.url));
    await bench.run(await bench.member(toolset, "getItem"), { id: "7", page_size_: 2 });
    assert.deepEqual([server.last().url, server.last().headers["x-session"]], ["/items/7?page%5Bsize%5D=2", "s1"]);
    const put = await bench.member(toolset, "put/item");
    await bench.run(put, { id: "7", body_id: "8" }, contextOf({}, { user: "ana" }));
    assert.deepEqual(JSON.parse(server.last().body), { id: "8", by: { user: "ana" } });
  });
});

function contextOfOpening() {
  return { app: APP, variables: {}, signal: new AbortController().signal };
}

describe("the response of an OpenAPI operation", () => {
  const answering = async (
    answer: { readonly status?: number; readonly type?: string; readonly body: string },
    more: object = {},
  ): Promise<JsonObject> => {
    await using server = await startEchoServer((_request, response) =>
      response.writeHead(answer.status ?? 200, { "content-type": answer.type ?? "application/json" }).end(answer.body),
    );
    await using bench = openToolBench();
    return (await bench.run(await bench.member(openApiToolset(SHOP(server.url), more), "getItem"), { id: "1" }))
      .response;
  };

  it("is its JSON object unchanged, anything else under 'output'", async () => {
    assert.deepEqual(await answering({ body: '{"id":"1","new":true}' }), { id: "1", new: true });
    assert.deepEqual(await answering({ body: "[1]" }), { output: [1] });
    assert.deepEqual(await answering({ body: "", type: "text/plain" }), {});
    assert.deepEqual(await answering({ body: "hello", type: "text/plain" }), { output: "hello" });
  });

  it("loses unknown fields with ignore_unknown_fields", async () => {
    const body = '{"id":"1","new":true,"parent":{"id":"2"}}';
    assert.deepEqual(await answering({ body }, { ignoreUnknownFields: true }), { id: "1", parent: { id: "2" } });
  });

  it("is an error that names the cause when it is a failure, HTML or invalid JSON", async () => {
    assert.deepEqual(await answering({ status: 404, body: '{"code":"gone"}' }), {
      status: "error",
      error: 'GET /items/{id} answered 404 Not Found: {"code":"gone"}',
    });
    assert.deepEqual(await answering({ body: "<html>Log in</html>", type: "text/html; charset=utf-8" }), {
      status: "error",
      error:
        "GET /items/{id} answered 200 OK with a page of HTML where application/json is expected; the server URL may be wrong.",
    });
    assert.deepEqual(await answering({ body: "{" }), {
      status: "error",
      error: "GET /items/{id} answered 200 OK with invalid JSON.",
    });
  });
});
