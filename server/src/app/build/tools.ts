import { createEmbeddings } from "#models";
import { createOutbound } from "#outbound";
import { createResources, type Resources } from "#resources";
import { createSearch, type Search } from "#search";
import { PROMPT_SECURITY_POLICY } from "#session";
import { createTools, type Tools } from "#tools";
import type { Config } from "../config.ts";
import { countTools } from "../metrics/count-tools.ts";
import { recordedTools } from "../recording/calls.ts";
import type { Platform } from "./platform.ts";

/** The resources of apps, and the tools that they name. */
interface ResourcesAndTools {
  readonly resources: Resources;
  readonly tools: Tools;
  /** Closes tools and search, then their connections to other servers. */
  close(): Promise<void>;
}

/** Creates both: writes of resources are validated by the tools, and tools read the security settings of apps. */
export function createResourcesAndTools(platform: Platform): ResourcesAndTools {
  const { config, storage, sandbox, egress, metrics, clock, ids, logger, recorder } = platform;
  const resources = createResources({
    store: storage.resources,
    clock,
    ids,
    inspectPython: (code) => sandbox.inspect(code),
    toolChecks: {
      problems: (subject) => tools.problems(subject),
      knownToolIds: (toolset) => tools.knownToolIds(toolset),
      nameOf: (tool) => tools.nameOf(tool),
      refreshSnapshots: (toolset) => tools.refreshSnapshots(toolset),
    },
    server: serverFacts(config),
  });
  const securitySettings = (app: string) => resources.securitySettings(app);
  const outbound = createOutbound({ egress, clock, logger, config: config.outbound, securitySettings });
  const search = openSearch(platform);
  const { connectors, remoteAgents: remoteAgentCredentials } = config;
  const counted = countTools(
    createTools({ sandbox, egress, outbound, connectors, remoteAgentCredentials, search, clock, logger }),
    metrics,
  );
  const tools = recorder ? recordedTools(counted, recorder.scope) : counted;
  return {
    resources,
    tools,
    close: async () => {
      await Promise.all([tools.close(), search.close()]);
      await outbound.close();
    },
  };
}

/** What resources show of this server. */
function serverFacts({ dialogflow, dlp }: Config) {
  const configured = { dialogflow, dlp };
  const names = (["dialogflow", "dlp"] as const).filter((name) => configured[name]);
  return { services: new Set(names), promptSecurityTemplate: PROMPT_SECURITY_POLICY };
}

/** Starts to index the configured data stores, so that the first search need not wait. */
function openSearch({ config, models, egress, clock, logger }: Platform): Search {
  const deps = { models, egress, clock, logger };
  const { embeddings: model } = config.search;
  const embeddings = model === "" ? undefined : createEmbeddings(model, config.models, deps);
  const search = createSearch(config.search, { ...deps, embeddings });
  search.warm();
  return search;
}
