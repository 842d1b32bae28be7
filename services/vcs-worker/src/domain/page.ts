/** A page of a list: its size, and the number of preceding items. */
export interface PageRequest {
  size: number;
  skip: number;
}
