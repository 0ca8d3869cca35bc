import { CommandError } from "./command.ts";

/** The example's name, what `frontdesk chat` talks to when nothing is named. */
export const DEFAULT_APP = "projects/local/locations/us/apps/order-desk";

/** A full app name from what a person types: a full name, or an id under the local project. */
export function appName(text: string | undefined): string {
  if (!text) return DEFAULT_APP;
  if (/^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+$/.test(text)) return text;
  if (!text.includes("/")) return `projects/local/locations/us/apps/${text}`;
  throw new CommandError(`'${text}' is not an app. Give an id, or projects/{project}/locations/{location}/apps/{app}.`);
}
