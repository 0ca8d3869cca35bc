/** Excluded domains in a query; results of the others are filtered afterwards. */
const EXCLUDED_IN_QUERY = 20;

/** A query limited to domains with the `site:` operator, which every search engine supports. */
export function withDomains(query: string, preferred: readonly string[], excluded: readonly string[]): string {
  const only = preferred.map((domain) => `site:${domainOf(domain)}`).join(" OR ");
  const without = excluded.slice(0, EXCLUDED_IN_QUERY).map((domain) => `-site:${domainOf(domain)}`);
  return [query, preferred.length > 1 ? `(${only})` : only, ...without].filter((part) => part !== "").join(" ");
}

/** Whether a result's domain is allowed, because engines treat operators as hints. A domain includes its subdomains. */
export function isAllowed(address: string, preferred: readonly string[], excluded: readonly string[]): boolean {
  const host = domainOf(address);
  const isSubdomain = (domain: string) => host === domainOf(domain) || host.endsWith(`.${domainOf(domain)}`);
  return (preferred.length === 0 || preferred.some(isSubdomain)) && !excluded.some(isSubdomain);
}

/** The host of a URL or domain, without `www.`. */
function domainOf(text: string): string {
  const host = URL.parse(text)?.hostname || URL.parse(`https://${text}`)?.hostname || text;
  return host.toLowerCase().replace(/^www\./, "");
}
