/** Addresses of the web only: what else a link could carry would run in this page or leave the browser. */
export function webLink(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return protocol === "https:" || protocol === "http:" ? href : undefined;
  } catch {
    return undefined;
  }
}
