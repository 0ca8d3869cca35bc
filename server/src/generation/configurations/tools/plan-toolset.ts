import { clone, create } from "@bufbuild/protobuf";
import {
  GenerateAppResourceRequest_ToolGenerationConfigSchema as ConfigSchema,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import { OpenApiToolsetSchema } from "@frontdesk/protos/ces/open_api_toolset";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { parseDocument, stringify } from "yaml";
import { z } from "zod";
import { isJsonObject, type JsonObject } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import { documentParts, MATERIAL_IS_DATA, materialOf } from "../../author/material.ts";
import { fileViolations, readDocuments } from "../../documents/read-documents.ts";
import { withoutKnown } from "../../improve/draft-problems.ts";
import { withResource } from "../agent/refined-resource.ts";
import { contextViolations } from "../context-violations.ts";
import { examined } from "../drafting.ts";
import type { Job, JobResult, PlanJob, Subject, Work } from "../job.ts";
import { type Operation, type OperationTexts, openApiDocument, operationsOf } from "./openapi-document.ts";
import { type OperationExample, readOperation } from "./operation-examples.ts";

const FIELD = "tool_generation_config";
const EXAMPLES = `${FIELD}.open_api_toolset_generation_config`;

/** Examples of one request. */
const MAX_EXAMPLES = 200;

/** A toolset that was read from examples. */
interface ReadToolset {
  readonly uri: string;
  readonly operations: readonly Operation[];
  readonly notes: readonly string[];
  readonly document: JsonObject | undefined;
}

/**
 * An OpenAPI toolset from examples of requests and responses (GEN-7). Schemas are inferred by rules, so it takes no model; where one is
 * configured and the request has a description or files, it writes what the operations and parameters mean.
 */
export const planToolset: PlanJob = ({ request, base }, { reader }): Job => {
  const { context, fileContexts } = request.toolGenerationConfig ?? create(ConfigSchema);
  const violations: FieldViolation[] = [
    ...contextViolations(context, `${FIELD}.context`),
    ...fileViolations(fileContexts, `${FIELD}.file_contexts`, reader),
  ];
  if (request.resource.case === "tool")
    violations.push({ field: "tool", description: "Examples of operations become a toolset; leave the tool out." });
  const toolset = readToolset(request, violations);
  if (!toolset || violations.length > 0) throw invalidArgument(violations);
  return {
    type: GenerationType.TOOL_CREATE,
    needsModel: false,
    run: (work) => generateToolset(toolset, { request, base, agent: undefined }, work),
  };
};

function readToolset(request: Subject["request"], violations: FieldViolation[]): ReadToolset | undefined {
  const config = request.toolGenerationConfig?.openApiToolsetGenerationConfig;
  if (!config) return undefined;
  const { uri, operationGenerationConfigs: configs } = config;
  if (!URL.canParse(uri) || !/^https?:$/.test(new URL(uri).protocol))
    violations.push({ field: `${EXAMPLES}.uri`, description: `'${uri}' is not an http or https address.` });
  if (configs.length > MAX_EXAMPLES) {
    const description = `There are ${configs.length} examples; at most ${MAX_EXAMPLES} in one request.`;
    violations.push({ field: `${EXAMPLES}.operation_generation_configs`, description });
    return undefined;
  }
  const document = givenDocument(request, violations);
  const examples: OperationExample[] = [];
  for (const [position, operation] of configs.entries()) {
    const read = readOperation(operation, `${EXAMPLES}.operation_generation_configs[${position}]`);
    if ("method" in read) examples.push(read);
    else violations.push(...read);
  }
  const operations = operationsOf(examples, operationIds(document));
  return { uri, operations, notes: examples.flatMap(({ notes }) => notes), document };
}

/** The document of the toolset in the request, to which operations are added. */
function givenDocument({ resource }: Subject["request"], violations: FieldViolation[]): JsonObject | undefined {
  if (resource.case !== "toolset") return undefined;
  const { toolsetType } = resource.value;
  if (toolsetType.case === undefined) return undefined;
  const text = toolsetType.case === "openApiToolset" ? toolsetType.value.openApiSchema : "";
  if (text === "" && toolsetType.case === "openApiToolset") return undefined;
  const parsed: unknown = text === "" ? undefined : parseDocument(text, { strict: true }).toJS({ maxAliasCount: 100 });
  if (isJsonObject(parsed)) return parsed;
  const field = "toolset.open_api_toolset.open_api_schema";
  violations.push({ field, description: "Operations can be added to an OpenAPI document only, in JSON or YAML." });
  return undefined;
}

function operationIds(document: JsonObject | undefined): ReadonlySet<string> {
  const items = isJsonObject(document?.paths) ? Object.values(document.paths) : [];
  const operations = items.flatMap((item) => (isJsonObject(item) ? Object.values(item) : []));
  return new Set(
    operations.flatMap((one) => (isJsonObject(one) && typeof one.operationId === "string" ? [one.operationId] : [])),
  );
}

async function generateToolset(read: ReadToolset, subject: Subject, work: Work): Promise<JobResult> {
  const { request, base } = subject;
  const { uri, operations, document } = read;
  const described = await describe(read, subject, work);
  const title = titleOf(request, uri);
  const schema = stringify(openApiDocument(document, { uri, title }, operations, described.texts), { lineWidth: 0 });
  const value = toolsetOf(request, title, schema);
  await work.progress("Checking the toolset.");
  const tree = withResource(base, { part: "toolsets", value }, work.ids.uuid());
  const named = tree.toolsets.find((one) => !base.toolsets.includes(one)) ?? value;
  const trying = { work, scope: { base }, goldens: "none" as const };
  const measured = withoutKnown(await examined(tree, trying), await examined(base, trying));
  return {
    resource: { case: "toolset", value: named },
    explained: {
      explanation: described.explanation || "The schemas were inferred from the examples.",
      changes: operations.map(({ method, path, operationId }) => `${method.toUpperCase()} ${path} is ${operationId}`),
      measured,
      notes: [...read.notes, ...described.notes],
    },
  };
}

/** A toolset of the request keeps everything but its document: credentials and TLS are its author's. */
function toolsetOf({ resource }: Subject["request"], displayName: string, openApiSchema: string): Toolset {
  const toolset = resource.case === "toolset" ? clone(ToolsetSchema, resource.value) : create(ToolsetSchema);
  toolset.displayName ||= displayName;
  if (toolset.toolsetType.case === "openApiToolset") toolset.toolsetType.value.openApiSchema = openApiSchema;
  else toolset.toolsetType = { case: "openApiToolset", value: create(OpenApiToolsetSchema, { openApiSchema }) };
  return toolset;
}

/** `https://api.shop.example/v2` → `api_shop_example`. */
function titleOf({ resource }: Subject["request"], uri: string): string {
  const given = resource.case === "toolset" ? resource.value.displayName : "";
  return given || new URL(uri).hostname.replaceAll(/[^A-Za-z0-9]+/g, "_");
}

const TextsShape = z.object({
  explanation: z.string().max(4_000),
  operations: z
    .array(
      z.object({
        operation_id: z.string(),
        summary: z.string().max(200),
        description: z.string().max(1_000).describe("When an agent should call it, and what it answers."),
        parameters: z.array(z.object({ name: z.string(), description: z.string().max(500) })).max(100),
      }),
    )
    .max(MAX_EXAMPLES),
});

interface Described {
  readonly texts: ReadonlyMap<string, OperationTexts>;
  readonly explanation: string;
  readonly notes: readonly string[];
}

/** What the operations mean, by a model; nothing where there is none, or nothing to know it from. */
async function describe({ operations }: ReadToolset, { request }: Subject, work: Work): Promise<Described> {
  const { context, fileContexts } = request.toolGenerationConfig ?? create(ConfigSchema);
  if (context.trim() === "" && fileContexts.length === 0) return { texts: new Map(), explanation: "", notes: [] };
  if (!work.author) {
    const note =
      "No language model is configured, so the description and the files were not used: operations have no texts.";
    return { texts: new Map(), explanation: "", notes: [note] };
  }
  const { documents, notes } = await readDocuments(fileContexts, `${FIELD}.file_contexts`, work.reader);
  await work.progress("Describing the operations.");
  const answer = await work.author.write(
    {
      caller: "describe operations",
      system: `${TASK}\n\n${MATERIAL_IS_DATA}`,
      material: materialOf([
        ["description", context],
        ...documentParts(documents),
        // Names only: examples may hold customers' data and keys.
        ["operations", JSON.stringify(operations.map(shownOperation), null, 1)],
      ]),
      shape: TextsShape,
    },
    work.signal,
  );
  const texts = answer.operations.map(
    ({ operation_id: operationId, ...rest }) => [operationId, { operationId, ...rest }] as const,
  );
  return { texts: new Map(texts), explanation: answer.explanation, notes };
}

const TASK =
  "You describe the operations of an HTTP API for agents that will call them, from <description> and the documents. Use the operation ids and parameter " +
  "names that <operations> has, and no others. Answer with JSON.";

function shownOperation({ operationId, method, path, examples }: Operation): object {
  const parameters = [...new Set(examples.flatMap((example) => example.parameters.map(({ name }) => name)))];
  return { operation_id: operationId, method, path, parameters };
}
