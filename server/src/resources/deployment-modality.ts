/** What a deployment's modality means. The hosted product publishes no values, so words of the same meaning count as one. */
const MODALITIES: Readonly<Record<string, "text" | "voice">> = {
  TEXT: "text",
  CHAT: "text",
  CHAT_ONLY: "text",
  AUDIO: "voice",
  VOICE: "voice",
  VOICE_ONLY: "voice",
};

/** The modality that a deployment sets for its sessions (SESS-23); undefined = none, or a word that is not known. */
export function deploymentModality(value: string): "text" | "voice" | undefined {
  return MODALITIES[value.replace(/^MODALITY_/, "")];
}

/** Why a modality has no effect; undefined = it has one, or there is none. */
export function modalityProblem(value: string): string | undefined {
  if (/^$|UNSPECIFIED$/.test(value) || deploymentModality(value)) return undefined;
  return `modality: '${value}' is not known here, so the audio settings of a session decide; use TEXT or AUDIO.`;
}
