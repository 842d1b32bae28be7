/** Settings of the engines of a project, sealed, by engine. */
export interface SealedSettings {
  services: Record<string, string>;
  /** 0: results are not stored. */
  version: number;
}

export interface MachineryStore {
  get(project: number): Promise<SealedSettings>;
  /** Conditional write. @returns false when the stored version differs */
  put(project: number, services: Record<string, string>, version: number): Promise<boolean>;
  remove(project: number): Promise<void>;
}

/** Authenticated encryption of secrets. */
export interface Secrets {
  seal(text: string): string;
  /** @throws when the text was sealed with another key or is damaged */
  open(sealed: string): string;
}
