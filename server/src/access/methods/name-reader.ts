import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { fieldValue, httpRuleOf } from "#aip";

/** Reads a resource name from a request; "" where it has none. */
type NameReader = (request: Message) => string;

/** Variables of a path template; the first one names the resource that the method is about. */
const VARIABLE = /\{(?<field>[\w.]+)=/;

/** The field of the request with the name of the method's resource, by the method's HTTP rule: `agent.name`, `config.session`. */
export function resourceField(method: DescMethod): string | undefined {
  const pattern = httpRuleOf(method)?.pattern.value;
  return typeof pattern === "string" ? VARIABLE.exec(pattern)?.groups?.field : undefined;
}

/** Reads a string field by its path. Throws for a path that the message does not have: a fault of the table, found at start. */
export function nameReader(type: DescMessage, path: string): NameReader {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = type;
  for (const name of path.split(".")) {
    const field: DescField | undefined = message?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${type.typeName} has no field ${path}`);
    fields.push(field);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  return (request) => {
    let value: unknown = request;
    for (const field of fields) {
      if (value === undefined) return "";
      value = fieldValue(value as Message, field);
    }
    return typeof value === "string" ? value : "";
  };
}
