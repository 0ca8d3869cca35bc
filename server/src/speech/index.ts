/** Audio and speech: codecs, sample rates, voice activity detection, and providers of speech to text and text to speech. */
export { createDecoder, type Encoding, encode } from "./audio/codec.ts";
export { type CreateResampler, createResamplers, type Resampler } from "./audio/resampler.ts";
export { joinSamples, type Samples, silence } from "./audio/samples.ts";
export {
  createVoiceActivity,
  type VoiceEvent,
} from "./audio/voice-activity.ts";
export { readWav, writeWav } from "./audio/wav.ts";
export {
  type AudioChunk,
  RECOGNIZER_SAMPLE_RATE,
  type Speech,
  type SpeechToText,
  type SynthesizeRequest,
  type TextToSpeech,
} from "./contract.ts";
export { createSpeech } from "./create-speech.ts";
export { languageOf } from "./language-of.ts";
export type { SpeechConfig, SpeechToTextConfig, TextToSpeechConfig } from "./speech-config.ts";
