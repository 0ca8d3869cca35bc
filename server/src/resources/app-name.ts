import { AppSchema } from "@frontdesk/protos/ces/app";
import { hasPattern, resourceTypeOf } from "#aip";

/** Segments of `projects/{project}/locations/{location}/apps/{app}`. */
const APP_SEGMENTS = 6;

/** The app that a resource name is, or lies below; undefined for names outside any app. */
export function appOf(name: string): string | undefined {
  const app = name.split("/").slice(0, APP_SEGMENTS).join("/");
  return resourceTypeOf(AppSchema)?.patterns.some((pattern) => hasPattern(pattern, app)) ? app : undefined;
}
