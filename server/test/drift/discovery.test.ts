import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type ClientField, type ClientMethod, readClientSurface } from "../../drift/client-surface.ts";

const CLIENT = dirname(createRequire(import.meta.url).resolve("googleapis/package.json"));
const SURFACES = ["v1", "v1beta"].map((revision) =>
  readClientSurface(join(CLIENT, "build", "src", "apis", "ces"), "ces", revision),
);

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Method {
  readonly id: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly parameterOrder: readonly string[];
  readonly parameters: Readonly<Record<string, Schema & { readonly location: string; readonly repeated?: boolean }>>;
  readonly request?: Schema;
  readonly response: Schema;
}

interface Resource {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}

interface Description extends Resource {
  readonly id: string;
  readonly rootUrl: string;
  readonly batchPath: string;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Description> {
  const response = await fetch(server.address + path, { headers });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Description;
}

describe("the description of an API (WIRE-59)", () => {
  for (const surface of SURFACES) {
    const { revision } = surface;

    it(`has every method of the generated client of ${revision}, with its path, parameters and messages`, async () => {
      const methods = new Map(
        methodsOf(await read(`/$discovery/rest?version=${revision}`)).map((one) => [one.id, one]),
      );
      for (const method of surface.methods) {
        const own = methods.get(`ces.${method.id}`);
        assert.ok(own, `${revision} ${method.id}`);
        assert.deepEqual(shapeOf(own), clientShapeOf(method), method.id);
        const query = Object.entries(own.parameters).filter(([, { location }]) => location === "query");
        const found = new Map(query.map(([name, schema]) => [name, typeOf(schema) + (schema.repeated ? "[]" : "")]));
        for (const { name, type } of method.query) assert.equal(found.get(name), type, `${method.id} ${name}`);
      }
    });

    it(`has every message of the generated client of ${revision}`, async () => {
      const { schemas } = await read(`/discovery/v1/apis/ces/${revision}/rest`);
      const reachable = reachableIn(surface.messages, surface.methods);
      assert.ok(reachable.size > 100);
      const found = [...surface.messages].flatMap(([name, fields]) => {
        if (!reachable.has(name)) return [];
        const own = schemas[name]?.properties;
        if (!own) return [name];
        return fields.flatMap(({ name: field, type }) => {
          const here = own[field] && typeOf(own[field]);
          return here === type ? [] : [`${name}.${field}: ${type} is ${here}`];
        });
      });
      assert.deepEqual(found, []);
    });
  }

  it("refers to no message that it lacks", async () => {
    const list = (await (await fetch(`${server.address}/discovery/v1/apis`)).json()) as {
      readonly items: readonly { readonly id: string; readonly discoveryRestUrl: string }[];
    };
    const ids = list.items.map(({ id }) => id);
    for (const id of ["ces:v1", "ces:v1beta", "geminidataanalytics:v1alpha", "geminidataanalytics:v1beta"])
      assert.ok(ids.includes(id), id);
    for (const { id, discoveryRestUrl } of list.items) {
      assert.ok(discoveryRestUrl.startsWith(`${server.address}/`), discoveryRestUrl);
      const description = await read(discoveryRestUrl.slice(server.address.length));
      assert.equal(description.id, id);
      const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = ""]) => name);
      assert.deepEqual(
        references.filter((name) => !Object.hasOwn(description.schemas, name)),
        [],
      );
      const ofMethods = methodsOf(description).map((method) => method.id);
      assert.equal(new Set(ofMethods).size, ofMethods.length);
    }
  });

  it("has the address by which the client called, and the API that its host names", async () => {
    const { rootUrl, id } = await read("/$discovery/rest?version=v1");
    assert.deepEqual({ rootUrl, id }, { rootUrl: `${server.address}/`, id: "ces:v1" });
    assert.equal((await read("/$discovery/rest?version=v1alpha")).id, "geminidataanalytics:v1alpha");
    const response = await fetch(`${server.address}/$discovery/rest?version=v7`);
    assert.equal(response.status, 404);
    assert.match(await response.text(), /no version 'v7'.*ces v1beta/);
    assert.equal((await fetch(`${server.address}/$discovery/rest`, { method: "POST" })).status, 405);
  });
});

function methodsOf({ methods = {}, resources = {} }: Resource): readonly Method[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsOf)];
}

function shapeOf({ httpMethod, path, request, response }: Method) {
  return { httpMethod, path: `/${path}`, body: request?.$ref, response: typeOf(response) };
}

function clientShapeOf({ httpMethod, path, body, response }: ClientMethod) {
  return { httpMethod, path, body, response };
}

/** How the client writes the type of a schema. */
function typeOf({ $ref, type, items, additionalProperties }: Schema): string {
  if ($ref) return $ref;
  if (items) return `${typeOf(items)}[]`;
  if (additionalProperties) return `{${typeOf(additionalProperties)}}`;
  return type === "integer" ? "number" : (type ?? "");
}

/** The messages of the methods, and theirs: the client declares others, too, that none of its methods sends. */
function reachableIn(
  messages: ReadonlyMap<string, readonly ClientField[]>,
  methods: readonly ClientMethod[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (type: string): void => {
    const name = type.replace(/[{}[\]]/g, "");
    if (found.has(name) || !messages.has(name)) return;
    found.add(name);
    for (const field of messages.get(name) ?? []) visit(field.type);
  };
  for (const { body, response } of methods) for (const type of [body, response]) if (type) visit(type);
  return found;
}
