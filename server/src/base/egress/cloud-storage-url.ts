/** Cloud Storage's public address. */
export const CLOUD_STORAGE_URL = "https://storage.googleapis.com";

/** The URL of `gs://bucket/object` below an address of Cloud Storage; undefined for any other address. */
export function cloudStorageUrl(uri: string, storageUrl: string): string | undefined {
  const match = /^gs:\/\/(?<bucket>[^/]+)\/(?<object>.+)$/.exec(uri)?.groups;
  if (!match?.bucket || !match.object) return undefined;
  return `${storageUrl}/${match.bucket}/${match.object.split("/").map(encodeURIComponent).join("/")}`;
}
