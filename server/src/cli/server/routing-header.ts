import { type DescMethod, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { httpRuleOf } from "#aip";

/**
 * The value of `x-goog-request-params`, by which the hosted service finds the region of a gRPC call: the fields that are in the path of the method's
 * HTTP rule. Undefined: the method has none, or they are empty.
 */
export function routingHeader(method: DescMethod, request: Message): string | undefined {
  const pattern = httpRuleOf(method)?.pattern;
  const template = typeof pattern?.value === "string" ? pattern.value : "";
  const fields = [...template.matchAll(/\{([\w.]+)/g)].map(([, path = ""]) => path);
  const parts = fields.flatMap((path) => {
    const value = textAt(method, request, path.split("."));
    return value ? [`${path}=${encodeURIComponent(value)}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join("&");
}

function textAt({ input }: DescMethod, request: Message, path: readonly string[]): string | undefined {
  let message = reflect(input, request);
  for (const [at, name] of path.entries()) {
    const field = message.desc.fields.find((one) => one.name === name);
    if (!field) return undefined;
    if (at === path.length - 1)
      return field.fieldKind === "scalar" && field.scalar === ScalarType.STRING ? message.get(field) : undefined;
    if (field.fieldKind !== "message" || !message.isSet(field)) return undefined;
    message = message.get(field);
  }
  return undefined;
}
