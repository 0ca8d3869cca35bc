import { resolve } from "node:path";
import { globalRegistry, z } from "zod";

/** A file or folder in the config file, relative to the folder of that file. */
export const ConfigPath = z.string().min(1).meta({ isPath: true });

/** The value with absolute paths wherever its schema has a `ConfigPath`. `folder`: where relative ones begin. */
export function withAbsolutePaths<Value>(schema: z.ZodType<Value>, value: Value, folder: string): Value {
  return absolute(schema, value, folder) as Value;
}

function absolute(schema: z.core.$ZodType, value: unknown, folder: string): unknown {
  if (value === undefined || value === null) return value;
  if (globalRegistry.get(schema)?.isPath && typeof value === "string") return resolve(folder, value);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return mapEntries(value, (key, each) => (def.shape[key] ? absolute(def.shape[key], each, folder) : each));
    case "record":
      return mapEntries(value, (_key, each) => absolute(def.valueType, each, folder));
    case "array":
      return (value as readonly unknown[]).map((each) => absolute(def.element, each, folder));
    case "union": {
      const option = def.options.find((one) => z.safeParse(one, value).success);
      return option ? absolute(option, value, folder) : value;
    }
    case "optional":
    case "default":
    case "nullable":
    case "readonly":
      return absolute(def.innerType, value, folder);
    default:
      return value;
  }
}

function mapEntries(value: unknown, map: (key: string, each: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, map(key, each)]));
}

declare module "zod" {
  interface GlobalMeta {
    isPath?: boolean;
  }
}
