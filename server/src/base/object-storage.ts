/** Files at addresses such as `gs://bucket/object`, which requests name. Both methods throw status errors that name `field` or the address. */
export interface ObjectStorage {
  /** The bytes of an object. */
  read(
    uri: string,
    options: ObjectOptions & { /** Largest object, bytes. */ readonly maxBytes: number },
  ): Promise<Uint8Array>;
  /** Creates or replaces an object. */
  write(uri: string, bytes: Uint8Array, options: ObjectOptions & { readonly contentType: string }): Promise<void>;
  /** Throws INVALID_ARGUMENT when an address cannot be one of an object. */
  check(uri: string, field: string): void;
}

interface ObjectOptions {
  /** For which app: its resource name, or the location with `/apps/` of one that an import is to make. */
  readonly app: string;
  /** The field of the request that has the address. */
  readonly field: string;
  readonly signal?: AbortSignal;
}
