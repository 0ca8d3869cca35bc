import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ApiAuthenticationSchema } from "@frontdesk/protos/ces/auth";
import type { JsonObject } from "#base";
import { contextOf, documentOf, openApiTool, type ToolBench } from "./tool-bench.ts";

export type Auth = MessageInitShape<typeof ApiAuthenticationSchema>["authConfig"];

export const toolAt = (url: string, authConfig?: Auth, more: object = {}) =>
  openApiTool(documentOf(url, { "/x": { get: { operationId: "x", responses: {} } } }), {
    ...(authConfig && { apiAuthentication: { authConfig } }),
    ...more,
  });

/** What a tool without arguments answers. */
export async function answer(
  bench: ToolBench,
  tool: ReturnType<typeof toolAt>,
  variables: JsonObject = {},
  more: object = {},
) {
  return (await bench.run(tool, {}, contextOf(more, variables))).response;
}
