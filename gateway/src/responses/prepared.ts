/** Serialized compact JSON, and the data for other representations. */
export interface Prepared {
  json: string;
  data: () => unknown;
}
