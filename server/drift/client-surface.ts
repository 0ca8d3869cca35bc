import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a generated client of `googleapis` declares of one revision of an API. */
export interface ClientSurface {
  readonly revision: string;
  readonly methods: readonly ClientMethod[];
  /** By the name of the schema, `Schema$` left out: `SessionOutput`, `AgentRemoteA2aAgent`. */
  readonly messages: ReadonlyMap<string, readonly ClientField[]>;
  /** Query parameters that every method has: `alt`, `$.xgafv`. */
  readonly standardParameters: readonly ClientField[];
}

export interface ClientMethod {
  /** `projects.locations.apps.assistantSessions.create` */
  readonly id: string;
  readonly httpMethod: string;
  /** With the client's own variables: `/v1/{+parent}/apps`. */
  readonly path: string;
  /** Values of the path's variables, from the client's own example. */
  readonly example: Readonly<Record<string, string>>;
  readonly query: readonly ClientField[];
  /** Schema of the body; undefined: none. */
  readonly body: string | undefined;
  /** Schema of the response. */
  readonly response: string;
}

export interface ClientField {
  readonly name: string;
  /** `string`, `number[]`, a schema's name, `{any}` for objects with keys of any name. */
  readonly type: string;
  readonly text: string;
}

/** Reads `build/src/apis/<api>/<revision>.d.ts` and the request paths of the `.js` beside it. Throws where the files have a shape that it does not know. */
export function readClientSurface(folder: string, api: string, revision: string): ClientSurface {
  const declarations = readFileSync(join(folder, `${revision}.d.ts`), "utf8");
  const interfaces = readInterfaces(declarations);
  const examples = readExamples(declarations, api);
  const requests = readRequests(readFileSync(join(folder, `${revision}.js`), "utf8"));
  const responses = readResponses(declarations);
  const methods = requests.map((request): ClientMethod => {
    const example = examples.get(request.key);
    const parameters = interfaces.get(`Params$${request.parameters}`);
    const response = responses.get(request.parameters);
    if (!example || !parameters || !response)
      throw new Error(`${revision} ${request.key}: no example, no parameters or no response`);
    const isInPath = ({ name }: ClientField) => request.path.includes(`{+${name}}`);
    const body = parameters.find(({ name }) => name === "requestBody")?.type;
    return {
      id: example.id,
      httpMethod: request.httpMethod,
      path: request.path,
      example: example.values,
      query: parameters.filter((field) => field.name !== "requestBody" && !isInPath(field)),
      body,
      response,
    };
  });
  const messages = [...interfaces].flatMap(([name, fields]) =>
    name.startsWith("Schema$") ? [[name.slice("Schema$".length), fields] as const] : [],
  );
  return {
    revision,
    methods,
    messages: new Map(messages),
    standardParameters: interfaces.get("StandardParameters") ?? [],
  };
}

/** The words that comments write like values of an enum, `SENSITIVE_WORDS`: the client declares all enums as strings and lists no values. */
export function valuesInComments({ messages }: ClientSurface): ReadonlySet<string> {
  const texts = [...messages.values()].flatMap((fields) => fields.map(({ text }) => text));
  return new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []));
}

/** The interfaces by name with their members. Classes have none that matter. */
function readInterfaces(source: string): ReadonlyMap<string, readonly ClientField[]> {
  const found = source.matchAll(/^ {4}(?:export )?interface (\S+)[^{\n]*\{\n([\s\S]*?)^ {4}\}$/gm);
  return new Map([...found].map(([, name = "", body = ""]) => [name, readMembers(name, body)]));
}

const MEMBER = /(?:^ {8}\/\*\*\n([\s\S]*?)^ {9}\*\/\n)?^ {8}'?([\w$.]+)'?\?: ((?:Array<)?\{[^}]*\}[^;]*|[^;{]+);$/gm;

function readMembers(owner: string, body: string): readonly ClientField[] {
  const members = [...body.matchAll(MEMBER)].map(([, text = "", name = "", type = ""]) => ({
    name,
    type: plainType(type),
    text: text.replace(/^\s*\* ?/gm, "").trim(),
  }));
  const declared = body.match(/^ {8}\S+\?: /gm)?.length ?? 0;
  if (members.length !== declared) throw new Error(`${owner}: ${declared} members, ${members.length} of them read`);
  return members;
}

/** `Schema$App[] | null` → `App[]`. */
function plainType(type: string): string {
  return type
    .replace(/\s+/g, " ")
    .replace(/ \| null/g, "")
    .replace(/Schema\$/g, "")
    .replace(/\{ \[key: string\]: ([^;]+); \}/g, "{$1}")
    .replace(/^Array<(.*)>$/, "$1[]")
    .trim();
}

interface Request {
  /** The method as the classes name it, lower-case: `projects.locations.apps.assistantsessions.create`. */
  readonly key: string;
  readonly parameters: string;
  readonly httpMethod: string;
  readonly path: string;
}

/** The requests that the client's code makes. */
function readRequests(source: string): readonly Request[] {
  const requests: Request[] = [];
  let resource = "";
  let method = "";
  let path = "";
  const parts = source.matchAll(
    /class Resource\$(\S+) \{|^ {8}(\w+)\(paramsOrCallback|url: \(rootUrl \+\s+'([^']+)'\)|method: '(\w+)'/gm,
  );
  for (const [, className, methodName, url, httpMethod] of parts) {
    resource = className ?? resource;
    method = methodName ?? method;
    path = url ?? path;
    if (httpMethod === undefined) continue;
    const parameters = `Resource$${resource}$${method.charAt(0).toUpperCase()}${method.slice(1).toLowerCase()}`;
    requests.push({ key: `${resource.replaceAll("$", ".")}.${method}`.toLowerCase(), parameters, httpMethod, path });
  }
  return requests;
}

/** The schemas of responses, by the interface of the parameters. */
function readResponses(source: string): ReadonlyMap<string, string> {
  const promises = source.matchAll(
    /params\?: Params\$(\S+), options\?: MethodOptions\): Promise<GaxiosResponseWithHTTP2<(?:Schema\$)?(\w+)>>/g,
  );
  return new Map([...promises].map(([, parameters = "", response = ""]) => [parameters, response]));
}

interface Example {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The examples in comments: they have the names of collections as they are written in paths, and values of the path's variables. */
function readExamples(source: string, api: string): ReadonlyMap<string, Example> {
  const calls = source.matchAll(
    new RegExp(`await ${api}\\.([\\w.]+)\\(\\s*(?:\\* +)?\\{\\n([\\s\\S]*?)^ +\\* +\\}?\\);$`, "gm"),
  );
  return new Map(
    [...calls].map(([, id = "", body = ""]) => {
      const before = body.split("requestBody:")[0] ?? "";
      const values = [...before.matchAll(/^ +\* +'?([\w$.]+)'?:\s+(?:\* +)?'([^']*)',$/gm)];
      return [
        id.toLowerCase(),
        { id, values: Object.fromEntries(values.map(([, name, value]) => [name ?? "", value ?? ""])) },
      ];
    }),
  );
}
