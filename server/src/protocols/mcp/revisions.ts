/** Revisions of MCP with an `initialize` handshake that this server speaks, the newest first. It keeps no session for any. */
export const LEGACY_REVISIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** Revisions in which every request says by itself which revision it is of. */
export const MODERN_REVISIONS: readonly string[] = ["2026-07-28"];

/** Every revision that the server speaks, the newest first. */
export const REVISIONS: readonly string[] = [...MODERN_REVISIONS, ...LEGACY_REVISIONS];

/** How a client speaks: with a handshake somewhere before, or with all that is needed in each request. */
export type Era = "legacy" | "modern";
