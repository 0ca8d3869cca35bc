import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createEgress } from "#base";
import { jsonService, openEgress, serve, testSearch } from "../__fixtures__/test-search.ts";
import { SearchError, type WebQuery } from "../contract.ts";
import type { WebSettings } from "../search-config.ts";

const query = (more: Partial<WebQuery> = {}): WebQuery => ({
  query: "opening hours",
  preferredDomains: [],
  excludedDomains: [],
  contextUrls: [],
  owner: "projects/p/locations/l/apps/a",
  egress: openEgress(),
  instructions: "",
  limit: 10,
  signal: new AbortController().signal,
  ...more,
});

async function searchWith(t: TestContext, web: WebSettings) {
  return testSearch(t, { web });
}

const shown = (hits: readonly { readonly title: string; readonly uri: string; readonly text: string }[]) =>
  hits.map(({ title, uri, text }) => [title, uri, text]);

describe("a web search", () => {
  it("by Programmable Search calls its JSON API, and returns only allowed domains", async (t) => {
    const { address, asked } = await jsonService(t, () => ({
      items: [
        { title: "Ours", link: "https://www.shop.example/hours", snippet: "Open at nine." },
        { title: "Evil", link: "https://shop.example.evil/", snippet: "No." },
        { title: "Blog", link: "https://blog.shop.example/", snippet: "No." },
      ],
    }));
    const search = await searchWith(t, { kind: "programmable", endpoint: address, apiKey: "key-1", engineId: "cx-1" });
    const answer = await search.web(
      query({ preferredDomains: ["shop.example", "x.example"], excludedDomains: ["blog.shop.example"] }),
    );
    assert.deepEqual(shown(answer.hits), [["Ours", "https://www.shop.example/hours", "Open at nine."]]);
    const q = "opening hours (site:shop.example OR site:x.example) -site:blog.shop.example";
    const url = asked[0]?.url;
    assert.equal(url?.pathname, "/customsearch/v1");
    assert.deepEqual(Object.fromEntries(url?.searchParams ?? []), { key: "key-1", cx: "cx-1", q, num: "10" });
    assert.deepEqual(answer.queries, [
      { query: "opening hours", uri: `https://cse.google.com/cse?${new URLSearchParams({ cx: "cx-1", q })}` },
    ]);
  });

  it("by Brave sends its token", async (t) => {
    const { address, asked } = await jsonService(t, () => ({
      web: {
        results: [
          {
            title: "<strong>Hours</strong>",
            url: "https://a.example/",
            description: "At <strong>nine</strong> &amp; ten.",
            extra_snippets: ["More."],
          },
        ],
      },
    }));
    const search = await searchWith(t, { kind: "brave", endpoint: address, apiKey: "key-2" });
    const { hits } = await search.web(query());
    assert.deepEqual(shown(hits), [["Hours", "https://a.example/", "At nine & ten. More."]]);
    assert.deepEqual(
      [asked[0]?.url.pathname, asked[0]?.headers["x-subscription-token"], asked[0]?.url.searchParams.get("q")],
      ["/res/v1/web/search", "key-2", "opening hours"],
    );
  });

  it("by SearXNG calls an instance, which may be in a private network", async (t) => {
    const { address, asked } = await jsonService(t, () => ({
      results: [
        { title: "Hours", url: "https://a.example/", content: "At nine." },
        { title: "No address", url: "javascript:alert(1)", content: "No." },
      ],
    }));
    const search = await searchWith(t, { kind: "searxng", endpoint: `${address}/` });
    assert.deepEqual(shown((await search.web(query())).hits), [["Hours", "https://a.example/", "At nine."]]);
    assert.deepEqual(Object.fromEntries(asked[0]?.url.searchParams ?? []), { q: "opening hours", format: "json" });
  });

  const grounded = (domain: string) => ({
    candidates: [
      {
        content: { role: "model", parts: [{ text: "thinking", thought: true }, { text: "It opens at nine." }] },
        groundingMetadata: {
          webSearchQueries: ["shop opening hours"],
          searchEntryPoint: { renderedContent: "<style>.chip{}</style><div>shop opening hours</div>" },
          groundingChunks: [
            { web: { uri: "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x", title: domain } },
          ],
          groundingSupports: [
            { segment: { startIndex: 0, endIndex: 17, text: "It opens at nine." }, groundingChunkIndices: [0] },
          ],
        },
      },
    ],
  });
  const gemini = (endpoint: string): Extract<WebSettings, { kind: "gemini" }> => ({
    kind: "gemini",
    model: "gemini-2.5-flash",
    endpoint,
    access: { kind: "api-key", apiKey: "a-key-3" },
  });

  it("by Gemini returns its answer, its sources and its suggestions", async (t) => {
    const { address, asked } = await jsonService(t, () => grounded("shop.example"));
    const search = await searchWith(t, gemini(address));
    const answer = await search.web(query({ instructions: "Be brief.", preferredDomains: ["shop.example"] }));
    assert.deepEqual(answer, {
      answer: "It opens at nine.",
      hits: answer.hits,
      suggestionHtml: ["<style>.chip{}</style><div>shop opening hours</div>"],
      queries: [{ query: "shop opening hours", uri: "https://www.google.com/search?q=shop+opening+hours" }],
      unread: [],
    });
    assert.deepEqual(shown(answer.hits), [
      ["shop.example", "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x", "It opens at nine."],
    ]);
    assert.deepEqual(
      [asked[0]?.url.pathname, asked[0]?.headers["x-goog-api-key"], asked[0]?.body],
      [
        "/v1beta/models/gemini-2.5-flash:generateContent",
        "a-key-3",
        {
          contents: [{ role: "user", parts: [{ text: "opening hours" }] }],
          tools: [{ googleSearch: {} }],
          systemInstruction: { parts: [{ text: "Be brief.\nUse only results from these domains: shop.example." }] },
        },
      ],
    );
  });

  it("by Gemini on Vertex AI excludes domains by name, with Google Cloud credentials", async (t) => {
    const { address, asked } = await jsonService(t, () => grounded("a.example"));
    const access = { kind: "vertex" as const, project: "p", location: "global" };
    const search = await searchWith(t, { ...gemini(address), access });
    await search.web(query({ excludedDomains: ["rival.example"] }));
    const body = asked[0]?.body as { readonly tools: unknown };
    assert.deepEqual(
      [asked[0]?.url.pathname, asked[0]?.headers.authorization, body.tools],
      [
        "/v1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent",
        "Bearer token-1",
        [{ googleSearch: { excludeDomains: ["rival.example"] } }],
      ],
    );
  });

  it("by Gemini drops an answer with a source of an excluded domain", async (t) => {
    const { address } = await jsonService(t, () => grounded("rival.example"));
    const search = await searchWith(t, gemini(address));
    const { answer, hits } = await search.web(query({ excludedDomains: ["rival.example"] }));
    assert.deepEqual([answer, hits], ["", []]);
  });

  it("that is rejected reports why, without the key", async (t) => {
    const { address } = await jsonService(t, () => ({ error: { message: "API key a-key-3 is not valid." } }), 400);
    const search = await searchWith(t, gemini(address));
    await assert.rejects(search.web(query()), {
      name: "SearchError",
      message: "Gemini answers with status 400: API key [credential] is not valid.",
    });
  });

  it("that gets a web page or nothing reports it", async (t) => {
    const page = await serve(t, (_, response) => response.end("<html>Sign in</html>"));
    const search = await searchWith(t, { kind: "searxng", endpoint: page });
    await assert.rejects(search.web(query()), /SearXNG answers with invalid JSON/);
    const gone = await searchWith(t, { kind: "searxng", endpoint: "http://127.0.0.1:9" });
    await assert.rejects(gone.web(query()), /SearXNG cannot be reached: .*127.0.0.1:9/);
  });

  it("that is not configured names the setting", async (t) => {
    const search = await testSearch(t, {});
    await assert.rejects(
      search.web(query()),
      (error) => error instanceof SearchError && /set search.web in the configuration file/.test(error.message),
    );
  });
});

describe("the context pages of a Google search tool", () => {
  it("are read through the app's egress gate, as text without scripts", async (t) => {
    let requests = 0;
    const address = await serve(t, (request, response) => {
      requests++;
      if (request.url === "/moved")
        return void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
      if (request.url === "/huge") return void response.end("x".repeat(11 * 1024 * 1024));
      if (request.url === "/app")
        return void response.writeHead(200, { "content-type": "application/octet-stream" }).end("x");
      response
        .setHeader("content-type", "text/html")
        .end("<title>Hours</title><script>x</script><p>The opening hours are nine to five.</p>");
    });
    const search = await testSearch(t, {});
    const contextUrls = ["/page", "/moved", "/huge", "/app"].map((path) => address + path);
    const { hits, unread } = await search.web(query({ contextUrls }));
    assert.deepEqual(shown(hits), [["Hours", `${address}/page`, "The opening hours are nine to five."]]);
    assert.deepEqual(
      unread.map(
        (each) => /(169\.254\.169\.254' are refused|larger than 10485760 bytes|which is not supported)/.exec(each)?.[1],
      ),
      ["169.254.169.254' are refused", "larger than 10485760 bytes", "which is not supported"],
    );
    const before = requests;
    await search.web(query({ contextUrls: [`${address}/page`] }));
    assert.equal(requests, before);
  });

  it("cannot be read when the gate refuses them", async (t) => {
    const search = await testSearch(t, {});
    const egress = createEgress({ allowedPrivateHosts: [] });
    t.after(() => egress.close());
    await assert.rejects(
      search.web(query({ contextUrls: ["http://127.0.0.1:9/page"], egress })),
      (error) =>
        error instanceof SearchError &&
        /^No context page could be read \(.*Requests to '127.0.0.1' are refused.*\)\. No web search is configured/.test(
          error.message,
        ),
    );
  });
});
