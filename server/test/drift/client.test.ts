import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { DescField, DescMessage, Registry } from "@bufbuild/protobuf";
import { startTestServer, type TestServer } from "#testing";
import {
  type ClientField,
  type ClientMethod,
  readClientSurface,
  valuesInComments,
} from "../../drift/client-surface.ts";
import { NO_VALUES, REFUSED } from "../../drift/refused.ts";
import { restRules } from "../../src/protocols/rest/http-rules.ts";
import { createRouter } from "../../src/protocols/rest/router.ts";

const CLIENT = dirname(createRequire(import.meta.url).resolve("googleapis/package.json"));
const SURFACES = ["v1", "v1beta"].map((revision) =>
  readClientSurface(join(CLIENT, "build", "src", "apis", "ces"), "ces", revision),
);

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const refused = (kind: RegExp) => REFUSED.map(({ what }) => what).filter((what) => kind.test(what));

describe("the generated client", () => {
  for (const { revision, methods, standardParameters } of SURFACES) {
    it(`calls no method of ${revision} that is not served, and sends no parameter that is unknown`, async () => {
      const found: string[] = [];
      for (const method of methods) found.push(...(await unknownIn(method)).map((what) => `${revision} ${what}`));
      assert.deepEqual(found, refused(new RegExp(`^${revision} projects\\.`)));
    });

    it(`sends and gets the messages of the methods of ${revision}`, () => {
      const router = createRouter(restRules(server.app.registry));
      const found = methods.flatMap(({ id, httpMethod, path, example, body, response }) => {
        const routing = router.find(httpMethod, filledPath(path, example));
        if (routing.kind !== "found") return [];
        const { route } = routing.match;
        const { input, output } = route.method.method;
        const sent = route.body === "*" ? input : input.fields.find(({ name }) => name === route.body)?.message;
        return [
          ...(body === (sent && schemaOf(sent)) ? [] : [`${revision} ${id}: ${body}`]),
          ...(response === schemaOf(output) ? [] : [`${revision} ${id} -> ${response}`]),
        ];
      });
      assert.deepEqual(found, []);
    });

    it(`sends no standard parameter in ${revision} that is taken for one of the method`, async () => {
      const names = standardParameters.map(({ name }) => name).filter((name) => name !== "auth");
      const query = new URLSearchParams(names.map((name): Pair => [name, name === "alt" ? "json" : "1"]));
      const response = await fetch(`${server.address}/${revision}/projects/p/locations/l/apps?${query}`);
      assert.doesNotMatch(await response.text(), /Unknown name/);
    });
  }

  it("declares no field that the served messages lack, and none of another type", () => {
    const { types } = server.app.registry;
    const found = SURFACES.flatMap(({ revision, messages }) =>
      [...messages].flatMap(([name, fields]) => {
        const message = messageOf(types, revision, name);
        return message ? differencesOf(message, fields).map((what) => `${revision} ${what}`) : [`${revision} ${name}`];
      }),
    );
    assert.deepEqual(found, refused(/^v1(beta)? [A-Z]/));
  });

  it("names no value of an enum in its comments that is unknown", () => {
    const known = new Set(
      [...server.app.registry.types].flatMap((type) =>
        type.kind === "enum" ? type.values.map(({ name }) => name) : [],
      ),
    );
    const named = new Set(SURFACES.flatMap((surface) => [...valuesInComments(surface)]));
    assert.deepEqual([...named].filter((name) => !known.has(name)).sort(), Object.keys(NO_VALUES).sort());
  });
});

type Pair = [name: string, value: string];

/** What is unknown of a request of a method with all its query parameters. */
async function unknownIn({ id, httpMethod, path, example, query, body }: ClientMethod): Promise<readonly string[]> {
  const parameters = new URLSearchParams(
    query.map(({ name, type }): Pair => [name, type === "boolean" ? "false" : "0"]),
  );
  const response = await fetch(`${server.address}${filledPath(path, example)}?${parameters}`, {
    method: httpMethod,
    ...(body && { headers: { "content-type": "application/json" }, body: "{}" }),
  });
  const text = await response.text();
  if (/There is no method at/.test(text) || response.status === 405) return [id];
  if (/Method \S+ is not implemented/.test(text)) return [id];
  return [...text.matchAll(/Unknown name \\"([\w.]+)\\"/g)].map(([, name]) => `${id}?${name}`);
}

function filledPath(path: string, example: ClientMethod["example"]): string {
  return path.replace(/\{\+(\w+)\}/g, (_, name: string) => example[name] ?? "");
}

/** Packages whose messages the client has, with the prefix that it gives their names. */
const PACKAGES: readonly (readonly [prefix: string, packageName: string])[] = [
  ["", "google.cloud.ces."],
  ["LfA2aV1", "lf.a2a.v1."],
  ["", "google.longrunning."],
  ["", "google.cloud.location."],
  ["", "google.protobuf."],
  ["", "google.rpc."],
];

/** The message of a schema's name: nested names are written together. */
function messageOf(types: Registry, revision: string, schema: string): DescMessage | undefined {
  for (const [prefix, packageName] of PACKAGES) {
    const inPackage = packageName === "google.cloud.ces." ? `${packageName}${revision}.` : packageName;
    for (const type of types) {
      if (type.kind !== "message" || !type.typeName.startsWith(inPackage)) continue;
      if (prefix + type.typeName.slice(inPackage.length).replaceAll(".", "") === schema) return type;
    }
  }
  return undefined;
}

function differencesOf(message: DescMessage, fields: readonly ClientField[]): readonly string[] {
  return fields.flatMap(({ name, type }) => {
    const field = message.fields.find(({ jsonName }) => jsonName === name);
    if (!field) return [`${message.name}.${name}`];
    const own = clientTypeOf(field);
    return own === type ? [] : [`${message.name}.${name}: ${type} is ${own} here`];
  });
}

/** How the client writes the type of a field. */
function clientTypeOf(field: DescField): string {
  const one = field.message ? schemaOf(field.message) : scalarOf(field);
  if (field.fieldKind === "map") return `{${one}}`;
  return field.fieldKind === "list" ? `${one}[]` : one;
}

/** Messages whose JSON is not an object with their fields. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "string",
  "google.protobuf.Duration": "string",
  "google.protobuf.FieldMask": "string",
  "google.protobuf.Struct": "{any}",
  "google.protobuf.Any": "{any}",
  "google.protobuf.Value": "any",
};

function schemaOf({ typeName }: DescMessage): string {
  const local = typeName.replace(/^google\.(cloud\.ces\.\w+|longrunning|cloud\.location|protobuf|rpc)\./, "");
  return JSON_TYPES[typeName] ?? local.replace(/^lf\.a2a\.v1\./, "LfA2aV1").replaceAll(".", "");
}

/** Protobuf's JSON has 64-bit numbers, bytes and enums as strings. */
function scalarOf({ scalar }: DescField): string {
  const numbers = new Set([1, 2, 5, 7, 13, 15, 17]);
  if (scalar === 8) return "boolean";
  return scalar !== undefined && numbers.has(scalar) ? "number" : "string";
}
