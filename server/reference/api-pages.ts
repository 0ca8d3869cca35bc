import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { classifyMethod, resourceTypeOf } from "#aip";
import type { ApiMethod } from "./api-methods.ts";
import { enumSection, fieldTable, messageSection, shortName, type Types } from "./api-types.ts";
import { cell, code, linkTo, paragraphs, prose, type ReferencePage, table } from "./markdown.ts";

const PRODUCTS: Readonly<Record<string, string>> = {
  agents: "apps and conversations",
  data: "questions to data",
  server: "this server",
};

const STREAMS: Readonly<Record<string, string>> = {
  unary: "one request, one answer",
  server_streaming: "one request, a stream of answers",
  bidi_streaming: "streams both ways",
  client_streaming: "a stream of requests, one answer",
};

/** A page for each collection: its methods on every protocol, then what they send and answer. */
export function apiPages(
  methods: readonly ApiMethod[],
  comments: ReadonlyMap<string, string>,
): readonly ReferencePage[] {
  const types = placeTypes(methods, comments);
  const pages = Map.groupBy(methods, ({ page }) => page);
  return [...pages].map(([path, own]) => apiPage(path, own, types));
}

function apiPage(path: string, methods: readonly ApiMethod[], types: Types): ReferencePage {
  const collection = path.split("/").at(-1) ?? "";
  const resources = methods.flatMap(({ registered }) => classifyMethod(registered.method)?.resource ?? []);
  const type = resources[0] && resourceTypeOf(resources[0]);
  const name = type?.plural ?? collection;
  const own = [...types.pageOf].filter(([, page]) => page === path).map(([described]) => described);
  const product = PRODUCTS[path.split("/").at(-2) ?? ""];
  const overview = methods.map(({ registered: { method }, routes, tools }) => [
    `[${method.name}](#${method.name.toLowerCase()})`,
    routes[0] ? code(`${routes[0].httpMethod} ${routes[0].template}`) : "gRPC only",
    tools.map(({ name }) => code(name)).join(", "),
  ]);
  const text = paragraphs(
    `# ${titleOf(name)} in the API`,
    `For programs that call the API of ${product}: every method of \`${name}\`, over REST, gRPC, Connect and MCP.${type ? ` Their names are ${code(type.patterns[0].text)}.` : ""}`,
    table(["method", "REST", "MCP tool"], overview),
    ...methods.map((method) => methodSection(method, types)),
    ...own.map((described) =>
      described.kind === "message" ? messageSection(described, path, types) : enumSection(described, types.comments),
    ),
  );
  return { path, title: titleOf(name), text };
}

function methodSection(api: ApiMethod, types: Types): string {
  const { registered, routes, revisions, tools, rule, page } = api;
  const { method, path } = registered;
  const rows = [
    ...routes.map(({ httpMethod, template, route }) => [
      "REST",
      `${code(`${httpMethod} ${template}`)}${bodyOf(route.body)}`,
    ]),
    ["gRPC, Connect", `${code(path.slice(1))}, ${STREAMS[method.methodKind]}`],
    ...tools.map(({ name, endpoint }) => ["MCP", `${code(name)} at ${code(endpoint)}`]),
    ["revisions", revisions.join(", ")],
    ...(rule?.permissions.length ? [["permission", rule.permissions.map(code).join(", ")]] : []),
    ["answer", typeLink(method.output, page, types)],
    [
      "errors",
      errorsOf(api)
        .map((name) => `[${name}](${linkTo(page, `reference/errors/${name}`)})`)
        .join(", "),
    ],
  ];
  return paragraphs(
    `## ${method.name}`,
    prose(types.comments.get(`${method.parent.typeName}.${method.name}`) ?? ""),
    table(["protocol", "how it is called"], rows),
    method.input.fields.length > 0 ? `### Fields of ${method.input.name}` : "It has no fields.",
    fieldTable(method.input, page, types),
  ).trim();
}

function bodyOf(body: string): string {
  if (body === "") return "";
  return body === "*" ? ", the body is the request" : `, the body is \`${body}\``;
}

/** What may be answered instead, by what the method is and what its request has. */
function errorsOf({ registered: { method } }: ApiMethod): readonly string[] {
  const kind = classifyMethod(method)?.kind;
  const named = method.input.fields.some(({ name }) => /^(name|parent|app|session|resource)$/.test(name));
  const hasEtag = kind === "update" || kind === "delete" || method.input.fields.some(({ name }) => name === "etag");
  return [
    "INVALID_ARGUMENT",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    ...(named ? ["NOT_FOUND"] : []),
    ...(kind === "create" ? ["ALREADY_EXISTS"] : []),
    ...(hasEtag ? ["ABORTED"] : []),
    ...(kind ? [] : ["FAILED_PRECONDITION"]),
    "RESOURCE_EXHAUSTED",
    "UNAVAILABLE",
  ];
}

function typeLink(type: DescMessage, page: string, { pageOf }: Types): string {
  const place = pageOf.get(type);
  if (place === undefined) return code(type.typeName);
  const anchor = shortName(type).toLowerCase().replaceAll(".", "");
  return `[${cell(shortName(type))}](${place === page ? `#${anchor}` : linkTo(page, place, anchor)})`;
}

/** `evaluationRuns` → `Evaluation runs`. */
function titleOf(collection: string): string {
  const words = collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Each type is on the page of its resource, else on the page whose methods are nearest to it. Requests are shown with their methods. */
function placeTypes(methods: readonly ApiMethod[], comments: ReadonlyMap<string, string>): Types {
  const pageOf = new Map<DescMessage | DescEnum, string>();
  const reached: [DescMessage | DescEnum, string][] = [];
  const reach = (type: DescMessage | DescEnum | undefined, page: string) => {
    if (!type || pageOf.has(type) || type.typeName.startsWith("google.protobuf.")) return;
    pageOf.set(type, page);
    reached.push([type, page]);
  };
  for (const { registered, page } of methods) reach(classifyMethod(registered.method)?.resource, page);
  const requests = methods.map(({ registered }) => registered.method.input);
  for (const [at, request] of requests.entries())
    for (const field of request.fields) reach(field.message ?? field.enum, methods[at]?.page ?? "");
  for (const { registered, page } of methods) reach(registered.method.output, page);
  for (const [type, page] of reached)
    if (type.kind === "message") for (const field of type.fields) reach(field.message ?? field.enum, page);
  for (const request of requests) pageOf.delete(request);
  return { pageOf, comments };
}
