import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jsonService, question, STORES, testSearch } from "./__fixtures__/test-search.ts";

const STORE = `${STORES}/hosted`;
/** Answers as `SearchService.Search` gives them: a document with segments, a record, a chunk. */
const RESULTS = {
  results: [
    {
      id: "1",
      document: {
        name: `${STORE}/branches/0/documents/1`,
        derivedStructData: {
          title: "Returns",
          link: "gs://bucket/returns.pdf",
          extractive_segments: [{ content: "Send shoes back within 30 days.", pageNumber: 2 }],
          snippets: [{ snippet: "Send <b>shoes</b> back", snippet_status: "SUCCESS" }],
        },
      },
    },
    {
      id: "2",
      document: {
        name: `${STORE}/branches/0/documents/2`,
        derivedStructData: {
          title: "Web",
          link: "https://x.example/",
          snippets: [{ snippet: "Old <b>shoes</b> &amp; new" }],
        },
      },
    },
    { id: "3", document: { structData: { question: "Any boots?", answer: "Yes.", url: "https://x.example/boots" } } },
    { chunk: { name: "c", content: "A chunk.", documentMetadata: { uri: "https://x.example/c", title: "Chunked" } } },
  ],
  totalSize: 4,
};

describe("Vertex AI Search", () => {
  it("searches a data store that is not on this machine, and its results become passages", async (t) => {
    const { address, asked } = await jsonService(t, () => RESULTS);
    const search = await testSearch(t, { vertex: { endpoint: address } });
    const day = 86_400_000;
    const { hits } = await search.stores(
      question("shoes", "hosted", {
        source: { kind: "stores", stores: [{ name: STORE, filter: "price < 5" }] },
        filter: 'lang: ANY("en")',
        boosts: [
          { stores: [STORE], condition: 'lang: ANY("en")', amount: 0.5 },
          {
            stores: [STORE],
            condition: "",
            amount: { kind: "freshness", field: "made", points: [{ at: 5 * day, amount: 1 }] },
          },
          { stores: [`${STORE}-other`], condition: "", amount: 1 },
        ],
      }),
    );
    assert.deepEqual(
      hits.map(({ title, uri, text }) => [title, uri, text]),
      [
        ["Returns", "gs://bucket/returns.pdf", "Send shoes back within 30 days."],
        ["Web", "https://x.example/", "Old shoes & new"],
        ["Any boots?", "https://x.example/boots", "Yes."],
        ["Chunked", "https://x.example/c", "A chunk."],
      ],
    );
    const [request] = asked;
    assert.equal(request?.url.pathname, `/v1/${STORE}/servingConfigs/default_search:search`);
    assert.equal(request?.headers.authorization, "Bearer token-1");
    assert.deepEqual(request?.body, {
      query: "shoes",
      pageSize: 10,
      filter: '(price < 5) AND (lang: ANY("en"))',
      boostSpec: {
        conditionBoostSpecs: [
          { condition: 'lang: ANY("en")', boost: 0.5 },
          {
            boostControlSpec: {
              fieldName: "made",
              attributeType: "FRESHNESS",
              interpolationType: "LINEAR",
              controlPoints: [{ attributeValue: "T432000S", boostAmount: 1 }],
            },
          },
        ],
      },
      contentSearchSpec: {
        snippetSpec: { returnSnippet: true },
        extractiveContentSpec: { maxExtractiveAnswerCount: 1, maxExtractiveSegmentCount: 1 },
      },
      queryExpansionSpec: { condition: "AUTO" },
      spellCorrectionSpec: { mode: "AUTO" },
    });
  });

  it("searches an engine, with some of its stores and a filter of each", async (t) => {
    const { address, asked } = await jsonService(t, () => ({}));
    const search = await testSearch(t, { vertex: { endpoint: address } });
    const engine = STORE.replace(/dataStores.*/, "engines/all");
    const boosts = [{ stores: [STORE], condition: "", amount: 1 }];
    const source = { kind: "engine" as const, engine, stores: [{ name: STORE, filter: "a = 1" }], filter: "not used" };
    assert.deepEqual((await search.stores(question("x", "", { source, boosts }))).hits, []);
    const body = asked[0]?.body as Record<string, unknown>;
    assert.equal(asked[0]?.url.pathname, `/v1/${engine}/servingConfigs/default_search:search`);
    assert.deepEqual(
      [body.filter, body.dataStoreSpecs],
      [undefined, [{ dataStore: STORE, filter: "a = 1", boostSpec: { conditionBoostSpecs: [{ boost: 1 }] } }]],
    );
  });

  it("is quoted without the token when it rejects a request", async (t) => {
    const denied = { error: { code: 403, message: "Permission denied for token-1.", status: "PERMISSION_DENIED" } };
    const { address } = await jsonService(t, () => denied, 403);
    const search = await testSearch(t, { vertex: { endpoint: address } });
    await assert.rejects(search.stores(question("x", "hosted")), {
      name: "SearchError",
      message: "Vertex AI Search answers with status 403: Permission denied for [credential].",
    });
  });
});
