import type { ModelRequest } from "#models";

/** The request with one more block at the end of its system prompt; "" adds nothing. */
export function appendToPrompt(request: ModelRequest, block: string): ModelRequest {
  if (block === "") return request;
  return { ...request, system: request.system === "" ? block : `${request.system}\n\n${block}` };
}
