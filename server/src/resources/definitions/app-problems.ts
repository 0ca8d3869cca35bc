import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { ExecutionType } from "@frontdesk/protos/ces/common";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { idOf, typeFault } from "#aip";
import { isTimeZone, type JsonValue } from "#base";
import type { AppView } from "../define-resource.ts";
import { TOOL_FAKE } from "../python/callback-signatures.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { channelProblems } from "./channel-problems.ts";
import { functionCountProblems } from "./function-count-problems.ts";
import { guardrailProblems, promptSecurityProblems } from "./guardrail-problems.ts";
import { modelSafetyProblems } from "./model-safety-problems.ts";

/**
 * The misconfigurations of an app beyond its agents, one sentence each: `App.validation_errors`. Those of agents are in their own field. No
 * write fails because of them.
 */
export async function appProblems(app: App, state: AppView, python: PythonChecks): Promise<readonly string[]> {
  const ofTools = await python.ofEach(state.list(ToolSchema), toolProblems);
  const ofToolsets = await python.ofEach(state.list(ToolsetSchema), toolsetProblems);
  const ofGuardrails = await python.ofEach(state.list(GuardrailSchema), guardrailProblems);
  return [
    ...rootProblems(app, state),
    ...variableProblems(app),
    ...python.server.instructionProblems(app.globalInstruction).map((problem) => `global_instruction: ${problem}`),
    ...redactionProblems(app, python),
    ...exportProblems(app, python),
    ...timeZoneProblems(app),
    ...voiceProblems(app),
    ...channelProblems(app, state),
    ...ofTools,
    ...ofToolsets,
    ...sharedPrefixProblems(state.list(ToolsetSchema)),
    ...ofGuardrails,
    ...modelSafetyProblems(app, state, python.server),
    ...(await functionCountProblems(app, state, python)),
    ...promptSecurityProblems(state.list(GuardrailSchema)),
  ];
}

function rootProblems(app: App, state: AppView): readonly string[] {
  if (app.rootAgent !== "") return [];
  const hint =
    state.list(AgentSchema).length === 0 ? "create an agent and name it there" : "name one of the agents there";
  return [`root_agent is not set, so no conversation can start; ${hint}.`];
}

/** Redaction settings that have no effect or another effect than intended. */
function redactionProblems({ loggingSettings }: App, { server }: PythonChecks): readonly string[] {
  const { redactionConfig } = loggingSettings ?? {};
  const named = (["inspectTemplate", "deidentifyTemplate"] as const).filter((field) => redactionConfig?.[field]);
  return named.flatMap((field) => {
    const name = `logging_settings.redaction_config.${field === "inspectTemplate" ? "inspect_template" : "deidentify_template"}`;
    if (!redactionConfig?.enableRedaction) return [`${name}: has no effect, since enable_redaction is off.`];
    if (!server.services.has("dlp"))
      return [`${name}: Cloud DLP is not configured here; the built-in detectors redact instead.`];
    return DLP_TEMPLATE.test(redactionConfig[field])
      ? []
      : [`${name}: is no projects/{project}/locations/{location}/…Templates/{id}, so every text is withheld.`];
  });
}

/** Settings that export turns and export none. */
function exportProblems(app: App, { server }: PythonChecks): readonly string[] {
  return server.exportProblems(app).map(({ field, problem }) => `logging_settings.${field}: ${problem}.`);
}

const DLP_TEMPLATE = /^projects\/[\w.:-]+(?:\/locations\/[a-z0-9-]+)?\/(?:inspect|deidentify)Templates\/[\w-]+$/;

function variableProblems({ variableDeclarations }: App): readonly string[] {
  const seen = new Set<string>();
  return variableDeclarations.flatMap(({ name, schema }) => {
    const problems: string[] = [];
    if (!/^[A-Za-z_][\w-]*$/.test(name)) {
      problems.push(
        `Variable '${name}': a name starts with a letter or underscore and goes on with letters, digits, underscores and hyphens.`,
      );
    }
    if (seen.has(name)) problems.push(`Variable '${name}' is declared twice.`);
    const fault = schema?.default && typeFault(schema, toJson(ValueSchema, schema.default) as JsonValue);
    if (fault) problems.push(`Variable '${name}': its default is ${fault}; write a default of this type.`);
    seen.add(name);
    return problems;
  });
}

function timeZoneProblems({ timeZoneSettings }: App): readonly string[] {
  const { timeZone = "" } = timeZoneSettings ?? {};
  if (timeZone === "" || isTimeZone(timeZone)) return [];
  return [
    `time_zone_settings.time_zone: '${timeZone}' is not a time zone of the IANA database, such as 'Europe/Paris', so dates are those of UTC.`,
  ];
}

/** Voice settings without effect here, one sentence each. */
function voiceProblems({ loggingSettings, audioProcessingConfig }: App): readonly string[] {
  const recordings = [
    ["audio_recording_config", loggingSettings?.audioRecordingConfig],
    ["unredacted_audio_recording_config", loggingSettings?.unredactedAudioRecordingConfig],
    ["evaluation_audio_recording_config", loggingSettings?.evaluationAudioRecordingConfig],
  ] as const;
  const { synthesizeSpeechConfigs = {}, ambientSoundConfig, customVoiceSamples = [] } = audioProcessingConfig ?? {};
  const speech = "audio_processing_config.synthesize_speech_configs";
  return [
    ...recordings
      .filter(([, config]) => config?.gcsBucket)
      .map(([field]) => `logging_settings.${field}: sound is not recorded here; transcripts are kept.`),
    ...Object.entries(synthesizeSpeechConfigs)
      .filter(([, { voiceSampleGcsUri }]) => voiceSampleGcsUri !== "")
      .map(
        ([language]) => `${speech}.${language}.voice_sample_gcs_uri: voices are not cloned here; another one speaks.`,
      ),
    ...(customVoiceSamples.length > 0
      ? ["audio_processing_config.custom_voice_samples: voices are not cloned here; the voices of the providers speak."]
      : []),
    ...(ambientSoundConfig?.source.case === "prebuiltAmbientNoise"
      ? [
          "audio_processing_config.ambient_sound_config.prebuilt_ambient_noise: is deprecated and not played here; use gcs_uri or prebuilt_ambient_sound.",
        ]
      : []),
  ];
}

/** Toolsets whose tools have the same names for models and code (TSET-13), one sentence for each name. */
function sharedPrefixProblems(toolsets: readonly Toolset[]): readonly string[] {
  const byPrefix = Map.groupBy(toolsets, ({ displayName }) => displayName.replaceAll("-", "_"));
  return [...byPrefix].flatMap(([prefix, alike]) => {
    if (alike.length < 2 || prefix === "") return [];
    const names = alike.map(({ displayName }) => `'${displayName}'`).join(" and ");
    return [
      `Toolsets ${names} all name their tools '${prefix}_…', so that of tools with one id only the first is offered and called; rename all but one of them.`,
    ];
  });
}

async function toolsetProblems(toolset: Toolset, python: PythonChecks): Promise<readonly string[]> {
  const { displayName, name, toolFakeConfig } = toolset;
  const subject = `Toolset '${displayName || idOf(name)}'`;
  return [
    ...prefixed(subject, await python.tools.problems(toolset)),
    ...prefixed(`${subject}, tool_fake_config`, await fakeProblems(toolFakeConfig, python)),
  ];
}

async function toolProblems(tool: Tool, python: PythonChecks): Promise<readonly string[]> {
  const { displayName, toolType, toolFakeConfig } = tool;
  const fakes = [
    ...prefixed(`Tool '${displayName}'`, await python.tools.problems(tool)),
    ...prefixed(`Tool '${displayName}', tool_fake_config`, await fakeProblems(toolFakeConfig, python)),
    ...unusedSettings(tool).map((problem) => `Tool '${displayName}', ${problem}.`),
  ];
  if (toolType.case === "widgetTool") {
    const mapping = toolType.value.dataMapping;
    const code = mapping?.pythonFunction?.pythonCode || mapping?.pythonScript;
    const problems = code ? await python.mapping(code, mapping?.pythonFunction?.name ?? "") : [];
    return [...prefixed(`Tool '${displayName}', data_mapping`, problems), ...fakes];
  }
  if (toolType.case !== "pythonFunction") return fakes;
  const { pythonCode, name, serviceDirectoryConfig } = toolType.value;
  const { problems } = await python.tool(pythonCode, name);
  const unused = serviceDirectoryConfig
    ? [
        "service_directory_config has no effect; to let ces_requests call private hosts, name them in egress.allow of the config file",
      ]
    : [];
  return [...prefixed(`Tool '${displayName}', python_function`, [...problems, ...unused]), ...fakes];
}

/** Settings of all tools that this kind of tool does not have (TOOL-25). */
function unusedSettings({ toolType, timeout, executionType, toolFakeConfig }: Tool): readonly string[] {
  const problems: string[] = [];
  const isOfClient = toolType.case === "clientFunction" || toolType.case === "widgetTool";
  const isFaked = toolFakeConfig?.toolResponse.case === "codeBlock"; // which it limits
  if (timeout && !isFaked && (isOfClient || toolType.case === "agentTool"))
    problems.push(`timeout: has no effect: the ${isOfClient ? "client" : "other agent"} takes the time that it needs`);
  if (toolType.case === "widgetTool" && executionType === ExecutionType.ASYNCHRONOUS)
    problems.push("execution_type: ASYNCHRONOUS has no effect: nothing waits for a widget");
  return problems;
}

async function fakeProblems(config: Tool["toolFakeConfig"], python: PythonChecks): Promise<readonly string[]> {
  if (config?.enableFakeMode && config.toolResponse.case === undefined)
    return ["enable_fake_mode has no effect, since there is no code_block"];
  return config?.toolResponse.case === "codeBlock" ? python.fake(config.toolResponse.value.pythonCode, TOOL_FAKE) : [];
}

function prefixed(subject: string, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${subject}: ${problem}.`);
}
