import type { App } from "@frontdesk/protos/ces/app";
import type { FieldViolation } from "#status";

/** What is wrong with an app's settings of voices: numbers outside the ranges that their proto comments give. */
export function voiceViolations({ audioProcessingConfig }: App): readonly FieldViolation[] {
  const { synthesizeSpeechConfigs = {}, ambientSoundConfig } = audioProcessingConfig ?? {};
  const slow = Object.entries(synthesizeSpeechConfigs).filter(
    // Unset is 0, which means the voice's own speed.
    ([, { speakingRate }]) => speakingRate !== 0 && !(speakingRate >= 0.25 && speakingRate <= 2),
  );
  const gain = ambientSoundConfig?.volumeGainDb ?? 0;
  return [
    ...slow.map(([language, { speakingRate }]) => ({
      field: `audio_processing_config.synthesize_speech_configs.${language}.speaking_rate`,
      description: `A speaking rate is from 0.25 to 2; this one is ${speakingRate}.`,
    })),
    ...(gain >= -96 && gain <= 16
      ? []
      : [
          {
            field: "audio_processing_config.ambient_sound_config.volume_gain_db",
            description: `A volume gain is from -96 to 16 dB; this one is ${gain}.`,
          },
        ]),
  ];
}

/** What an app asks for of its conversations by voice and does not get, one sentence each. */
export function voiceProblems({ loggingSettings, audioProcessingConfig }: App): readonly string[] {
  const recordings = [
    ["audio_recording_config", loggingSettings?.audioRecordingConfig],
    ["unredacted_audio_recording_config", loggingSettings?.unredactedAudioRecordingConfig],
  ] as const;
  const { synthesizeSpeechConfigs = {}, ambientSoundConfig } = audioProcessingConfig ?? {};
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
    ...(ambientSoundConfig?.source.case === "prebuiltAmbientNoise"
      ? [
          "audio_processing_config.ambient_sound_config.prebuilt_ambient_noise: is deprecated and not played here; use gcs_uri or prebuilt_ambient_sound.",
        ]
      : []),
  ];
}
