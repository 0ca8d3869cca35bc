import { create, toJson } from "@bufbuild/protobuf";
import { CreateDataFileRequestSchema, DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { type DataFile, DataFileSchema } from "@frontdesk/protos/gda/data_file";
import { INTERNAL_REVISION, type Registry } from "#rpc";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { headersWithParameters, senderOf } from "../http/sender.ts";
import { uploadHandler } from "./upload-exchange.ts";

interface DataFileUploadDeps extends ProtocolDeps {
  /** Largest file, bytes. */
  readonly maxDataFileBytes: number;
}

/** How long a file may take to arrive, milliseconds: connections may be slow. */
const BODY_TIMEOUT_MS = 600_000;

const PATH = /^\/upload\/v1(?:alpha|beta)?\/(projects\/[^/]+\/locations\/[^/]+)\/dataFiles$/;

/** `POST /upload/v1beta/projects/*\/locations/*\/dataFiles?displayName=…`: CreateDataFile with the content as the body of the request, so that a file may be larger than a message. */
export function createDataFileUpload(
  registry: Registry,
  { maxDataFileBytes, ...deps }: DataFileUploadDeps,
): HttpHandler {
  const resolved = resolveDeps({ ...deps, limits: { maxBodyBytes: maxDataFileBytes, bodyTimeoutMs: BODY_TIMEOUT_MS } });
  const serve = async (exchange: Exchange): Promise<object> => {
    const { request } = exchange;
    const url = new URL(request.url ?? "", "http://localhost");
    const parent = PATH.exec(decodeURIComponent(url.pathname))?.[1];
    if (parent === undefined)
      throw new HttpError(
        404,
        "NOT_FOUND",
        `Not found: ${url.pathname}. Files are uploaded to /upload/v1beta/projects/*/locations/*/dataFiles.`,
      );
    if (request.method !== "POST")
      throw new HttpError(405, "UNIMPLEMENTED", `${request.method} is not allowed here. POST the file.`, {
        allow: "POST",
      });
    const sender = await senderOf(exchange, resolved, { headers: headersWithParameters(request) });
    const context = contextOf(exchange, sender, "rest", INTERNAL_REVISION, resolved.logger);
    const registered = registry.find(`/${DataAgentService.typeName}/CreateDataFile`);
    if (!registered) throw new HttpError(404, "NOT_FOUND", "This server has no data agents.");
    const empty = create(CreateDataFileRequestSchema, {
      parent,
      dataFile: { displayName: url.searchParams.get("displayName") ?? "" },
    });
    const content = await readBody(request, resolved.limits);
    const file = await registry.unary(registered, create(CreateDataFileRequestSchema, { ...empty, content }), context);
    return toJson(DataFileSchema, file as DataFile) as object;
  };
  return uploadHandler(resolved, "data files", serve);
}

/** Whether a path below `/upload/` is that of data files. */
export function isDataFilePath(url: string): boolean {
  return /\/dataFiles(\?|$)/.test(url);
}
