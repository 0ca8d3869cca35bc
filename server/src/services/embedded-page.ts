import type { ChannelProfile_WebWidgetConfig_SecuritySettings as SecuritySettings } from "@frontdesk/protos/ces/common";
import { type ConnectError, permissionDenied } from "#status";

/**
 * Header by which the port marks a request of a web page that neither is this server's own nor was allowed by the operator: all
 * that such a page may do is what a deployment allows it. The port takes it off every request that comes in with it.
 */
export const EMBEDDED_PAGE = "x-frontdesk-embedded-page";

/** The origin of such a page; undefined for every other caller. */
export function embeddedPage(headers: Pick<ReadonlyMap<string, string>, "has" | "get">): string | undefined {
  return headers.has(EMBEDDED_PAGE) ? (headers.get("origin") ?? "") : undefined;
}

/** Whether a deployment names the origin as one that may embed its widget (proto comments of `SecuritySettings`). */
export function allowsOrigin(settings: SecuritySettings | undefined, origin: string): boolean {
  return settings?.enableOriginCheck === true && settings.allowedOrigins.some((allowed) => sameOrigin(allowed, origin));
}

/** The refusal of a page that nothing allows. */
export function pageRefused(origin: string): ConnectError {
  const page = origin ? `Pages of ${origin}` : "Callers that name no origin";
  const rule = "Its allowed_origins, with enable_origin_check, say which may.";
  return permissionDenied(`${page} may not embed the widget of this deployment. ${rule}`, {
    reason: "ORIGIN_NOT_ALLOWED",
  });
}

/** An origin as people write it: case and a slash at the end do not matter. */
function sameOrigin(allowed: string, origin: string): boolean {
  return allowed.replace(/\/$/, "").toLowerCase() === origin.toLowerCase();
}
