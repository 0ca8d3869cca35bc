import { createEmbeddings, type LanguageModel, type Models } from "#models";
import { createOutbound } from "#outbound";
import { createResources, type Resources, type ServerFacts } from "#resources";
import { createMirror, createSearch, createToolFiles, type Search, sweepCopies, type ToolFiles } from "#search";
import { filterProblems, instructionProblems, PROMPT_SECURITY_POLICY } from "#session";
import { ConnectError } from "#status";
import { createTools, type Tools } from "#tools";
import { exportProblems } from "../exports/turn-exports.ts";
import { countTools } from "../metrics/count-tools.ts";
import { recordedTools } from "../recording/calls.ts";
import { withKnownPython } from "./known-python.ts";
import type { Platform } from "./platform.ts";
import { createSharedToolFiles, type SharedToolFiles } from "./shared-tool-files.ts";

/** The resources of apps, and the tools that they name. */
interface ResourcesAndTools {
  readonly resources: Resources;
  readonly tools: Tools;
  /** Has indexed nothing until `warm`. */
  readonly search: Search;
  /** Files of file search tools, which callers upload. */
  readonly toolFiles: ToolFiles & StrayToolFiles;
  /** Closes tools and search, then their connections to other servers. */
  close(): Promise<void>;
}

/** What is left of the uploaded files of deleted apps. */
export interface StrayToolFiles extends Pick<SharedToolFiles, "removeStray"> {
  /** Removes the copies of this server. */
  sweep(): Promise<void>;
}

/** Creates both: writes of resources are validated by the tools, and tools read the security settings of apps. */
export function createResourcesAndTools(platform: Platform): ResourcesAndTools {
  const { config, storage, sandbox, egress, objects, metrics, clock, ids, logger, recorder } = platform;
  const resources = createResources({
    store: storage.resources,
    clock,
    ids,
    inspectPython: withKnownPython((code) => sandbox.inspect(code)),
    objects,
    toolChecks: {
      problems: (subject) => tools.problems(subject),
      knownToolIds: (toolset) => tools.knownToolIds(toolset),
      nameOf: (tool) => tools.nameOf(tool),
      refreshSnapshots: (toolset) => tools.refreshSnapshots(toolset),
    },
    server: serverFacts(platform),
  });
  const securitySettings = (app: string) => resources.securitySettings(app);
  const outbound = createOutbound({ egress, clock, logger, config: config.outbound, securitySettings });
  const shared = createSharedToolFiles({ storage, clock, ids, logger });
  const mirrorFiles = createMirror(config.search.filesFolder, shared);
  const search = openSearch(platform, mirrorFiles);
  const files = createToolFiles(config.search.filesFolder, shared, mirrorFiles);
  const { connectors, remoteAgents: remoteAgentCredentials } = config;
  const counted = countTools(
    createTools({ sandbox, egress, outbound, connectors, remoteAgentCredentials, search, clock, logger }),
    metrics,
  );
  const tools = recorder ? recordedTools(counted, recorder.scope) : counted;
  return {
    resources,
    tools,
    search,
    toolFiles: {
      ...files,
      removeStray: shared.removeStray,
      sweep: () => sweepCopies(config.search.filesFolder, mirrorFiles),
    },
    close: async () => {
      await Promise.all([tools.close(), search.close()]);
      await outbound.close();
    },
  };
}

/** What resources show of this server. */
function serverFacts({ config, models }: Platform): ServerFacts {
  const names = (["dialogflow", "dlp"] as const).filter((name) => config[name]);
  return {
    services: new Set(names),
    exportProblems: (app) => exportProblems(app, config),
    filterProblems,
    instructionProblems,
    promptSecurityTemplate: PROMPT_SECURITY_POLICY,
    modelWithoutSafetySettings: (name) => {
      const model = resolved(models, name);
      return model?.capabilities.instructionFollowing && !model.capabilities.safetySettings ? model.label : undefined;
    },
    functionLimit: (name) => {
      const model = resolved(models, name);
      const most = model?.capabilities.mostFunctions;
      return model && most !== undefined ? { label: model.label, most } : undefined;
    },
  };
}

/** Undefined when no model answers to the name: that fails turns, with the reason. */
function resolved(models: Models, name: string): LanguageModel | undefined {
  try {
    return models.resolve(name);
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}

function openSearch(
  { config, models, egress, storage, clock, logger }: Platform,
  mirrorFiles: ReturnType<typeof createMirror>,
): Search {
  const deps = { models, egress, clock, logger, mirrorFiles };
  const pages = storage.replica && storage.blobs;
  const { embeddings: model } = config.search;
  const embeddings = model === "" ? undefined : createEmbeddings(model, config.models, deps);
  return createSearch(config.search, { ...deps, pages, embeddings });
}
