import type { ChannelProfile_WebWidgetConfig_SecuritySettings as SecuritySettings } from "@frontdesk/protos/ces/common";
import { type ConnectError, permissionDenied } from "#status";

/**
 * Header with which the listener marks requests of web pages that are neither this server's own nor allowed by the operator. Such a
 * page may do only what a deployment allows it. The listener removes this header from incoming requests.
 */
export const EMBEDDED_PAGE = "x-frontdesk-embedded-page";

/** The origin of such a page; undefined for all other callers. */
export function embeddedPage(headers: Pick<ReadonlyMap<string, string>, "has" | "get">): string | undefined {
  return headers.has(EMBEDDED_PAGE) ? (headers.get("origin") ?? "") : undefined;
}

/** Whether a deployment allows the origin to embed its widget (proto comments of `SecuritySettings`). */
export function allowsOrigin(settings: SecuritySettings | undefined, origin: string): boolean {
  return settings?.enableOriginCheck === true && settings.allowedOrigins.some((allowed) => sameOrigin(allowed, origin));
}

/** PERMISSION_DENIED for a page that no deployment allows. */
export function originNotAllowed(origin: string): ConnectError {
  const isSandboxed = origin === "null";
  const page = isSandboxed
    ? "Pages without an origin"
    : origin
      ? `Pages of ${origin}`
      : "Callers without an Origin header";
  const rule = isSandboxed
    ? "The frame around the page is sandboxed: let its sandbox attribute have allow-same-origin."
    : "Add the origin to its allowed_origins, and set enable_origin_check.";
  return permissionDenied(`${page} may not embed the widget of this deployment. ${rule}`, {
    reason: "ORIGIN_NOT_ALLOWED",
  });
}

/** Case and a slash at the end do not matter: people write both. */
function sameOrigin(allowed: string, origin: string): boolean {
  return allowed.replace(/\/$/, "").toLowerCase() === origin.toLowerCase();
}
