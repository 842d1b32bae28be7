/** Settings of the engines of a project, sealed, by engine. */
export interface SealedSettings {
  services: Record<string, string>;
  /** 0: nothing was stored yet. */
  version: number;
}

export interface MachineryStore {
  get(project: number): Promise<SealedSettings>;
  /** False when somebody else stored settings since that version. */
  put(project: number, services: Record<string, string>, version: number): Promise<boolean>;
  remove(project: number): Promise<void>;
}

/** Seals secrets and opens them. */
export interface Secrets {
  seal(text: string): string;
  /** @throws when the text was sealed with another key or is damaged */
  open(sealed: string): string;
}
