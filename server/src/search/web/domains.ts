/** Excluded domains that are put into a query; the others are taken out of its results. */
const EXCLUDED_IN_QUERY = 20;

/** A query that asks for some domains only, in the operators that every search engine has. */
export function withDomains(query: string, preferred: readonly string[], excluded: readonly string[]): string {
  const only = preferred.map((domain) => `site:${domainOf(domain)}`).join(" OR ");
  const without = excluded.slice(0, EXCLUDED_IN_QUERY).map((domain) => `-site:${domainOf(domain)}`);
  return [query, preferred.length > 1 ? `(${only})` : only, ...without].filter((part) => part !== "").join(" ");
}

/** Whether a result at this address may be shown: engines take operators as hints. A domain counts with its subdomains. */
export function isAllowed(address: string, preferred: readonly string[], excluded: readonly string[]): boolean {
  const host = domainOf(address);
  const within = (domain: string) => host === domainOf(domain) || host.endsWith(`.${domainOf(domain)}`);
  return (preferred.length === 0 || preferred.some(within)) && !excluded.some(within);
}

/** The host of an address, or a domain as people write it, without `www.`. */
function domainOf(text: string): string {
  const host = URL.parse(text)?.hostname || URL.parse(`https://${text}`)?.hostname || text;
  return host.toLowerCase().replace(/^www\./, "");
}
