/** A view of an app's settings, and the fields it shows. */
interface SettingView {
  readonly id: string;
  readonly label: string;
  readonly fields: readonly string[];
}

/** The views of an app's settings. Together they have every field that can be set, but for the global instruction and variables. */
export const SETTING_VIEWS: readonly SettingView[] = [
  {
    id: "general",
    label: "General",
    fields: ["display_name", "description", "root_agent", "locked", "pinned", "metadata"],
  },
  {
    id: "model",
    label: "Model and guardrails",
    fields: ["model_settings", "tool_execution_mode", "guardrails", "data_store_settings"],
  },
  {
    id: "language",
    label: "Language and voice",
    fields: ["language_settings", "time_zone_settings", "audio_processing_config", "default_channel_profile"],
  },
  { id: "logging", label: "Logging and privacy", fields: ["logging_settings"] },
  { id: "errors", label: "Errors", fields: ["error_handling_settings"] },
  { id: "network", label: "Network", fields: ["client_certificate_settings", "vpc_sc_settings"] },
  {
    id: "evaluation",
    label: "Evaluation",
    fields: ["evaluation_settings", "evaluation_metrics_thresholds", "evaluation_personas"],
  },
];
