/**
 * Thought signatures belong to the provider that made them, and a conversation may change its model. Gemini's are base64
 * and are stored unmarked, as Google's own clients do; those of other providers are marked with the provider's name.
 */
export function markSignature(provider: string, value: string): string {
  return `${provider}:${value}`;
}

/** What `markSignature` was given, or `undefined` for another provider's signature. */
export function ownSignature(provider: string, signature: string | undefined): string | undefined {
  return signature?.startsWith(`${provider}:`) ? signature.slice(provider.length + 1) : undefined;
}

/** The signature if it is unmarked, `undefined` if it is marked as another provider's. Base64 has no colon. */
export function bareSignature(signature: string | undefined): string | undefined {
  return signature?.includes(":") ? undefined : signature;
}
