import { readFileSync } from "node:fs";

/** The version of the package, as clients and collectors are told it. */
export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
