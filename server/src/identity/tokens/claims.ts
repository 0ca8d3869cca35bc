/** A claim that is one text or several. */
export function listOf(claim: unknown): readonly string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((item) => typeof item === "string");
}

/** The scopes of a claim with spaces between them, or of a list; undefined for none. */
export function scopesOf(claim: unknown): readonly string[] | undefined {
  const scopes = listOf(claim)
    .flatMap((text) => text.split(" "))
    .filter((scope) => scope !== "");
  return scopes.length > 0 ? scopes : undefined;
}
