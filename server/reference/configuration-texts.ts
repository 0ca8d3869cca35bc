import type { RemoteEngineName } from "#warehouse";

/** What a section is for that has the settings of a service of Google Cloud. */
const SERVICES = {
  dialogflow: ["Dialogflow", "agents of Dialogflow CX may hold conversations"],
  dlp: ["Cloud DLP", "Cloud DLP redacts what is stored, for apps that name its templates"],
  bigqueryExport: ["the export to BigQuery", "apps may write their turns to tables of BigQuery"],
  cloudLogging: ["the export to Cloud Logging", "apps may write their turns to logs of Cloud Logging"],
  cloudStorage: ["Cloud Storage", "callers may name objects of Cloud Storage in imports and exports"],
} as const;

/** Databases whose connection string is in a variable or a file. */
const DATABASES = {
  postgres: "PostgreSQL database",
  mysql: "MySQL or MariaDB database",
  clickhouse: "ClickHouse server",
  trino: "Trino catalog",
  redshift: "Redshift database",
  snowflake: "Snowflake database",
  databricks: "Databricks catalog",
  sqlserver: "SQL Server database",
} satisfies Readonly<Record<"postgres" | RemoteEngineName, string>>;

/** A meaning; with a default where that of a row is not the key's. */
type KeyText = string | readonly [meaning: string, fallback: string];

/**
 * What keys of the configuration file mean that have no row of their own in docs/configuration.md, as Markdown with links as in that page.
 * `.<name>` at the end of a key stands for each entry of a section by name.
 */
export const TEXTS: Readonly<Record<string, KeyText>> = {
  ...Object.fromEntries(Object.entries(SERVICES).flatMap(([key, [name, does]]) => serviceTexts(key, name, does))),
  ...Object.fromEntries(Object.entries(DATABASES).flatMap(([key, name]) => databaseTexts(key, name))),

  database: "the PostgreSQL database in which everything is stored, in place of the data folder",
  s3: "the bucket of an S3-compatible store in which files are kept",
  "s3.accessKeyEnv": "variable that has the access key, in place of `FRONTDESK_S3_ACCESS_KEY`",
  "s3.secretKeyEnv": "variable that has the secret key, in place of `FRONTDESK_S3_SECRET_KEY`",
  tls: "the certificate with which the port serves TLS next to plaintext",
  "tls.cert": "PEM file with the server's certificate and those of its authorities",
  "tls.key": "PEM file with the certificate's private key",

  egress: "what requests of Python and imported apps may reach besides public addresses",
  drainSeconds:
    "seconds that turns and asynchronous tool calls in flight get after SIGTERM, once no more calls are taken",

  outbound: "secrets, host names and limits of requests that tools make",
  "outbound.secrets.<name>": "one secret, by its full name, the part before `/versions/`, or its id: `env` or `file`",
  "outbound.secrets.<name>.env": "environment variable that holds the secret",
  "outbound.secrets.<name>.file": "file that holds the secret",
  "outbound.grants":
    "which apps may use which credentials where, see [What apps may use](#what-apps-may-use); everything else is denied",
  "outbound.grants[].credentials":
    "secrets and service accounts that are granted, `*` for any characters (default: all)",
  "outbound.grants[].apps": "apps that may use them, by resource name or id (default: all)",
  "outbound.grants[].hosts": "hosts to which they may be sent, `name` or `name:port` (default: all)",
  "outbound.serviceDirectory.<name>": "the `host:port` at which this service is reached; the port is 443 by default",

  "cloudLogging.project": "project of the log, for apps whose project is not one of Google's",
  "cloudStorage.buckets": "buckets whose objects callers may name in imports and exports; required",
  "cloudStorage.buckets[].name": "the bucket",
  "cloudStorage.buckets[].apps": "apps for which it is used: names, `*` at the end for all that begin so",

  connectors: "connections of connector tools",
  "connectors.google":
    "lets apps use connections of Integration Connectors with the server's Google identity; an empty section is enough",
  "connectors.google.endpoint": "address in the place of Integration Connectors' own",
  "connectors.google.accessTokenEnv":
    "variable that holds an access token for Integration Connectors (default: application default credentials)",
  "connectors.google.projects": "projects whose connections apps may name (default: any)",
  "connectors.google.apps": "apps whose tools may use the connections: names, `*` at the end for all that begin so",
  "connectors.google.endUserHeader":
    "header for an end user's credentials; without it tools with an `auth_config` are rejected",
  "connectors.http": "connections that are plain HTTP; they come before those of Google",
  "connectors.http[].authentication.<name>": "a field of `api_authentication`",
  "connectors.http[].actions": "what tools may do with the connection, by the id of the action",
  "connectors.http[].actions.<name>.description": "what the action does, for models (default: nothing)",
  "connectors.http[].actions.<name>.method": "method of the action's request (default: `POST`)",
  "connectors.http[].actions.<name>.path": "path of the action's request, with `{names}` that arguments fill",
  "connectors.http[].actions.<name>.input": "JSON Schema of the action's arguments (default: none are taken)",
  "connectors.http[].actions.<name>.input.<name>": "a keyword of the JSON Schema of the arguments",
  "connectors.http[].actions.<name>.output": "JSON Schema of the action's answer",
  "connectors.http[].actions.<name>.output.<name>": "a keyword of the JSON Schema of the answer",
  "connectors.http[].entities": "kinds of records that tools may read and write, by their names",
  "connectors.http[].entities.<name>.path": "path that lists and creates; `path/{id}` gets, updates and deletes",
  "connectors.http[].entities.<name>.key": "field of a record that has its id",
  "connectors.http[].entities.<name>.schema": "JSON Schema of a record",
  "connectors.http[].entities.<name>.schema.<name>": "a keyword of the JSON Schema of a record",
  "connectors.http[].entities.<name>.rows": "field of the answer that has the list (default: the answer is the list)",
  "connectors.http[].entities.<name>.operations": "what may be done with records (default: everything)",
  remoteAgents: "as whom A2A agents are called, see [Connectors and remote agents](#connectors-and-remote-agents)",
  "remoteAgents[].origin": "address of the agents, without a path",
  "remoteAgents[].authentication":
    "`api_authentication` with which these agents are called, in JSON; secrets by name, from `outbound.secrets`",
  "remoteAgents[].authentication.<name>": "a field of the `api_authentication` of these agents",
  "remoteAgents[].apps": "names of the apps whose tools call them so, with `*` at the end for any rest",

  sandbox: "processes that run user Python",
  warehouse: "files and databases for questions to data",
  "warehouse.sources.<name>": "one source: a path, or a section with the path or the database",
  "warehouse.sources.<name>.path": "file or folder, for a source that needs `schema` beside it",
  "warehouse.sources.<name>.schema": "schema of the database that the dataset shows",
  "warehouse.sources.<name>.bigquery.project": "project that pays for the queries (default: that of the first table)",
  "warehouse.sources.<name>.bigquery.location": "where the queries run (default: where the tables are)",
  "warehouse.sources.<name>.bigquery.endpoint": "address in the place of BigQuery's own",
  "warehouse.sources.<name>.bigquery.accessTokenEnv":
    "variable that holds an access token for BigQuery (default: application default credentials)",
  "warehouse.studio.<name>": "the table, `project.dataset.table`, that the Looker Studio data source shows",
  "warehouse.looker.<name>": "one instance; `{}` for questions that bring their own credentials",
  "warehouse.looker.<name>.clientId": "client id of an API key, for questions that bring no credentials",
  "warehouse.looker.<name>.clientSecret": "where the secret of the API key is: `env` or `file`, read at each login",
  "warehouse.looker.<name>.clientSecret.env": "environment variable that holds the secret of the API key",
  "warehouse.looker.<name>.clientSecret.file": "file that holds the secret of the API key",

  analytics: "semantic models of data agents, and what their queries may read",
  "analytics.semanticModels.<name>": "file with the semantic model of this data agent",
  "analytics.budgets.<name>": "limit for the queries of this data agent; of `bytes` and `cost` the smaller holds",
  "analytics.budgets.<name>.bytes": "most bytes that one query may read, e.g. `50GB` or `1TiB`",
  "analytics.budgets.<name>.cost": "most money that one query may cost, by `analytics.price`",
  "analytics.cache.maxAge":
    "seconds for which results of tables are kept that do not tell when they change, at most a day",
  "analytics.cache.size": "most memory of results that are kept (default: `64MiB`)",
  "analytics.cache.entries": "most results that are kept (default: 1000)",
  "analytics.rules[].table":
    "`project.dataset.table`, with `*` as the project (any) or as the table (all of the dataset)",
  "analytics.rules[].members": "whom the rule is for, as in [policies](access.md)",
  "analytics.rules[].rows": "condition for the rows that they see (default: all rows)",
  "analytics.rules[].hiddenColumns": "columns that do not exist for them (default: none)",
  "analytics.price.perTiB": "what reading one TiB costs",
  "analytics.price.currency": "currency of the price, e.g. `USD`",

  "identities[].principal": "who has the token: `user:ana@example.com` or `serviceAccount:…`",
  "identities[].tokenEnv": "variable that holds the token, 16 characters or more",
  "identities[].roles": "roles of the principal on the whole server (default: none)",
  auth: "who calls, see [auth.md](auth.md)",
  "auth.issuers[].name": "name of the issuer, as principals and `auth.console` have it",
  "auth.issuers[].issuer": "address of the issuer, as the claim `iss` of its tokens has it",
  "auth.issuers[].audiences":
    "values of the claim `aud` that are taken besides the addresses of this server (default: none)",
  "auth.issuers[].jwksUri": "address of the issuer's keys (default: what its discovery document says)",
  "auth.issuers[].kind": "whether its tokens are of people or of programs (default: `user`)",
  "auth.issuers[].project": "project in the principals of its programs (default: `local`)",
  "auth.issuers[].groups": "claim with the names of the caller's groups (default: none)",
  "auth.issuers[].domains": "domains of the e-mail addresses that it may vouch for (default: all)",
  "auth.issuers[].assignsEmails":
    "whether e-mail addresses count of which its tokens do not say `email_verified`: only where people cannot choose them (default: `false`)",
  "auth.issuers[].attributes":
    "claims of its programs that become `principalSet://…/attribute.{claim}/{value}` (default: none)",
  "auth.scopes": "what scopes of tokens of issuers reach: `read` or `all`, by scope",
  "auth.scopes.<name>": "what tokens with this scope reach; `read`: the methods with HTTP GET",
  "auth.console.issuer": "name of the issuer, one of people in `auth.issuers`, at which people sign in",
  "auth.console.clientId": "id of the console as a client of the issuer",
  "auth.console.clientSecretEnv": "variable that holds the client's secret (default: it has none)",
  "auth.console.scopes": "scopes that are asked for besides the usual ones (default: none)",
  "auth.metadata.port": "port of the metadata server on 127.0.0.1",
  "auth.metadata.account": "service account as which programs of this machine call",
  "auth.metadata.project": "project of that service account (default: `local`)",
  access: "roles of your own, and bindings on the server",
  "access.roles.<name>": "one role, by its name: `roles/acme.supervisor`",
  "access.roles.<name>.title": "how people read the role",
  "access.roles.<name>.permissions": "permissions of the role, or patterns such as `ces.*.get`",
  "access.roles.<name>.except": "permissions that the role does not have, though a pattern does",
  "access.roles.<name>.includes": "roles whose permissions this one has too",
  "access.bindings[].role": "the role that is bound",
  "access.bindings[].members": "who has the role: [members](access.md) as policies name them",
  "access.bindings[].condition":
    "[condition](access.md#grant-under-a-condition) under which the binding holds (default: always)",

  mcp: "settings of the endpoints for MCP",
  "mcp.issuers":
    "authorization servers that MCP clients find at `/.well-known/oauth-protected-resource/mcp` (default: those of `auth.issuers`)",
  "mcp.scopes": "scopes that MCP clients find there (default: those of `auth.scopes`)",
  a2a: "how agents of others find the apps of this server",
  conversations: "limits of conversations over a bidirectional stream",
  "conversations.idleSeconds": "seconds that a conversation may be idle between turns before it gets GoAway",
  "conversations.maxOpen": "conversations over bidirectional streams at once",
  redaction: "kinds of personal data that are taken out of stored conversations, besides the built-in ones",
  "redaction.patterns[].name": "what replaces a match, in brackets: `ORDER_NUMBER`",
  "redaction.patterns[].pattern": "regular expression (RE2) that finds the data",
  "redaction.dictionaries":
    "kinds of data to take out of stored conversations by words and phrases, each `{name, words}`",
  "redaction.dictionaries[].name": "what replaces one of the words, in brackets: `PRODUCT`",
  "redaction.dictionaries[].words": "words and phrases that are replaced",
  "sealing.file": "file with the sealing keys in base64, one a line, the newest first",
  "sealing.command": "program and arguments that print the sealing keys, such as those of a key management service",
  audit: "what the [audit log](audit.md) has, and for how long",

  "quotas.preset": "`hosted`: the published limits of the hosted product, beside those of `limits`",
  "quotas.limits": "limits, all of which are in force together (default: none)",
  "quotas.limits[].measure": "[what is counted](quotas.md)",
  "quotas.limits[].per": "whose use is counted: each caller's, each app's, or each project's",
  "quotas.limits[].limit": "how much may be used in the period; for `streams`, how many at the same time",
  "quotas.limits[].everySeconds": "period in which the limit comes back (default: 60)",
  "quotas.limits[].burst": "how much may be used at once after a pause (default: the whole limit)",
  "quotas.prices": "what tokens cost, by the label of the model, `*` for any characters",
  "quotas.prices.<name>": "prices of the models with this label",
  "quotas.prices.<name>.input": "US dollars for a million tokens that the model reads",
  "quotas.prices.<name>.output": "US dollars for a million tokens that the model writes",
  evaluation: "how evaluations run",
  generation: "how resources of apps are generated",
  "generation.answerTokens": "tokens of one answer of the model that generates",
  "generation.answerSeconds": "seconds that one answer of the model that generates may take",

  search: "data stores, files and the web, for search tools",
  "search.dataStores.<name>": "one data store: a folder, or a sitemap",
  "search.dataStores.<name>.folder": "folder that is indexed and watched",
  "search.dataStores.<name>.baseUrl": "URL before the path of a file of the folder, in citations",
  "search.dataStores.<name>.sitemap": "address of a sitemap whose pages are indexed",
  "search.dataStores.<name>.maxPages": "most pages of the sitemap that are indexed",
  "search.dataStores.<name>.refreshHours": "hours after which the pages of the sitemap are read again",
  "search.engines.<name>": "names of the engine's data stores",
  "search.corpora.<name>": "one corpus: a folder",
  "search.corpora.<name>.folder": "folder of the corpus, which is indexed and watched",
  "search.corpora.<name>.baseUrl": "URL before the path of a file of the corpus, in citations",
  "search.corpora.<name>.language": "language of the corpus, as of a data store (default: detected for each file)",
  "search.vertex.endpoint": "address in the place of Vertex AI Search's own",
  "search.web": "who searches the web for agents",
  "search.web.endpoint": "address of the service that searches the web; required for `searxng`",
  "search.web.model": "for `gemini`: the model that searches",
  "search.web.engineId": "for `programmable`: the engine (`cx`)",
  "search.web.apiKey": "key of the service that searches the web",
  "search.web.apiKeyEnv": "variable that holds the key of the service that searches the web",

  "speech.listen": "speech to text",
  "speech.listen.baseUrl": "address of the provider of speech to text: for `openai` up to and including the version",
  "speech.listen.apiKey": "key of the provider of speech to text; `apiKeyEnv` lets the file be committed",
  "speech.listen.apiKeyEnv":
    "variable that holds the key of the provider of speech to text (default, at the vendor's own address: `GOOGLE_API_KEY`, `OPENAI_API_KEY` or `DEEPGRAM_API_KEY`)",
  "speech.listen.model": [
    "the recognizer's model",
    "`latest_long` of `google`, `gpt-4o-mini-transcribe` of `openai`, `nova-3` of `deepgram`",
  ],
  "speech.speak": "text to speech",
  "speech.speak.baseUrl": "address of the provider of text to speech: for `openai` up to and including the version",
  "speech.speak.apiKey": "key of the provider of text to speech; `apiKeyEnv` lets the file be committed",
  "speech.speak.apiKeyEnv":
    "variable that holds the key of the provider of text to speech (default: as for `speech.listen.apiKeyEnv`)",
  "speech.speak.model":
    "for `openai`: the model that speaks; apps name that of `google`, and that of `deepgram` is the voice",
  "speech.speak.voice": "voice that speaks when the app names none",
  "speech.speak.voices": "from an app's name of a voice to the provider's",
  "speech.speak.voices.<name>": "the provider's name of this voice",
  "speech.speak.command": "for `program`: what makes speech, with the text on its standard input",
  "speech.speak.args": "for `program`: its arguments, with `{voice}` and `{wordsPerMinute}`",

  models: "language models that answer",
  "models.aliases.<name>": "the model that runs for this name, as `provider/model`",
  "models.providers": "providers by name, the part before the slash of `provider/model`",
  "models.providers.<name>": "one provider",
  "models.providers.<name>.apiKey": "the provider's key; `apiKeyEnv` lets the file be committed",
  "models.providers.<name>.apiKeyEnv": "variable that holds the provider's key",
  "models.providers.<name>.baseUrl": "address of the provider; not for `ai-sdk`",
  "models.providers.<name>.headers": "headers that are sent with every call; not for `ai-sdk`",
  "models.providers.<name>.headers.<name>": "value of this header",
  "models.providers.<name>.vertex": "for `gemini`: Vertex AI in the place of the Gemini API",
  "models.providers.<name>.vertex.project": "project of Vertex AI",
  "models.providers.<name>.vertex.location": "location of Vertex AI",
  "models.providers.<name>.module": "for `ai-sdk`: the module to import",
  "models.providers.<name>.factory": "for `ai-sdk`: the export of the module that makes the provider",
  "models.providers.<name>.options": "for `ai-sdk`: what the factory is called with",
  "models.providers.<name>.options.<name>": "one option of the factory",
  "models.breaker": "when a model that fails is left alone",
  "models.breaker.failures": "calls in a row that find a model down until it is left alone",
  "models.breaker.openMs":
    "milliseconds for which it is left alone; meanwhile calls get UNAVAILABLE with `RetryInfo` at once, or the next fallback",
  "models.breaker.silentMs":
    "milliseconds without anything after which a call counts as one that finds the model down, and the next fallback is asked; with none it goes on, until the model is left alone",
  "models.retries": "how calls of models are made again",
  "models.retries.attempts": "attempts of one call",
  "models.retries.baseDelayMs": "milliseconds between the first two attempts",
  "models.retries.maxDelayMs": "most milliseconds between two attempts; a Retry-After above it fails at once",
  "models.timeouts": "how long calls of models may take",
  "models.timeouts.connectMs": "milliseconds to connect",
  "models.timeouts.answerMs": "milliseconds for a whole answer",
  "models.proxy": "the proxy for calls of models, in the place of the environment's",
  "models.proxy.url": "address of the proxy",
  "models.proxy.except": "hosts that are reached without the proxy, separated by commas",
};

function serviceTexts(key: string, name: string, does: string): readonly (readonly [string, KeyText])[] {
  const texts = [
    [key, `${does}, with the server's Google identity; see [Services of Google Cloud](#services-of-google-cloud)`],
    [
      `${key}.endpoint`,
      [
        `for ${name}: address in the place of Google's. A private one must also be in \`egress.allow\``,
        key === "dialogflow" ? "Google's, by the location of the agent" : "Google's",
      ],
    ],
    [`${key}.accessTokenEnv`, `for ${name}: variable that holds an access token`],
    [
      `${key}.timeoutSeconds`,
      `for ${name}: seconds of one try; a 429 or 503 is tried three times in all, by its Retry-After`,
    ],
  ] as const;
  if (key === "cloudStorage") return texts;
  return [
    ...texts,
    [`${key}.projects`, `for ${name}: projects that apps may name`],
    [
      `${key}.apps`,
      `for ${name}: apps that may use it, names with \`*\` at the end for all that begin so (default: all)`,
    ],
  ];
}

function databaseTexts(key: string, name: string): readonly (readonly [string, string])[] {
  const section = `warehouse.sources.<name>.${key}`;
  return [
    [`${section}.env`, `variable that holds the connection string of the ${name}`],
    [`${section}.file`, `file that holds the connection string of the ${name}`],
  ];
}
