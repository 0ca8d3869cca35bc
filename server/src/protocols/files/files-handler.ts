import { create, type Message } from "@bufbuild/protobuf";
import { AgentService, GetToolRequestSchema, UpdateToolRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import {
  type CallContext,
  INTERNAL_REVISION,
  logFailedRequest,
  logRequest,
  type Registry,
  withValidateOnly,
} from "#rpc";
import { failedPrecondition } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, openExchange, wholeDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendRefusal } from "../http/send-refusal.ts";
import { renderError } from "../rest/error.ts";

/** A file as it is told. */
interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** A file search tool by its app's resource name and its own display name. */
interface FilesPlace {
  readonly app: string;
  readonly tool: string;
}

export interface FilesDeps extends ProtocolDeps {
  /** Where the files are. Refusals are `ConnectError`s. */
  readonly files: {
    list(place: FilesPlace): Promise<readonly StoredFile[]>;
    put(place: FilesPlace, name: string, bytes: Uint8Array): Promise<StoredFile>;
    remove(place: FilesPlace, name: string): Promise<void>;
  };
  /** Largest file, bytes. */
  readonly maxFileBytes: number;
}

/** How long a file may take to arrive, milliseconds: people have slow lines. */
const BODY_TIMEOUT_MS = 600_000;

/** `/upload/v1beta/{tool}/files` and `…/files/{name}`, v1 as well. */
const PATH =
  /^\/upload\/v1(?:beta)?\/(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/tools\/[^/]+)\/files(?:\/([^/]*))?$/;

/**
 * The files of file search tools, for which the API has no method: GET lists, PUT takes one, DELETE removes one. Who may look at the tool may list
 * them, and who may change the tool may change them: the registered methods are asked first, and change nothing.
 */
export function createFilesHandler(registry: Registry, { files, maxFileBytes, ...deps }: FilesDeps): HttpHandler {
  const whole = wholeDeps({ ...deps, limits: { maxBodyBytes: maxFileBytes, bodyTimeoutMs: BODY_TIMEOUT_MS } });

  const serve = async (exchange: Exchange): Promise<object> => {
    const { request } = exchange;
    const { tool: toolName, file } = readPath(request.url ?? "");
    const context = contextOf(exchange, "rest", INTERNAL_REVISION, whole.logger);
    const tool = (await call("getTool", create(GetToolRequestSchema, { name: toolName }), context)) as Tool;
    const place = placeOf(tool);
    if (request.method === "GET" && file === "") return { files: (await files.list(place)).map(toJson) };
    if ((request.method !== "PUT" && request.method !== "DELETE") || file === "") throw wrongMethod(request.method);
    const change = create(UpdateToolRequestSchema, { tool, updateMask: { paths: ["tool_fake_config"] } });
    await call("updateTool", change, withValidateOnly(context));
    if (request.method === "PUT") return toJson(await files.put(place, file, await readBody(request, whole.limits)));
    await files.remove(place, file);
    return {};
  };

  const call = (method: "getTool" | "updateTool", message: Message, context: CallContext): Promise<Message> => {
    const registered = registry.find(`/${AgentService.typeName}/${AgentService.method[method].name}`);
    if (!registered) throw new HttpError(404, "NOT_FOUND", "There are no tools here.");
    return registry.unary(registered, message, context);
  };

  const refuse = async (exchange: Exchange, error: unknown): Promise<void> => {
    const { request, response, requestId, startedAt } = exchange;
    const line = { method: `${request.method} tool files`, protocol: "rest", requestId, startedAt } as const;
    if (error instanceof HttpError) logRequest(whole.logger, whole.clock, line, error.body.error.status);
    else logFailedRequest(whole.logger, whole.clock, line, error);
    if (response.destroyed) return;
    const { httpStatus, body, headers } = renderError(error);
    await sendRefusal(request, response, httpStatus, JSON.stringify(body), headers);
  };

  return (request, response) => {
    const exchange = openExchange(request, response, whole);
    serve(exchange)
      .then((answer) => sendJson(request, response, 200, JSON.stringify(answer)))
      .catch((error: unknown) => refuse(exchange, error))
      .catch((error: unknown) => {
        whole.logger.error({ err: error, requestId: exchange.requestId }, "an answer could not be sent");
        response.destroy();
      });
  };
}

function readPath(url: string): { readonly tool: string; readonly file: string } {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const [, tool = "", file = ""] = PATH.exec(path) ?? [];
  try {
    if (tool !== "") return { tool: decodeURIComponent(tool), file: decodeURIComponent(file) };
  } catch {
    // Told below, like a path that leads nowhere.
  }
  throw new HttpError(
    404,
    "NOT_FOUND",
    `There is nothing at ${path}; files of a tool are at /upload/v1beta/projects/*/locations/*/apps/*/tools/*/files/{name}.`,
  );
}

/** Only a tool without a corpus has files of its own; a corpus is a folder of the operator's. */
function placeOf({ name, displayName, toolType }: Tool): FilesPlace {
  const [app = "", id = ""] = name.split("/tools/");
  if (toolType.case !== "fileSearchTool") throw notManaged(`The tool '${displayName}' is no file search tool`, name);
  const { fileCorpus } = toolType.value;
  if (fileCorpus !== "")
    throw notManaged(`The tool searches the corpus '${fileCorpus}', whose folder is the operator's to fill`, name);
  return { app, tool: displayName || id };
}

function notManaged(why: string, tool: string): Error {
  return failedPrecondition(`${why}; it has no files of its own.`, { reason: "TOOL_HAS_NO_FILES", metadata: { tool } });
}

function wrongMethod(method = ""): HttpError {
  const allow = "GET, PUT, DELETE";
  return new HttpError(
    405,
    "UNIMPLEMENTED",
    `${method} is not allowed here; GET lists files, and PUT and DELETE take the name of one.`,
    { allow },
  );
}

function toJson({ name, sizeBytes, changedAt }: StoredFile): object {
  return { name, sizeBytes: String(sizeBytes), updateTime: new Date(changedAt).toISOString() };
}
