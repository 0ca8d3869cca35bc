import { create, type Message } from "@bufbuild/protobuf";
import { AgentService, GetToolRequestSchema, UpdateToolRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { type CallContext, INTERNAL_REVISION, type Registry, withValidateOnly } from "#rpc";
import { failedPrecondition } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { splitTarget } from "../http/request-target.ts";
import { headersWithParameters, senderOf } from "../http/sender.ts";
import { uploadHandler } from "./upload-exchange.ts";

/** A file in responses. */
interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** A file search tool by its app's resource name and its own display name. */
interface FileSearchTool {
  readonly app: string;
  readonly tool: string;
}

interface FilesDeps extends ProtocolDeps {
  /** The stored files. Errors are `ConnectError`s. */
  readonly files: {
    list(tool: FileSearchTool): Promise<readonly StoredFile[]>;
    put(tool: FileSearchTool, name: string, bytes: Uint8Array): Promise<StoredFile>;
    remove(tool: FileSearchTool, name: string): Promise<void>;
  };
  /** Largest file, bytes. */
  readonly maxFileBytes: number;
}

/** How long a file may take to arrive, milliseconds: connections may be slow. */
const BODY_TIMEOUT_MS = 600_000;

/** `/upload/v1beta/{tool}/files` and `…/files/{name}`, v1 as well. */
const PATH =
  /^\/upload\/v1(?:beta)?\/(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/tools\/[^/]+)\/files(?:\/([^/]*))?$/;

/**
 * The files of file search tools, for which the API has no method: GET lists them, PUT stores one, DELETE deletes one. Callers who may
 * get the tool may list them, and callers who may update the tool may change them: the registered methods are called first, and change
 * nothing.
 */
export function createFilesHandler(registry: Registry, { files, maxFileBytes, ...deps }: FilesDeps): HttpHandler {
  const resolved = resolveDeps({ ...deps, limits: { maxBodyBytes: maxFileBytes, bodyTimeoutMs: BODY_TIMEOUT_MS } });

  const serve = async (exchange: Exchange): Promise<object> => {
    const { request } = exchange;
    const { tool: toolName, file } = readPath(request.url ?? "");
    const sender = await senderOf(exchange, resolved, { headers: headersWithParameters(request) });
    const context = contextOf(exchange, sender, "rest", INTERNAL_REVISION, resolved.logger);
    const tool = (await call("getTool", create(GetToolRequestSchema, { name: toolName }), context)) as Tool;
    const owner = ownerOf(tool);
    if (request.method === "GET" && file === "") return { files: (await files.list(owner)).map(toJson) };
    if ((request.method !== "PUT" && request.method !== "DELETE") || file === "")
      throw methodNotAllowed(request.method);
    const change = create(UpdateToolRequestSchema, { tool, updateMask: { paths: ["tool_fake_config"] } });
    await call("updateTool", change, withValidateOnly(context));
    if (request.method === "PUT") return toJson(await files.put(owner, file, await readBody(request, resolved.limits)));
    await files.remove(owner, file);
    return {};
  };

  const call = (method: "getTool" | "updateTool", message: Message, context: CallContext): Promise<Message> => {
    const registered = registry.find(`/${AgentService.typeName}/${AgentService.method[method].name}`);
    if (!registered) throw new HttpError(404, "NOT_FOUND", "This server has no tools.");
    return registry.unary(registered, message, context);
  };

  return uploadHandler(resolved, "tool files", serve);
}

function readPath(url: string): { readonly tool: string; readonly file: string } {
  const { path } = splitTarget(url);
  const [, tool = "", file = ""] = PATH.exec(path) ?? [];
  try {
    if (tool !== "") return { tool: decodeURIComponent(tool), file: decodeURIComponent(file) };
  } catch {
    // A malformed escape is 404, like an unknown path.
  }
  throw new HttpError(
    404,
    "NOT_FOUND",
    `Not found: ${path}. The files of a tool are at /upload/v1beta/projects/*/locations/*/apps/*/tools/*/files/{name}.`,
  );
}

/** Only a tool without a corpus has files of its own; the operator fills the folder of a corpus. */
function ownerOf({ name, displayName, toolType }: Tool): FileSearchTool {
  const [app = "", id = ""] = name.split("/tools/");
  if (toolType.case !== "fileSearchTool") throw notManaged(`The tool '${displayName}' is not a file search tool`, name);
  const { fileCorpus } = toolType.value;
  if (fileCorpus !== "")
    throw notManaged(`The tool searches the corpus '${fileCorpus}', a folder that the operator fills`, name);
  return { app, tool: displayName || id };
}

function notManaged(why: string, tool: string): Error {
  return failedPrecondition(`${why}; it has no files of its own.`, { reason: "TOOL_HAS_NO_FILES", metadata: { tool } });
}

function methodNotAllowed(method = ""): HttpError {
  const allow = "GET, PUT, DELETE";
  return new HttpError(
    405,
    "UNIMPLEMENTED",
    `${method} is not allowed here. Use GET to list files, PUT and DELETE with the name of a file.`,
    { allow },
  );
}

function toJson({ name, sizeBytes, changedAt }: StoredFile): object {
  return { name, sizeBytes: String(sizeBytes), updateTime: new Date(changedAt).toISOString() };
}
