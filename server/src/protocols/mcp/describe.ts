import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { NameFormats } from "./resource-patterns.ts";

/** Fields that mean the same everywhere (AIP-132, 134, 135, 154). */
const STANDARD_FIELDS: Readonly<Record<string, string>> = {
  page_size: "Most items in one answer; the server may return fewer. Zero or absent: the server's default.",
  page_token: "nextPageToken of the previous answer, to get the page after it.",
  filter: 'Only items that match this expression (AIP-160), e.g. display_name = "Billing".',
  order_by: "Field to sort by, name or create_time, with ' desc' for descending.",
  update_mask: "Comma-separated paths of the fields to change, e.g. displayName,instruction.",
  etag: "The etag that was read; the call is refused when the resource changed since.",
  force: "Also remove what refers to the resource.",
};

/** One sentence about an argument, from what the definitions say in a form that a program can read. */
export function describeField(field: DescField, formats: NameFormats): string {
  const format = formats(field);
  if (format) return `Resource name of the ${words(format.noun)}. Format: ${format.pattern}`;
  const text = STANDARD_FIELDS[field.name] ?? `${capital(field.name.replaceAll("_", " "))}.`;
  if (!field.oneof) return text;
  return `${text} At most one of ${field.oneof.fields.map(({ jsonName }) => jsonName).join(", ")}.`;
}

/** What a tool does, with the form of the name it wants. */
export function describeTool({ name, input }: DescMethod, formats: NameFormats): string {
  const [, verb = "", noun = ""] = /^([A-Z][a-z]+)(.*)$/.exec(name) ?? [];
  const subject = input.fields.find((field) => field.name === "name" || field.name === "parent");
  const format = subject && formats(subject);
  const example = subject && format ? ` Example ${subject.jsonName}: ${exampleName(format.pattern)}` : "";
  switch (verb) {
    case "Get":
      return `Gets the details of one ${words(noun)}.${example}`;
    case "List":
      return `Lists the ${words(noun)} of a ${words(format?.noun ?? "parent")}.${example}`;
    default:
      return `${words(name)}.${example}`;
  }
}

function exampleName(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, (_, id: string) => (id === "location" ? "us" : `my-${id}`));
}

function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
