/** How many copies of an app there can be. */
export const MAX_COPIES = 99_999;

/** The name of a copy of an app, from 1. It is as long as the app's, so that it can stand in its place in stored messages. */
export function appCopy(app: string, at: number): string {
  const digits = String(at).padStart(5, "0");
  return app.slice(0, -digits.length) + digits;
}
