import { escapeLiteral } from '@parlance/patterns';
import type { Connection } from 'mongoose';
import type { Page, PageRequest, UserStore } from '../domain/ports';
import { fold, type User } from '../domain/user';
import type { AnnouncementSink } from './announcements/announcement-sink';
import type { Ids } from './ids';
import { user, type UserDocument } from './user-schema';
import { MongoVersionedStore } from './versioned-store';

const EMPTY: Page<User> = { items: [], total: 0 };

/** Matches a prefix by range comparison, so that no character is special and the index is used. */
function beginsWith(prefix: string): Record<string, string> {
  return { $gte: prefix, $lt: `${prefix}\u{10ffff}` };
}

/** Timeout of a search through all users, in milliseconds. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Users who can sign in and receive mail. */
const mailable = (nowMs: number) => ({
  isActive: true,
  isBot: false,
  dateExpiresMs: { $not: { $gt: 0, $lte: nowMs } },
  emailFolded: { $gt: '' },
});

export const userModel = (connection: Connection) => connection.model<UserDocument>('User', user);

export class MongoUserStore extends MongoVersionedStore<User, UserDocument> implements UserStore {
  protected override readonly unique = {
    username_unique: 'username',
    email_unique: 'email',
    external_key_unique: 'externalKey',
  } as const;
  protected override readonly extraFields = ['usernameFolded', 'emailFolded', 'signInFailures'];

  /** @param dropTimesOfUse makes gateways forget times of use */
  constructor(
    connection: Connection,
    private readonly ids: Ids,
    announcer: AnnouncementSink,
    private readonly dropTimesOfUse: () => Promise<void>,
  ) {
    super(userModel(connection), announcer);
  }

  protected override derived(user: User): Record<string, unknown> {
    return { usernameFolded: fold(user.username), emailFolded: fold(user.email ?? '') };
  }

  nextId(): Promise<number> {
    return this.ids.next('users');
  }

  nextTokenId(): Promise<number> {
    return this.ids.next('tokens');
  }

  nextSecondFactorId(): Promise<number> {
    return this.ids.next('secondFactors');
  }

  nextSubscriptionIds(count: number): Promise<number[]> {
    return this.ids.range('subscriptions', count);
  }

  byName(username: string): Promise<User | undefined> {
    return this.one({ usernameFolded: fold(username) });
  }

  byEmail(email: string): Promise<User | undefined> {
    return email === '' ? Promise.resolve(undefined) : this.one({ emailFolded: fold(email) });
  }

  byExternalKey(key: string): Promise<User | undefined> {
    return this.one({ externalKey: key });
  }

  byTokenHash(hash: string): Promise<User | undefined> {
    return this.one({ 'tokens.hash': hash });
  }

  byTokenId(tokenId: number): Promise<User | undefined> {
    return this.one({ 'tokens.id': tokenId });
  }

  list(filter: { usernamePrefix?: string; id?: number }, page: PageRequest): Promise<Page<User>> {
    return this.page(
      {
        ...(filter.usernamePrefix ? { usernameFolded: beginsWith(fold(filter.usernamePrefix)) } : {}),
        ...(filter.id === undefined ? {} : { _id: filter.id }),
      },
      page,
    );
  }

  async namesContaining(text: string, limit: number): Promise<string[]> {
    const found = await this.model
      .find(
        {
          projectId: 0,
          deleted: false,
          $or: [
            { usernameFolded: { $regex: escapeLiteral(fold(text)) } },
            { fullName: { $regex: escapeLiteral(text), $options: 'i' } },
          ],
        },
        { username: 1 },
      )
      .sort({ usernameFolded: 1 })
      .limit(limit)
      // No index supports searches within a text.
      .maxTimeMS(SEARCH_TIMEOUT_MS)
      .lean<{ username: string }[]>()
      .exec();
    return found.map((user) => user.username);
  }

  bots(projectId: number, page: PageRequest): Promise<Page<User>> {
    return projectId === 0 ? Promise.resolve(EMPTY) : this.page({ projectId, deleted: false }, page);
  }

  withTokens(page: PageRequest): Promise<Page<User>> {
    return this.page({ 'tokens.id': { $gt: 0 } }, page);
  }

  memberIds(groupId: number): Promise<number[]> {
    return this.idsWhere({ groups: groupId });
  }

  subscribedTo(target: { projectId: number } | { componentId: number }): Promise<number[]> {
    return this.idsWhere(
      'projectId' in target
        ? { $or: [{ 'subscriptions.projectId': target.projectId }, { watched: target.projectId }] }
        : { 'subscriptions.componentId': target.componentId },
    );
  }

  subscribers(wanted: {
    notifications: readonly string[];
    projectIds: readonly number[];
    groupIds: readonly number[];
    nowMs: number;
  }): Promise<User[]> {
    const subscription = { notification: { $in: [...wanted.notifications] }, frequency: { $gt: 0 } };
    return this.all({
      ...mailable(wanted.nowMs),
      subscriptions: { $elemMatch: subscription },
      $or: [
        { watched: { $in: [...wanted.projectIds] } },
        { groups: { $in: [...wanted.groupIds] } },
        { subscriptions: { $elemMatch: { ...subscription, scope: { $in: [0, 30, 40] } } } },
      ],
    });
  }

  digestReaders(notifications: readonly string[], afterId: number, limit: number, nowMs: number): Promise<User[]> {
    const subscription = { notification: { $in: [...notifications] }, frequency: { $gt: 0 } };
    return this.all({ ...mailable(nowMs), _id: { $gt: afterId }, subscriptions: { $elemMatch: subscription } }, limit);
  }

  count(): Promise<number> {
    return this.model.countDocuments().exec();
  }

  async noteTokenUse(userId: number, tokenId: number, timeMs: number): Promise<void> {
    const owner = { _id: userId, 'tokens.id': tokenId };
    await this.model.updateOne(owner, { $set: { 'tokens.$.lastUsedMs': timeMs } }).exec();
    await this.dropTimesOfUse();
  }

  async noteSignIn(userId: number, timeMs: number): Promise<void> {
    const change = { $set: { lastLoginMs: timeMs }, $inc: { version: 1 } } as const;
    await this.model.updateOne({ _id: userId }, change).exec();
    await this.dropTimesOfUse();
  }
}
