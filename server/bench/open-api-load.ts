import { create } from "@bufbuild/protobuf";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { stringify } from "yaml";
import { createLogger } from "#base";
import { createTools, type Tools } from "#tools";
import { say } from "./turns.ts";

const OPERATIONS = 200;
const SCHEMAS = 80;

/** Time to parse a document of 200 operations and to declare them all, the first time and again. */
export async function benchOpenApiLoad(): Promise<void> {
  const document = shopDocument();
  for (const [kind, text] of [
    ["JSON", JSON.stringify(document)],
    ["YAML", stringify(document)],
  ] as const) {
    const tools = createTools({
      sandbox: { run: refuse, inspect: refuse },
      egress: { fetch: refuse },
      logger: createLogger("silent"),
    });
    for (const run of ["first", "again"]) {
      const { openMs, declareMs, processorMs, count } = await load(tools, text);
      const size = `${Math.round(text.length / 1024)} KB`;
      say(
        `openapi ${kind}  ${run}   ${count} operations, ${size}: opened in ${openMs.toFixed(0)} ms, declared in ${declareMs.toFixed(0)} ms (${processorMs.toFixed(0)} ms of processor)`,
      );
    }
  }
}

const refuse = () => Promise.reject(new Error("nothing runs here"));

async function load(tools: Tools, openApiSchema: string) {
  const app = "projects/bench/locations/us/apps/bench";
  const toolset = create(ToolsetSchema, {
    name: `${app}/toolsets/shop`,
    displayName: "shop",
    toolsetType: { case: "openApiToolset", value: { openApiSchema } },
  });
  const processor = process.cpuUsage();
  const startedAt = performance.now();
  const members = await tools.open(toolset, { app, variables: {}, signal: new AbortController().signal });
  const openedAt = performance.now();
  await Promise.all(members.map(({ tool }) => tools.declare(tool)));
  const { user, system } = process.cpuUsage(processor);
  return {
    count: members.length,
    openMs: openedAt - startedAt,
    declareMs: performance.now() - openedAt,
    processorMs: (user + system) / 1_000,
  };
}

/** As documents of shops are: reads with parameters, writes with bodies, schemas that refer to each other. */
function shopDocument(): object {
  const schemas = Object.fromEntries(Array.from({ length: SCHEMAS }, (_, at) => [`Thing${at}`, thing(at)]));
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS / 2 }, (_, at) => [`/things${at}/{id}`, { get: read(at), put: write(at) }]),
  );
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example" }],
    paths,
    components: { schemas },
  };
}

function thing(at: number): object {
  const reference = (to: number) => ({ $ref: `#/components/schemas/Thing${to % SCHEMAS}` });
  return {
    type: "object",
    description: `A thing of kind ${at} with what belongs to it.`,
    required: ["id"],
    properties: {
      id: { type: "string", format: "uuid" },
      size: { type: "integer", minimum: 0 },
      state: { type: "string", enum: ["open", "closed", "lost"] },
      tags: { type: "array", items: { type: "string" } },
      ...(at % 4 !== 0 && { part: reference(at + 1) }),
    },
  };
}

function id(): object {
  return { name: "id", in: "path", required: true, description: "Which thing", schema: { type: "string" } };
}

function content(at: number): object {
  return { "application/json": { schema: { $ref: `#/components/schemas/Thing${at % SCHEMAS}` } } };
}

function read(at: number): object {
  const limit = { name: "limit", in: "query", description: "How many parts", schema: { type: "integer", default: 10 } };
  return {
    operationId: `readThing${at}`,
    summary: `Reads thing ${at} with all its parts.`,
    parameters: [id(), limit],
    responses: { 200: { description: "The thing", content: content(at) }, 404: { description: "There is none" } },
  };
}

function write(at: number): object {
  return {
    operationId: `writeThing${at}`,
    description: `Writes thing ${at} over what was there.`,
    parameters: [id()],
    requestBody: { required: true, content: content(at) },
    responses: { 200: { description: "The thing", content: content(at) } },
  };
}
