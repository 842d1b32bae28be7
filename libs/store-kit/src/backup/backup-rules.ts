/** Treatment of a collection in a backup. */
export type BackupRule =
  | {
      copied: true;
      /** Documents that a new installation creates at its start; default 0. A store with more is not empty. */
      initial?: number;
      /** Filters of documents with a write in progress. A backup waits until there are none. */
      inProgress?: () => readonly object[];
      /** They may take longer than seconds: a backup waits for those of now before it makes the installation read-only. */
      backlog?: true;
      /** Why the restore of one project leaves it alone; required unless a `ProjectRule` restores it. */
      ofNoProject?: string;
      /** Paths of texts that `SecretBox` sealed; `*` stands for every item or key. */
      sealed?: readonly string[];
    }
  | {
      copied: false;
      /** Why the data need not survive. */
      because: string;
      /** Made from copied collections: a load empties it, so that the service makes it again. */
      derived?: true;
    };

/** The rules of a store, by collection. */
export type BackupRules = Readonly<Record<string, BackupRule>>;
