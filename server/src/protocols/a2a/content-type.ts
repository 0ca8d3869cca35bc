import { a2aError } from "#status";

/** Refuses a body that is not JSON by its own account: CONTENT_TYPE_NOT_SUPPORTED. A body without a content type is taken as JSON. */
export function requireJson(contentType = "application/json"): void {
  const [type = ""] = contentType.split(";");
  if (/^application\/(?:[\w.-]+\+)?json$/i.test(type.trim())) return;
  throw a2aError(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `The content type of a request is application/json or application/a2a+json, not ${type.trim().slice(0, 100)}.`,
  );
}
