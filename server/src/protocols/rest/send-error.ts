import type { Exchange } from "../http/exchange.ts";
import { sendEarly } from "../http/send-early.ts";
import { renderError } from "./error.ts";

/** Answers a request with an error; a response that has begun is broken off, so that nobody takes it for whole. */
export async function sendError({ request, response }: Exchange, error: unknown): Promise<void> {
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  const { httpStatus, body, headers } = renderError(error);
  await sendEarly(request, response, httpStatus, JSON.stringify(body), headers);
}
