import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, createFileRegistry, type DescService, type Message, setExtension } from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  MethodDescriptorProtoSchema,
  MethodOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { file_google_api_annotations, http } from "@frontdesk/protos/google/api/annotations";
import { HttpRuleSchema } from "@frontdesk/protos/google/api/http";
import { defineService, type ServiceImplementation } from "#rpc";
import { startWireServer } from "./wire-server.ts";

/** A service that uses what no published rule uses: additional bindings, response_body, custom verbs of HTTP, maps in the query. */
function library(): DescService {
  const field = (name: string, number: number, type: Type, more: object = {}) =>
    create(FieldDescriptorProtoSchema, { name, number, type, label: Label.OPTIONAL, jsonName: name, ...more });
  const labels = create(DescriptorProtoSchema, {
    name: "LabelsEntry",
    options: { mapEntry: true },
    field: [field("key", 1, Type.STRING), field("value", 2, Type.BOOL)],
  });
  const book = create(DescriptorProtoSchema, {
    name: "Book",
    field: [field("name", 1, Type.STRING), field("pages", 2, Type.INT32)],
  });
  const request = create(DescriptorProtoSchema, {
    name: "GetBookRequest",
    nestedType: [labels],
    field: [
      field("name", 1, Type.STRING),
      field("labels", 2, Type.MESSAGE, { label: Label.REPEATED, typeName: ".test.v1beta.GetBookRequest.LabelsEntry" }),
      field("book", 3, Type.MESSAGE, { typeName: ".test.v1beta.Book" }),
    ],
  });
  const response = create(DescriptorProtoSchema, {
    name: "GetBookResponse",
    field: [field("book", 1, Type.MESSAGE, { typeName: ".test.v1beta.Book" }), field("note", 2, Type.STRING)],
  });
  const rule = create(HttpRuleSchema, {
    pattern: { case: "get", value: "/v1beta/{name=shelves/*/books/*}" },
    additionalBindings: [
      { pattern: { case: "post", value: "/v1beta/books:find" }, body: "book", responseBody: "book" },
      { pattern: { case: "custom", value: { kind: "REPORT", path: "/v1beta/{name=archive/**}" } } },
    ],
  });
  const options = create(MethodOptionsSchema);
  setExtension(options, http, rule);
  const method = create(MethodDescriptorProtoSchema, {
    name: "GetBook",
    inputType: ".test.v1beta.GetBookRequest",
    outputType: ".test.v1beta.GetBookResponse",
    options,
  });
  const file = create(FileDescriptorProtoSchema, {
    name: "test/library.proto",
    package: "test.v1beta",
    syntax: "proto3",
    dependency: ["google/api/annotations.proto"],
    messageType: [book, request, response],
    service: [{ name: "Library", method: [method] }],
  });
  const service = createFileRegistry(file, (name) =>
    name === "google/api/annotations.proto" ? file_google_api_annotations : undefined,
  ).getService("test.v1beta.Library");
  assert.ok(service);
  return service;
}

async function startLibrary() {
  const seen: unknown[] = [];
  const getBook = async ({
    $typeName: _,
    $unknown: __,
    ...request
  }: Message & { name?: string; book?: { name: string } }) => {
    seen.push(request);
    return { book: { name: request.name || request.book?.name, pages: 3 }, note: "n" };
  };
  const server = await startWireServer({
    more: [defineService(library(), [], { getBook } as unknown as ServiceImplementation<DescService>)],
  });
  return { seen, server };
}

describe("google.api.http rules", () => {
  it("serve additional bindings like the first", async () => {
    const { server } = await startLibrary();
    await using _ = server;
    const answer = { book: { name: "shelves/1/books/2", pages: 3 }, note: "n" };
    assert.deepEqual(await (await fetch(`${server.url}/v1beta/shelves/1/books/2`)).json(), answer);
  });

  it("return the field that response_body names, and read the one that body names", async () => {
    const { server } = await startLibrary();
    await using _ = server;
    const response = await fetch(`${server.url}/v1beta/books:find`, {
      method: "POST",
      body: '{"name":"b","pages":"9"}',
    });
    assert.deepEqual(await response.json(), { name: "b", pages: 3 });
  });

  it("may have custom HTTP methods", async () => {
    const { server } = await startLibrary();
    await using _ = server;
    const response = await fetch(`${server.url}/v1beta/archive/a/b`, { method: "REPORT" });
    assert.deepEqual(await response.json(), { book: { name: "archive/a/b", pages: 3 }, note: "n" });
  });

  it("bind maps and nested fields of the query, with any keys", async () => {
    const { seen, server } = await startLibrary();
    await using _ = server;
    const query = "labels.new=true&labels[old]=false&labels[__proto__]=true&book.name=x&book.pages=4";
    assert.equal((await fetch(`${server.url}/v1beta/shelves/1/books/2?${query}`)).status, 200);
    const labels = Object.defineProperty({ new: true, old: false }, "__proto__", {
      value: true,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    assert.deepEqual(seen, [
      { name: "shelves/1/books/2", labels, book: { $typeName: "test.v1beta.Book", name: "x", pages: 4 } },
    ]);
  });

  it("cannot bind a message or a list of messages to a query parameter", async () => {
    const { server } = await startLibrary();
    await using _ = server;
    const response = await fetch(`${server.url}/v1beta/shelves/1/books/2?book=x`);
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    assert.deepEqual(
      [error.code, error.message],
      [
        400,
        "Invalid JSON payload received. Unknown name \"book\": Cannot bind query parameter. 'book' is a message type. Parameters can only be bound to primitive types.",
      ],
    );
  });
});
