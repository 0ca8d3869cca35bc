import { create } from "@bufbuild/protobuf";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { type ChannelProfile, ChannelProfile_ChannelType, ChannelProfileSchema } from "@frontdesk/protos/ces/common";
import { resourceTitle } from "../../api/resource-names.ts";
import type { Choice } from "../../components/field.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";

/** Every kind of channel. */
export const CHANNELS: readonly Choice<string>[] = Object.values(ChannelProfile_ChannelType)
  .filter((value): value is ChannelProfile_ChannelType => typeof value === "number" && value !== 0)
  .map((value) => ({ value: String(value), label: fieldLabel(ChannelProfile_ChannelType[value]) }));

/** A profile of a channel with nothing else set. */
export function channelProfile(channelType: ChannelProfile_ChannelType): ChannelProfile {
  return create(ChannelProfileSchema, { channelType });
}

/** What a deployment can run: a version, the newest first, or the app as it is being edited (`-`). */
export function versionChoices(app: string, versions: readonly AppVersion[]): readonly Choice<string>[] {
  return [
    ...versions.map((version) => ({ value: version.name, label: resourceTitle(version) })),
    { value: `${app}/versions/-`, label: "Draft", description: "Changes take effect immediately." },
  ];
}
