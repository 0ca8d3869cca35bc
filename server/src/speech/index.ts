/** Sound and speech: codecs, rates, where utterances begin and end, and providers of speech to text and text to speech. */
export { createDecoder, type Decode, type Encoding, encode } from "./audio/codec.ts";
export { createResampler, type Resampler, resamplersTo } from "./audio/resampler.ts";
export { joinSamples, type Samples, silence } from "./audio/samples.ts";
export {
  createVoiceActivity,
  type VoiceActivity,
  type VoiceActivityOptions,
  type VoiceEvent,
} from "./audio/voice-activity.ts";
export { readWav, WavError, writeWav } from "./audio/wav.ts";
export {
  type ListenRequest,
  RECOGNISER_RATE,
  type Recognised,
  type Sound,
  type SpeakRequest,
  type Speech,
  type SpeechToText,
  type TextToSpeech,
} from "./contract.ts";
export { createSpeech } from "./create-speech.ts";
export { type ListenConfig, NO_SPEECH, type SpeakConfig, type SpeechConfig } from "./speech-config.ts";
