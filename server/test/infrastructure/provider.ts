// The requests of Terraform's provider for Google Cloud, which tests cannot download: its generated code makes the same ones for each type of resource,
// from the field names, and compares what it reads with the configuration to find out what to change.
import { setTimeout as delay } from "node:timers/promises";

// biome-ignore lint/suspicious/noExplicitAny: configurations and answers are JSON, looked into by path
export type Json = any;

/** A type of resource, as the provider describes it. */
export interface ResourceType {
  /** Below the location: `apps/APP/tools`. */
  readonly collection: string;
  /** The parameter that names a new resource; without one the server names it. `singleton`: it exists already. */
  readonly idParameter: string | undefined | "singleton";
  /** Methods that answer with an operation. */
  readonly operations?: readonly ("create" | "delete")[];
  /** Methods with the suffix `Sync`, in place of operations. */
  readonly sync?: boolean;
  /** What the server sets, besides what it sets of every resource, and what the provider has no field for. */
  readonly computed?: readonly string[];
  /** What is never compared with what was read. */
  readonly notRead?: readonly string[];
  /** Fields that are sent although they are empty. */
  readonly sentEmpty?: readonly string[];
}

/** What the server sets of every resource. */
const COMPUTED = ["name", "etag", "createTime", "updateTime", "displayName"];

interface State {
  readonly type: ResourceType;
  /** Address below the version. */
  readonly address: string;
  readonly config: Json;
}

/** What Terraform does with the resources of one location, over one endpoint (`http://127.0.0.1:8080/v1/`). */
export class Terraform {
  readonly #endpoint: string;
  readonly #location: string;
  readonly #states = new Map<string, State>();

  constructor(endpoint: string, location: string) {
    this.#endpoint = endpoint;
    this.#location = location;
  }

  /** Creates the resource `id`, or changes it to what is configured. */
  async apply(type: ResourceType, id: string, config: Json): Promise<void> {
    const key = `${type.collection}/${id}`;
    const known = this.#states.get(key);
    const address = known ? await this.#update(known, config) : await this.#create(type, id, config);
    this.#states.set(key, { type, address, config });
  }

  /** What a plan would change of the resource: empty after it was applied. */
  async plan(type: ResourceType, id: string): Promise<readonly string[]> {
    const { address, config } = this.#state(type, id);
    const read = await this.#read(address);
    return read ? differences(config, read, "", type) : ["does not exist"];
  }

  /** Whether the resource is gone afterwards. */
  async destroy(type: ResourceType, id: string): Promise<boolean> {
    const { address } = this.#state(type, id);
    const answer = await this.#send("DELETE", `${address}${type.sync ? ":deleteSync" : ""}`);
    if (type.operations?.includes("delete")) await this.#wait(answer);
    return (await this.#read(address)) === undefined;
  }

  /** `google_ces_app_root_agent_association`: the agent that an app begins with, or null. */
  associate(app: string, agent: string | null): Promise<Json> {
    const rootAgent = agent && `${this.#location}/apps/${app}/agents/${agent}`;
    return this.#send("PATCH", `${this.#location}/apps/${app}`, { updateMask: "rootAgent" }, { rootAgent });
  }

  #state(type: ResourceType, id: string): State {
    const state = this.#states.get(`${type.collection}/${id}`);
    if (!state) throw new Error(`${type.collection}/${id} was not applied`);
    return state;
  }

  async #create(type: ResourceType, id: string, config: Json): Promise<string> {
    const collection = `${this.#location}/${type.collection}`;
    const body = withoutEmpty(config, "", type);
    if (type.idParameter === "singleton") {
      await this.#send("PATCH", collection, { updateMask: Object.keys(config).join(",") }, body);
      return collection;
    }
    const parameters = type.idParameter ? { [type.idParameter]: id } : {};
    const answer = await this.#send("POST", `${collection}${type.sync ? ":createSync" : ""}`, parameters, body);
    const created = type.operations?.includes("create") ? await this.#wait(answer) : answer;
    return `${collection}/${created.name.split("/").at(-1)}`;
  }

  async #update({ type, address, config: before }: State, config: Json): Promise<string> {
    const names = [...new Set([...Object.keys(before), ...Object.keys(config)])];
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(config[name]));
    const path = `${address}${type.sync ? ":updateSync" : ""}`;
    await this.#send("PATCH", path, { updateMask: changed.join(",") }, withoutEmpty(config, "", type));
    return address;
  }

  /** Undefined when it is not there, or was deleted and is only kept for a while. */
  async #read(address: string): Promise<Json> {
    const response = await this.#fetch("GET", address, {});
    const body = (await response.json()) as Json;
    if (response.status === 404 || body.deleteTime) return undefined;
    if (!response.ok) throw new Error(`GET ${address}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Polls an operation until it is done; its response. */
  async #wait(operation: Json): Promise<Json> {
    let last = operation;
    for (; !last.done; last = await this.#send("GET", last.name)) await delay(10);
    if (last.error) throw new Error(JSON.stringify(last.error));
    return last.response;
  }

  async #send(method: string, path: string, parameters: Record<string, string> = {}, body?: Json): Promise<Json> {
    const response = await this.#fetch(method, path, parameters, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }

  #fetch(method: string, path: string, parameters: Record<string, string>, body?: Json): Promise<Response> {
    const query = new URLSearchParams({ ...parameters, alt: "json" });
    // The type is named even where nothing is sent, as in GET and DELETE.
    const headers = { "content-type": "application/json", "x-goog-user-project": "local" };
    const options = { method, headers, ...(body && { body: `${JSON.stringify(body)}\n` }) };
    return fetch(`${this.#endpoint}${path}?${query}`, options);
  }
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: Json): boolean {
  return (
    value === undefined || value === false || value === 0 || value === "" || (Array.isArray(value) && !value.length)
  );
}

/** What is sent of a configuration: the provider cannot tell an empty value from none. */
function withoutEmpty(value: Json, path: string, type: ResourceType): Json {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, path, type));
  if (!isObject(value)) return value;
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const kept = Object.entries(value).filter(([name, item]) => !isEmpty(item) || type.sentEmpty?.includes(below(name)));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutEmpty(item, below(name), type)]));
}

/** Where what was read differs from what is configured, as a plan would show it. */
function differences(config: Json, read: Json, path: string, type: ResourceType): string[] {
  if (type.notRead?.includes(path)) return [];
  if (Array.isArray(config) && Array.isArray(read) && config.length === read.length)
    return config.flatMap((item, index) => differences(item, read[index], path, type));
  if (isObject(config) && isObject(read)) {
    const names = [...new Set([...Object.keys(config), ...Object.keys(read)])];
    return names.flatMap((name) => {
      const below = path === "" ? name : `${path}.${name}`;
      const set = !(name in config) && (type.computed?.includes(below) || COMPUTED.includes(below));
      return set ? [] : differences(config[name], read[name], below, type);
    });
  }
  // 64-bit numbers are strings in JSON.
  const same = isEmpty(config) ? isEmpty(read) : String(config) === String(read) && typeof config !== "object";
  return same ? [] : [`${path}: ${JSON.stringify(read)} -> ${JSON.stringify(config)}`];
}
