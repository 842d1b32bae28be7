import type { Connection, Model } from 'mongoose';
import { documentSchema, required, type DocumentOf } from '@parlance/store-kit';
import type { WebCredentialStore } from '../domain/ports';
import { credentialKinds, type CredentialKind, type WebCredential } from '../domain/sign-in/web-credential';
import type { Ids } from './ids';

const credential = documentSchema('webCredentials', {
  /** SHA-256 of the secret in hex. */
  _id: required(String),
  id: required(Number),
  kind: required(String, { enum: credentialKinds }),
  userId: required(Number),
  epoch: required(Number, { min: 0 }),
  createdMs: required(Number),
  lastSeenMs: required(Number),
  endsMs: required(Number),
  expiresMs: required(Number),
  clientAddress: required(String),
  userAgent: required(String),
  /** `expiresMs`; then the store deletes the document. */
  expireAt: required(Date),
});
credential.index({ userId: 1, createdMs: -1 }, { name: 'user' });
credential.index({ expireAt: 1 }, { name: 'expire', expireAfterSeconds: 0 });
type StoredCredential = DocumentOf<typeof credential>;

function toCredential({ _id, expireAt: _expireAt, ...rest }: StoredCredential): WebCredential {
  return { hash: _id, ...rest };
}

export const webCredentialModel = (connection: Connection) =>
  connection.model<StoredCredential>('WebCredential', credential);

export class MongoWebCredentialStore implements WebCredentialStore {
  private readonly model: Model<StoredCredential>;

  /** @param dropCaches makes gateways forget callers; ends sessions in their caches */
  constructor(
    connection: Connection,
    private readonly ids: Ids,
    private readonly dropCaches: () => Promise<void>,
  ) {
    this.model = webCredentialModel(connection);
  }

  nextId(): Promise<number> {
    return this.ids.next('webCredentials');
  }

  async insert({ hash, ...fields }: WebCredential): Promise<void> {
    const document = { _id: hash, ...fields, expireAt: new Date(fields.expiresMs) };
    // An upsert, so that a repetition after a lost response is no duplicate.
    await this.model.updateOne({ _id: hash }, { $setOnInsert: document }, { upsert: true }).exec();
  }

  async byHash(kind: CredentialKind, hash: string): Promise<WebCredential | undefined> {
    const stored = await this.model.findOne({ _id: hash, kind }).lean<StoredCredential>().exec();
    return stored ? toCredential(stored) : undefined;
  }

  async noteUse(hash: string, lastSeenMs: number, expiresMs: number): Promise<void> {
    const change = { $set: { lastSeenMs, expiresMs, expireAt: new Date(expiresMs) } };
    await this.model.updateOne({ _id: hash }, change).exec();
  }

  async take(kind: CredentialKind, hash: string): Promise<WebCredential | undefined> {
    const found = await this.byHash(kind, hash);
    const { deletedCount } = await this.model.deleteMany({ _id: hash, kind }).exec();
    return deletedCount === 1 ? found : undefined;
  }

  async sessionsOf(userId: number): Promise<WebCredential[]> {
    const found = this.model.find({ userId, kind: 'session' }).sort({ createdMs: -1, id: -1 });
    return (await found.lean<StoredCredential[]>().exec()).map(toCredential);
  }

  async endSessions(userId: number, which: { id: number } | { exceptId: number }): Promise<void> {
    const id = 'id' in which ? which.id : { $ne: which.exceptId };
    await this.model.deleteMany({ userId, kind: 'session', id }).exec();
    // Also if no document was deleted: an earlier attempt may have been interrupted here.
    await this.dropCaches();
  }

  async removeOf(userId: number): Promise<void> {
    await this.model.deleteMany({ userId }).exec();
    await this.dropCaches();
  }
}
